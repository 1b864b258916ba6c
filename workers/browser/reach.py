"""Getting back to a state: the reset ladder.

From the cheapest rung to the dearest: nothing, the field's earlier value, Escape, close or cancel,
the same toggle or the tab that was selected before, history back, on from a known ancestor, a fresh
load with a replay, a fresh context with a replay. After each rung the state is compared by its
hash. The rung that worked after a control is tried first the next time.
"""

from collections.abc import Awaitable, Callable

from contract.vocabulary import Outcome
from workers.browser.atlas import Arrived, Hop
from workers.browser.classify import Verdict
from workers.browser.fill import use
from workers.browser.page_port import Control, Effect, PagePort
from workers.browser.policy import Rules

_TRIES = 2
"""A state that was not reached this often is not worth a fresh context any more."""

_VAIN = 3
"""Where pressing again did not fold what it unfolded this often in a row, it is not tried again."""

Rung = Callable[[], Awaitable[bool]]


class Reach:
    """Where the page is, and how to get it to where the walk wants it.

    `rungs_used` counts the rungs that led home, by name, for the metrics. `closable` names the
    dialogs that Escape or a control of theirs closed; `wavered` are presses, by state and key, that
    did not lead again to where they had led.
    """

    def __init__(self, port: PagePort, rules: Rules, states: dict[str, Arrived]) -> None:
        self.port = port
        self.rules = rules
        self.states = states
        self.rungs_used: dict[str, int] = {}
        self.closable: set[str] = set()
        self.wavered: dict[tuple[str, str], None] = {}
        self._met: set[str] = set()
        self._restless: set[str] = set()
        self._failed: dict[str, int] = {}
        self._last: tuple[Control, Verdict, Effect] | None = None
        self._tab_before: Control | None = None
        self._tab_of: dict[str, Control] = {}
        self._toggled_in_vain = 0
        self._worked: dict[str, str] = {}

    @property
    def here(self) -> str:
        return self.port.sight.name

    def pressed(self, control: Control, verdict: Verdict, effect: Effect) -> None:
        """Remember what was done last, so that it can be undone."""
        self._last = (control, verdict, effect)
        if self._tab_before is not None:
            self._tab_of.setdefault(self.here, self._tab_before)

    def selected(self, tab: Control | None) -> None:
        """Remember the tab that was selected before another one was pressed."""
        self._tab_before = tab

    async def to(self, target: Arrived) -> bool:
        """Get to a state. False when even a fresh context does not lead there."""
        if self.here == target.state:
            return True
        given_up = self._failed.get(target.state, 0) >= _TRIES
        for name, rung in self._ladder(target):
            if given_up and name == "context":
                break
            if await rung():
                self.rungs_used[name] = self.rungs_used.get(name, 0) + 1
                if self._last is not None and name not in {"ancestor", "context"}:
                    self._worked[self._last[0].key] = name
                self._last = None
                return True
        self._failed[target.state] = self._failed.get(target.state, 0) + 1
        return False

    def first_time(self, trouble: str) -> bool:
        """Whether a trouble is met for the first time."""
        first = trouble not in self._met
        self._met.add(trouble)
        return first

    async def anew(self, target: Arrived, *, fresh_context: bool = False) -> bool:
        """Load the route anew and replay the way to a state; true when every hop could be made."""
        if fresh_context:
            await self.port.renew()
        effect = await self.port.open()
        if effect.after is None:
            return False
        return await self._replay(target.hops, target)

    async def _load(self, target: Arrived) -> bool:
        """A fresh load counts only if the state is the same: what the page keeps in its storage may
        have changed it. A state that differs in a fresh context too is restless by itself.
        """
        there = await self.anew(target)
        return there and (self.here == target.state or target.state in self._restless)

    async def _context(self, target: Arrived) -> bool:
        there = await self.anew(target, fresh_context=True)
        if there and self.here != target.state:
            self._restless.add(target.state)
        return there

    async def _unfill(self, target: Arrived) -> bool:
        await self.port.unfill()
        return self.here == target.state

    def _ladder(self, target: Arrived) -> list[tuple[str, Rung]]:
        rungs: list[tuple[str, Rung]] = [
            ("unfill", lambda: self._unfill(target)),
            ("escape", lambda: self._escape(target)),
            ("close", lambda: self._close(target)),
            ("toggle", lambda: self._toggle(target)),
            ("previous_tab", lambda: self._previous_tab(target)),
            ("back", lambda: self._back(target)),
            ("ancestor", lambda: self._onward(target)),
            ("load", lambda: self._load(target)),
            ("context", lambda: self._context(target)),
        ]
        first = self._worked.get(self._last[0].key) if self._last else None
        return sorted(rungs, key=lambda rung: rung[0] != first) if first else rungs

    async def _settle_for(self, target: Arrived) -> bool:
        """Whether the page is in the state, or in one on the way to it that leads on."""
        return self.here == target.state or await self._onward(target)

    async def _escape(self, target: Arrived) -> bool:
        sight = self.port.sight
        if not (sight.dialogs or sight.menus or sight.expanded):
            return False
        layers = len(sight.dialogs) + sight.menus + bool(sight.expanded)
        for _ in range(min(layers, 4)):
            before, open_before = self.here, self._dialogs()
            await self.port.escape()
            self.closable |= open_before - self._dialogs()
            if await self._settle_for(target):
                return True
            if self.here == before:
                return False
        return False

    def _dialogs(self) -> set[str]:
        return {dialog.name for dialog in self.port.sight.dialogs}

    async def _close(self, target: Arrived) -> bool:
        if not self.port.sight.dialogs:
            return False
        for _ in range(3):
            controls = await self.port.controls()
            closer = self._closer([c for c in controls if c.dialog])
            if closer is None or self.rules.forbids(closer):
                return False
            open_before = self._dialogs()
            await self.port.press(closer)
            self.closable |= open_before - self._dialogs()
            if await self._settle_for(target):
                return True
            if not self.port.sight.dialogs:
                return False
        return False

    def _closer(self, inside: list[Control]) -> Control | None:
        """What closes a dialog; what says OK only where there is nothing else to say."""
        if closer := next((c for c in inside if self.rules.closes(c)), None):
            return closer
        buttons = [c for c in inside if c.role == "button"]
        alone = len(buttons) == 1 and self.rules.acknowledges(buttons[0])
        return buttons[0] if alone else None

    async def _toggle(self, target: Arrived) -> bool:
        """Use what led here once more: what unfolds mostly folds. Given up where it never does."""
        opener = self._opener(target)
        if opener is None or self._toggled_in_vain >= _VAIN:
            return False
        effect = await self.port.press(opener)
        there = not effect.missing and await self._settle_for(target)
        self._toggled_in_vain = 0 if there else self._toggled_in_vain + 1
        return there

    def _opener(self, target: Arrived) -> Control | None:
        """The control that leads from the target to the page as it is, within one document."""
        state = self.states.get(self.here)
        if state is not None and state.hops and state.hops[:-1] == target.hops:
            hop = state.hops[-1]
            same = state.template == target.template and hop.value is None and not hop.fills
            return Control(key=hop.key, label=hop.label) if same else None
        if self._last is None:
            return None
        control, verdict, effect = self._last
        after = effect.after
        if after is None or after.document != effect.before.document:
            return None
        turned = verdict.outcome is Outcome.TOGGLED or (
            after.flags is not None and (after.flags.expanded != effect.flags.expanded)
        )
        return control if turned else None

    async def _previous_tab(self, target: Arrived) -> bool:
        tab = self._tab_of.get(self.here)
        if tab is None:
            return False
        effect = await self.port.press(tab)
        return not effect.missing and await self._settle_for(target)

    async def _back(self, target: Arrived) -> bool:
        if self._last is None or self._last[2].after is None:
            return False
        _, _, effect = self._last
        if effect.after is None or effect.after.url == effect.before.url:
            return False
        await self.port.back()
        return await self._settle_for(target)

    async def _onward(self, target: Arrived) -> bool:
        """Go on from the page as it is, if that is a state on the way to the target."""
        here = self.here
        root = next(iter(self.states), None)
        way = [root, *(hop.leads for hop in target.hops)]
        if here not in way[:-1]:
            return here == target.state
        at = len(way) - 1 - way[::-1].index(here)
        return await self._replay(target.hops[at:], target, strict=True)

    async def _replay(
        self, hops: tuple[Hop, ...], target: Arrived, *, strict: bool = False
    ) -> bool:
        """Press through the hops; `strict` gives up as soon as a hash differs."""
        for hop in hops:
            if self.here == target.state:
                return True  # what led there the first time was only waiting
            at = self.here
            if not await self._hop(hop):
                return False
            if self.here != hop.leads and hop.value is None and at in self.states:
                self.wavered[at, hop.key] = None
            if strict and self.here != hop.leads:
                return False
        return self.here == target.state or (not strict and bool(self.port.sight.document))

    async def _hop(self, hop: Hop) -> bool:
        for key, value in hop.fills:
            await self.port.fill(Control(key=key, label=""), value)
        control = Control(key=hop.key, label=hop.label)
        if hop.says_yes:
            self.port.say_yes()
        effect = await use(self.port, control, hop.value)
        return not effect.missing and effect.after is not None
