"""What the walk doubts when it is done: dialogs that nothing closed, presses that wavered.

Each doubt is tried out in fresh contexts before anything is filed, and a doubt that cannot be tried
is dropped. What is filed here was seen again and again, so it counts as looked at twice.
"""

from collections.abc import Callable

import msgspec

from contract.vocabulary import ActionResult, BugKind, Outcome
from workers.browser.atlas import Arrived, Atlas, Doubted, Rewalked, Suspect
from workers.browser.brief import Brief
from workers.browser.classify import blocked, classify
from workers.browser.detect import suspicions
from workers.browser.detect.case import Case
from workers.browser.page_port import Control, Effect, PagePort, SessionRenewed
from workers.browser.places import bare, template_of
from workers.browser.policy import Rules
from workers.browser.reach import Reach
from workers.browser.scribe import Scribe, step

TRIES = 5
_ALIKE = 3
"""So many equal outcomes at first, and the press is believed."""

_DOUBTS = 3
_DIALOGS = "dialogs"
"""Written when all dialogs were seen to, so that a walk that goes on does not begin again."""


class Doubts:
    """Tries out the doubts of one route until `over` says that time is up."""

    def __init__(
        self, port: PagePort, brief: Brief, rules: Rules, reach: Reach, scribe: Scribe
    ) -> None:
        self._port = port
        self._brief = brief
        self._rules = rules
        self._reach = reach
        self._scribe = scribe

    async def all(self, atlas: Atlas, over: Callable[[], bool]) -> None:
        """File what is certain after it was tried out."""
        dialogs = () if _DIALOGS in atlas.doubted else _never_closed(atlas)[:_DOUBTS]
        for state, name in dialogs:
            if name not in self._reach.closable and not over():
                await self._settle(atlas, state, await self._held(atlas, state, name))
        if dialogs:
            await self._scribe.write(Doubted(doubt=_DIALOGS))
        for at, key in list(self._reach.wavered)[:_DOUBTS]:
            there, control = atlas.states.get(at), atlas.control(key)
            if there is not None and control is not None and not over():
                await self._settle(atlas, there, await self._outcomes(there, control))

    async def _settle(self, atlas: Atlas, state: Arrived, case: Case | None) -> None:
        """Write down the bug that a doubt turned out to be, if any."""
        suspects = self._suspects(atlas, state, case) if case is not None else ()
        confirmed = (Rewalked(signature=s.suspicion.signature, seen=True) for s in suspects)
        if suspects:
            await self._scribe.write(Doubted(suspects=suspects), *confirmed)

    def _suspects(self, atlas: Atlas, state: Arrived, case: Case) -> tuple[Suspect, ...]:
        control = case.control
        if control is None:
            return ()
        wavers = bool(case.outcomes)
        return tuple(
            Suspect(
                suspicion=suspicion,
                location=f"{control.area.value}: {control.label}",
                path=(*state.path, step("press", control)) if wavers else state.path,
                state=state.state if wavers else _before(atlas, state),
                key=control.key,
                shot=state.shot,
            )
            for suspicion in suspicions(case)
            if suspicion.kind in _OURS and suspicion.signature not in atlas.suspects
        )

    async def _held(self, atlas: Atlas, state: Arrived, name: str) -> Case | None:
        """Open a dialog anew and try to close it by every means."""
        opener = atlas.control(state.hops[-1].key)
        try:
            if opener is None or not await self._reach.anew(state, fresh_context=True):
                return None
            if not await stays_open(self._port, self._rules, name):
                return None
        except SessionRenewed:
            return None
        effect = Effect(before=self._port.sight, after=self._port.sight)
        case = self._brief.case(effect, opener, classify(effect, opener))
        return msgspec.structs.replace(case, held=name)

    async def _outcomes(self, state: Arrived, control: Control) -> Case | None:
        """Do the same in fresh contexts, until it wavers or can be believed."""
        outcomes: list[str] = []
        effect = Effect(before=self._port.sight)
        try:
            for _ in range(TRIES):
                there = await self._reach.anew(state, fresh_context=True)
                if not there or self._reach.here != state.state:
                    return None
                effect = await self._port.press(control)
                if not effect.missing and classify(effect, control).silent:
                    effect = await self._port.linger(effect)
                if effect.missing or _explained(effect):
                    return None
                outcomes.append(outcome(effect, control))
                if len(outcomes) == _ALIKE and len(set(outcomes)) == 1:
                    return None
        except SessionRenewed:
            return None
        case = self._brief.case(effect, control, classify(effect, control))
        return msgspec.structs.replace(case, outcomes=tuple(outcomes))


async def stays_open(port: PagePort, rules: Rules, name: str) -> bool:
    """Whether a modal dialog is still open after Escape, its closers, a press beside it."""

    def is_open() -> bool:
        return name in {dialog.name for dialog in port.sight.dialogs}

    if not is_open():
        return False
    await port.escape()
    closers = [c for c in await port.controls() if c.dialog and rules.closes(c)]
    for closer in closers:
        if is_open():
            await port.press(closer)
    if not is_open():
        return False
    beside = await port.beside()
    return not beside.missing and is_open()


_OURS = frozenset({BugKind.DIALOG_CANNOT_CLOSE, BugKind.INCONSISTENT})


def _explained(effect: Effect) -> bool:
    """Whether what happened has a reason that is a bug of its own, or ours."""
    heard = effect.traffic
    errors = heard.exceptions or heard.rejections or heard.bad_answers or heard.failed
    return bool(errors or heard.console or blocked(effect)) or effect.after is None


_BY_THE_WAY = frozenset({Outcome.SCROLLED, Outcome.FOCUSED})


def outcome(effect: Effect, control: Control) -> str:
    """What a press did, in the words by which two presses are compared.

    Where only the focus or the scrolling moved nothing was done: the browser does both by itself,
    now sooner, now later.
    """
    verdict = classify(effect, control)
    if verdict.outcome in _BY_THE_WAY:
        return ActionResult.NO_RESPONSE.value
    if verdict.result is ActionResult.PAGE_NAVIGATED and effect.after is not None:
        return f"{verdict.result.value} to {bare(template_of(effect.after.url))}"
    return verdict.result.value


def _before(atlas: Atlas, state: Arrived) -> str:
    """The state from which a state was reached."""
    way = state.hops[:-1]
    return next((s.state for s in atlas.states.values() if s.hops == way), state.state)


def _never_closed(atlas: Atlas) -> list[tuple[Arrived, str]]:
    """Dialogs that an action opened and that no control in them closed, though all were used."""
    found: dict[str, Arrived] = {}
    for state in atlas.states.values():
        if not state.hops or not state.dialogs:
            continue
        before = atlas.states.get(_before(atlas, state))
        new = set(state.dialogs) - set(before.dialogs if before is not None else ())
        for name in sorted(new - found.keys()):
            if _all_in_vain(atlas, state, name):
                found[name] = state
    return [(state, name) for name, state in found.items()]


def _all_in_vain(atlas: Atlas, state: Arrived, name: str) -> bool:
    for tried in atlas.tried[state.state]:
        draft = tried.draft
        left_alone = not tried.pressed or draft.action_result is ActionResult.SKIPPED
        if left_alone or draft.outcome is Outcome.REPLAY_DIVERGED:
            return False
        to = draft.leads_to or draft.same_as
        if to is not None and (to not in atlas.states or name not in atlas.states[to].dialogs):
            return False
    return True
