"""The second look: every suspicion once more, in a fresh context, along its own path.

Suspicions of one moment are looked at together. What shows again is confirmed; what does not is
kept and said to be unconfirmed. This is the tester's own check; the independent review is another
job.
"""

from collections.abc import Callable

from contract.vocabulary import BugKind
from workers.browser import forms
from workers.browser.atlas import Arrived, Atlas, Rewalked, Suspect
from workers.browser.brief import Brief
from workers.browser.classify import classify
from workers.browser.detect import LOOKED_FOR, suspicions
from workers.browser.fill import Filler, use
from workers.browser.page_port import Control, Effect, PagePort, SessionRenewed
from workers.browser.reach import Reach
from workers.browser.scribe import Scribe

Moment = list[Suspect]
"""Suspects of one state and control."""


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
        moments: dict[tuple[str, str], Moment] = {}
        for signature, suspect in atlas.suspects.items():
            if signature not in atlas.rewalked:
                moments.setdefault((suspect.state, suspect.key), []).append(suspect)
        for moment in moments.values():
            if over():
                return
            try:
                seen = await self._shows_again(atlas, moment)
            except SessionRenewed:
                seen = set()
            for signature in _signatures(moment):
                await self._scribe.write(Rewalked(signature=signature, seen=signature in seen))

    async def _shows_again(self, atlas: Atlas, moment: Moment) -> set[str]:
        first = moment[0]
        await self._port.renew()
        opened = await self._port.open()
        if not first.key:
            return await self._in(moment, opened, None)
        state = atlas.states[first.state]
        control = next((c for c in state.controls if c.key == first.key), None)
        if control is None:
            return set()
        seen: set[str] = set()
        for fresh_context in (False, True):
            seen |= await self._use_again(state, control, moment, fresh_context=fresh_context)
            if seen >= _signatures(moment):
                break
        return seen

    async def _use_again(
        self, state: Arrived, control: Control, moment: Moment, *, fresh_context: bool
    ) -> set[str]:
        there = (
            await self._reach.anew(state, fresh_context=True)
            if fresh_context
            else await self._reach.to(state)
        )
        if not there:
            return set()
        await self._filler.around(control)
        effect = await use(self._port, control, forms.value_for(control))
        if not effect.missing and classify(effect, control).silent:
            effect = await self._port.linger(effect)
        return await self._in(moment, effect, control)

    async def _in(self, moment: Moment, effect: Effect, control: Control | None) -> set[str]:
        if effect.missing:
            return set()
        kinds = {suspect.suspicion.kind for suspect in moment}
        survey = None
        if effect.after is not None and kinds & LOOKED_FOR:
            survey = await self._port.survey(audit=BugKind.A11Y in kinds)
        verdict = classify(effect, control) if control is not None else None
        case = self._brief.case(effect, control, verdict, survey)
        return {found.signature for found in suspicions(case)} & _signatures(moment)


def _signatures(moment: Moment) -> set[str]:
    return {suspect.suspicion.signature for suspect in moment}
