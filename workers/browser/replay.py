"""Following the steps of a bug in a fresh context, and asking the detectors what they see there.

Each step is found again by its key, and used only if the policy allows it now: a report may have
been written under another one, or by another hand. Invariant: nothing is remembered from one replay
to the next. Leaves out what several replays mean.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from contract.action_tree import Step
from contract.vocabulary import BugKind
from workers.browser import doubts, forms, trials
from workers.browser.atlas import Suspicion
from workers.browser.brief import Brief, land, opened
from workers.browser.classify import Verdict, classify
from workers.browser.detect import LOOKED_FOR, suspicions
from workers.browser.fill import use
from workers.browser.page_port import Control, Effect, PagePort, SessionRenewed
from workers.browser.policy import Rules

Kinds = frozenset[BugKind]
Done = tuple[Effect, Control]
OPEN, FILL = "open", "fill"
_LATE_S = 0.5
_RENEWALS = 2


class Replay:
    """Replays paths on one page. `wait_s`: for a control that is not there at once."""

    def __init__(
        self, port: PagePort, brief: Brief, rules: Rules, *, wait_s: float = _LATE_S
    ) -> None:
        self._port = port
        self._brief = brief
        self._rules = rules
        self._wait_s = wait_s

    async def follow(self, steps: Sequence[Step], kinds: Kinds) -> tuple[Suspicion, ...] | None:
        """What is wrong after the last step; None if the steps cannot be followed.

        `kinds`: what is expected there, since some kinds take a closer look.
        """
        for _ in range(_RENEWALS):
            try:
                if BugKind.INCONSISTENT in kinds:
                    return await self._again_and_again(steps)
                return await self._follow(steps, kinds)
            except SessionRenewed:
                continue
        return None

    async def _follow(self, steps: Sequence[Step], kinds: Kinds) -> tuple[Suspicion, ...] | None:
        await self._port.renew()
        effect = await opened(self._port)
        if not steps or steps[0].action == OPEN:
            return await self._said(effect, None, None, kinds)
        if effect.after is None:
            return None
        own = land(self._brief, effect.after, effect).own
        done = await self._take(steps)
        if done is None:
            return None
        said = await self._judged(*done, own, kinds)
        trial = forms.MARK in steps[-1].key
        return tuple(s for s in said if s.kind in trials.BUGS) if trial else said

    async def _again_and_again(self, steps: Sequence[Step]) -> tuple[Suspicion, ...] | None:
        """The last step in several fresh contexts: whether its outcome wavers."""
        outcomes: list[str] = []
        done: Done | None = None
        for _ in range(doubts.TRIES):
            await self._port.renew()
            await opened(self._port)
            if (done := await self._take(steps)) is None:
                return None
            effect, control = done
            if classify(effect, control).silent:
                done = (await self._port.linger(effect), control)
            outcomes.append(doubts.outcome(*done))
        if done is None:
            return None
        case = self._brief.case(done[0], done[1], classify(*done))
        return suspicions(msgspec.structs.replace(case, outcomes=tuple(outcomes)))

    async def _take(self, steps: Sequence[Step]) -> Done | None:
        """The effect of the last step; None as soon as one cannot be taken."""
        way: list[Control] = []
        done: Done | None = None
        for step in steps:
            if (done := await self._do(step, self._rules.risk_along(way))) is None:
                return None
            way.append(done[1])
        return done

    async def _do(self, step: Step, led_by: str) -> Done | None:
        """The step's effect; None if its control is not there or may not be used."""
        control = await self._find(forms.plain_key(step.key))
        if control is None or control.disabled or control.key in self._brief.denied:
            return None
        if self._rules.forbids(control, led_by) or forms.is_secret(control):
            return None
        if step.accepts and self._rules.allows_all:
            self._port.say_yes()
        value = step.value if step.action == FILL else None
        effect = await use(self._port, control, value)
        return None if effect.missing else (effect, control)

    async def _find(self, key: str) -> Control | None:
        for wait_s in (self._wait_s, 0.0):
            controls = await self._port.controls()
            if found := next((c for c in controls if c.key == key), None):
                return found
            await asyncio.sleep(wait_s)
        return None

    async def _judged(
        self, effect: Effect, control: Control, own: str, kinds: Kinds
    ) -> tuple[Suspicion, ...]:
        """What the detectors say; silence is waited out first, as the tester does."""
        verdict = classify(effect, control)
        if verdict.silent:
            effect = await self._port.linger(effect)
            verdict = classify(effect, control)
        if self._brief.is_of_another(effect, own):
            return ()
        return await self._said(effect, control, verdict, kinds)

    async def _said(
        self, effect: Effect, control: Control | None, verdict: Verdict | None, kinds: Kinds
    ) -> tuple[Suspicion, ...]:
        closer = bool(kinds & LOOKED_FOR) and effect.after is not None
        survey = await self._port.survey(audit=BugKind.A11Y in kinds) if closer else None
        case = self._brief.case(effect, control, verdict, survey)
        said = suspicions(case)
        if BugKind.DIALOG_CANNOT_CLOSE not in kinds or effect.after is None:
            return said
        before = {dialog.name for dialog in effect.before.dialogs}
        for name in {dialog.name for dialog in effect.after.dialogs} - before:
            if await doubts.stays_open(self._port, self._rules, name):
                return suspicions(msgspec.structs.replace(case, held=name))
        return said
