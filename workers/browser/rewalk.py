"""The second look: every suspicion once more, in a fresh context, along its own path.

What shows again is confirmed; what does not is kept and said to be unconfirmed. This is the
tester's own check; the independent review is another job.
"""

from collections.abc import Callable

from workers.browser import forms
from workers.browser.atlas import Arrived, Atlas, Rewalked, Suspect
from workers.browser.brief import Brief
from workers.browser.classify import classify
from workers.browser.detect import suspicions
from workers.browser.fill import Filler, use
from workers.browser.page_port import Control, Effect, PagePort, SessionRenewed
from workers.browser.reach import Reach
from workers.browser.scribe import Scribe


class Rewalk:
    """Looks again at the suspects of an atlas until `over` says that time is up."""

    def __init__(
        self, port: PagePort, brief: Brief, reach: Reach, filler: Filler, scribe: Scribe
    ) -> None:
        self._port = port
        self._brief = brief
        self._reach = reach
        self._filler = filler
        self._scribe = scribe

    async def all(self, atlas: Atlas, over: Callable[[], bool]) -> None:
        """One `Rewalked` entry for each suspect that time allowed."""
        for signature, suspect in list(atlas.suspects.items()):
            if signature in atlas.rewalked:
                continue
            if over():
                return
            try:
                seen = await self._shows_again(atlas, suspect)
            except SessionRenewed:
                seen = False
            await self._scribe.write(Rewalked(signature=signature, seen=seen))

    async def _shows_again(self, atlas: Atlas, suspect: Suspect) -> bool:
        await self._port.renew()
        opened = await self._port.open()
        if not suspect.key:
            return self._in(suspect, opened, None)
        state = atlas.states[suspect.state]
        control = next((c for c in state.controls if c.key == suspect.key), None)
        if control is None:
            return False
        for fresh_context in (False, True):
            if await self._use_again(state, control, suspect, fresh_context=fresh_context):
                return True
        return False

    async def _use_again(
        self, state: Arrived, control: Control, suspect: Suspect, *, fresh_context: bool
    ) -> bool:
        there = (
            await self._reach.anew(state, fresh_context=True)
            if fresh_context
            else await self._reach.to(state)
        )
        if not there:
            return False
        await self._filler.around(control)
        effect = await use(self._port, control, forms.value_for(control))
        if not effect.missing and classify(effect, control).silent:
            effect = await self._port.linger(effect)
        return self._in(suspect, effect, control)

    def _in(self, suspect: Suspect, effect: Effect, control: Control | None) -> bool:
        if effect.missing:
            return False
        verdict = classify(effect, control) if control is not None else None
        case = self._brief.case(effect, control, verdict)
        return suspect.suspicion.signature in {found.signature for found in suspicions(case)}
