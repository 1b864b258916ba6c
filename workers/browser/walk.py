"""The walk: every control of a route, depth first, and what each one did.

`explore` is the algorithm: it reads the next control from the atlas, gets the page to its state,
uses it, judges the effect, and has it written down. Its invariant: entries are written after each
action and before the next, and the atlas is nothing but the fold of the entries, so a walk that is
cut off at any point goes on from its entries and repeats at most one action.

Left out: pages (`page_port.py`), how to get back (`reach.py`), what is a bug (`detect/`), how it is
written down (`scribe.py`).
"""

import time
from collections.abc import Callable

import msgspec

from contract.vocabulary import ActionResult, FailureReason, Outcome
from workers.browser import forms
from workers.browser.atlas import Arrived, Atlas, Denied, sort_of
from workers.browser.brief import Brief, Elsewhere, land, opened, unreachable
from workers.browser.classify import SURE, Verdict, asks, classify, without_questions
from workers.browser.doubts import Doubts
from workers.browser.fill import Filler, Fills, refusal, use
from workers.browser.page_port import Control, Effect, PagePort, SessionRenewed
from workers.browser.policy import Rules
from workers.browser.reach import Reach
from workers.browser.rewalk import Rewalk
from workers.browser.scribe import Deed, Journal, Scribe
from workers.browser.trials import judged

_REWALK_SHARE = 0.1


class Walk:
    """One route being explored. `stop` ends it between two actions; `clock` gives seconds."""

    def __init__(
        self,
        port: PagePort,
        brief: Brief,
        rules: Rules,
        atlas: Atlas,
        journal: Journal,
        *,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        spend_s: float | None = None,
    ) -> None:
        self.reach = Reach(port, rules, atlas.states)
        self.stopped = False
        self.note = ""
        self._port = port
        self._brief = brief
        self._rules = rules
        self._atlas = atlas
        self._scribe = Scribe(port, brief, rules, atlas, journal)
        self._filler = Filler(port, rules)
        self._stop = stop
        self._clock = clock
        self._spend_s = brief.limits.seconds if spend_s is None else spend_s
        self._ends = clock() + self._spend_s
        self._renewals: dict[str, int] = {}

    async def explore(self) -> None:
        """Open the route, use every control, look again at every suspicion."""
        await self._begin()
        while not self._stopping() and self._budget() is None:
            item = self._atlas.next()
            if item is None:
                break
            await self._deal_with(*item)
        if not self.stopped:
            await self._skip_rest()
            doubts = Doubts(self._port, self._brief, self._rules, self.reach, self._scribe)
            await doubts.all(self._atlas, self._rewalk_over)
            rewalk = Rewalk(self._port, self._brief, self.reach, self._filler, self._scribe)
            await rewalk.all(self._atlas, self._rewalk_over)

    async def _begin(self) -> None:
        effect = await opened(self._port)
        if effect.after is None:
            raise Elsewhere(FailureReason.CRASHED, "the page hangs or crashes while it loads")
        landing = land(self._brief, effect.after, effect)
        self.note, self._scribe.own = landing.note, landing.own
        if self._atlas.root is None:
            await self._scribe.landed(effect)

    def _stopping(self) -> bool:
        self.stopped = self.stopped or self._stop()
        return self.stopped

    def _budget(self) -> str | None:
        """Which budget ended, or None."""
        actions = self._brief.limits.actions
        if self._atlas.actions >= actions:
            return f"not tried: the budget of {actions} actions ended"
        if self._clock() >= self._ends:
            return f"not tried: the budget of {self._spend_s:.0f} s ended"
        return None

    def _rewalk_over(self) -> bool:
        return self._stopping() or self._clock() >= self._ends + self._spend_s * _REWALK_SHARE

    async def _skip_rest(self) -> None:
        """What the budget left over is written down as skipped, never dropped."""
        note = self._budget() or "not tried"
        for state, control in self._atlas.untried():
            await self._scribe.skipped(state, control, note, Outcome.BUDGET)

    # One control

    async def _deal_with(self, state: Arrived, control: Control) -> None:
        try:
            if ruling := self._untouchable(state, control):
                await self._scribe.skipped(state, control, *ruling)
            elif not await self.reach.to(state) and not await self._filler.finds(control):
                await self._scribe.diverged(state, control)
            elif (fills := await self._filler.before(control)) is None:
                await self._scribe.disabled(state, control)
            else:
                await self._use(state, control, fills)
        except SessionRenewed as lost:
            times = self._renewals[control.key] = self._renewals.get(control.key, 0) + 1
            if lost.by_action or times > 1:
                await self._scribe.write(Denied(control=control.key))

    def _untouchable(self, state: Arrived, control: Control) -> tuple[str, Outcome] | None:
        """Why a control is left alone: a sentence for the node, and its outcome."""
        if control.key in self._brief.denied or control.key in self._atlas.denied:
            return "the session is lost when this is used", Outcome.AUTH_LOST
        if control.site and control.key in self._brief.shared:
            return f"shared with {self._brief.shared[control.key]}", Outcome.SHARED
        if rule := self._rules.forbids(control, self._risk_before(state)):
            external = rule.startswith("leads to another origin")
            return rule, Outcome.EXTERNAL_BLOCKED if external else Outcome.POLICY
        if reason := refusal(control):
            return reason, Outcome.POLICY
        return None

    def _risk_before(self, state: Arrived) -> str:
        """What is risky on the way to a state, or nothing."""
        way = (self._atlas.control(hop.key) for hop in state.hops)
        return self._rules.risk_along(control for control in way if control is not None)

    async def _use(self, state: Arrived, control: Control, fills: Fills) -> None:
        await self._note_tab(control)
        value = forms.value_for(control)
        effect = await use(self._port, control, value)
        if effect.missing:
            await self._gone(state, control)
            return
        if effect.browser_gone and self.reach.first_time(f"{control.key}@browser"):
            return  # once may be anybody's fault; the same control twice is the page's
        await self._app_still_there(effect)
        verdict = classify(effect, control)
        yes = self._rules.allows_all and asks(effect)
        if control.trial is not None:
            verdict = judged(verdict, effect, control)
        elif yes:
            effect, verdict = await self._answer(state, control, effect, verdict)
        elif _doubtful(verdict):
            effect, verdict = await self._look_again(state, control, effect)
        if verdict.silent and control.sign in SURE:
            verdict = await self._excused(state, control, effect, verdict)
        self.reach.pressed(control, verdict, effect)
        await self._scribe.did(
            Deed(
                state=state,
                control=control,
                effect=effect,
                verdict=verdict,
                fills=fills,
                value=value,
                says_yes=yes,
            )
        )
        if effect.traffic.cookies_gone:
            await self._scribe.write(Denied(control=control.key))
            await self._port.renew()
        if value is not None and self.reach.here == state.state:
            await self._port.unfill()

    async def _answer(
        self, state: Arrived, control: Control, effect: Effect, verdict: Verdict
    ) -> tuple[Effect, Verdict]:
        """What was asked and dismissed is said yes to at a second visit, once."""
        if not await self.reach.to(state):
            return effect, verdict
        await self._filler.around(control)
        self._port.say_yes()
        again = await self._port.press(control)
        if again.missing:
            return effect, verdict
        then = classify(without_questions(again), control)
        note = f"{verdict.note}; said yes to at a second visit: {then.result.value}"
        return again, msgspec.structs.replace(verdict, note=note, silent=False)

    async def _note_tab(self, control: Control) -> None:
        """Remember which tab was selected, to get back by it."""
        before = None
        if sort_of(control) == "tab":
            controls = await self._port.controls()
            peers = (c for c in controls if c.selected and c.path == control.path and c.tabs)
            before = next((c for c in peers if c.key != control.key), None)
        self.reach.selected(before)

    async def _app_still_there(self, effect: Effect) -> None:
        """Raises when the app itself is gone, so that its silence is not taken for bugs."""
        refused = any("CONNECTION_REFUSED" in failed.error for failed in effect.traffic.failed)
        if refused and (probe := await self._port.open()).unreachable:
            raise unreachable(probe.unreachable)

    async def _look_again(
        self, state: Arrived, control: Control, effect: Effect
    ) -> tuple[Effect, Verdict]:
        """Nothing moved, or it was covered: wait longer, then once more on a fresh load."""
        effect = await self._port.linger(effect)
        verdict = classify(effect, control)
        sure = control.sign in SURE and not effect.traffic.environment
        if not (sure and _doubtful(verdict)) or not await self.reach.anew(state):
            return effect, verdict
        again = await self._port.press(control)
        if again.missing:
            return effect, verdict
        if classify(again, control).silent:
            again = await self._port.linger(again)
        if verdict.silent and not classify(again, control).silent:
            self.reach.wavered[state.state, control.key] = None
        return again, classify(again, control)

    async def _excused(
        self, state: Arrived, control: Control, effect: Effect, verdict: Verdict
    ) -> Verdict:
        """Whether there is a reason for silence, other than that the control is dead."""
        outcome, note = None, verdict.note
        if hosts := effect.traffic.environment:
            outcome, note = Outcome.ENVIRONMENT, f"scripts of {', '.join(hosts)} did not arrive"
        elif await self._filler.waits_for_a_choice(control):
            outcome = Outcome.NEEDS_SELECTION
        elif await self._wakes_up(state, control):
            outcome = Outcome.NOTHING_TO_DO
        if outcome is None:
            return verdict
        return msgspec.structs.replace(verdict, outcome=outcome, note=note, silent=False)

    async def _wakes_up(self, state: Arrived, control: Control) -> bool:
        """Whether a silent control responds after its neighbour was used, as a reset does."""
        risk = self._risk_before(state)
        for neighbour in _beside(control, await self._port.controls()):
            if self._rules.forbids(neighbour, risk) or not await self.reach.anew(state):
                continue
            first = await self._port.press(neighbour)
            if first.missing or _opens(classify(first, neighbour)):
                continue  # what closes an opened menu is any press at all
            effect = await self._port.press(control)
            if not effect.missing and not _doubtful(classify(effect, control)):
                return True
        return False

    async def _gone(self, state: Arrived, control: Control) -> None:
        """The control is not there: once more in a fresh context, then it diverged."""
        first = self.reach.first_time(control.key)
        if first and await self.reach.anew(state, fresh_context=True):
            return
        await self._scribe.diverged(state, control)


def _doubtful(verdict: Verdict) -> bool:
    return verdict.silent or verdict.outcome is Outcome.OBSCURED


_LAYERS = frozenset(
    {
        ActionResult.DIALOG_OPENED,
        ActionResult.CONFIRMATION_DIALOG,
        ActionResult.DROPDOWN_OPENED,
        ActionResult.PAGE_NAVIGATED,
        ActionResult.NO_RESPONSE,
        ActionResult.ERROR,
        ActionResult.SKIPPED,
    }
)


def _opens(verdict: Verdict) -> bool:
    """Whether a neighbour did something that says nothing about the control beside it."""
    return verdict.result in _LAYERS


def _beside(control: Control, controls: tuple[Control, ...]) -> list[Control]:
    """The controls right before and after one, in the same place."""
    peers = [c for c in controls if c.path == control.path and c.area == control.area]
    at = next((i for i, peer in enumerate(peers) if peer.key == control.key), None)
    if at is None:
        return []
    near = peers[max(0, at - 1) : at] + peers[at + 1 : at + 2]
    return [c for c in near if c.role in {"button", "link"} and _stays(c)]


def _stays(control: Control) -> bool:
    """Whether using a control can be expected to stay on the page."""
    leads_away = control.href and "#" not in control.href
    return not (control.submits or control.disabled or leads_away)
