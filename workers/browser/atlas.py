"""The ledger of one route: states seen, controls tried, suspicions raised.

Pure. It is the fold of its entries, and the entries are the checkpoints of the job: another worker
that folds the same list goes on exactly where the first one stopped. States are tried depth first:
the state seen last that still has untried controls is always the next one, so the order of entries
alone fixes the order of the walk.

Left out: how a state is reached (`reach.py`) and what a press does (`page.py`).
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from contract.action_tree import Step
from contract.vocabulary import ActionResult, BugKind, NodeState, NodeType, Outcome, Severity
from workers.browser.page_port import Control, Health


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of an entry."""


class Hop(Part, frozen=True, kw_only=True):
    """One step of a replay: the fills and the press that lead from one state to the next.

    `says_yes`: native dialogs are accepted on the way.
    """

    key: str
    label: str
    leads: str
    fills: tuple[tuple[str, str], ...] = ()
    value: str | None = None
    says_yes: bool = False


class Draft(Part, frozen=True, kw_only=True):
    """A node before it has children and a screenshot's name."""

    key: str
    label: str
    type: NodeType
    state: NodeState
    action_result: ActionResult
    locator: str
    path: tuple[Step, ...]
    duration_ms: int = 0
    note: str | None = None
    outcome: Outcome | None = None
    error: str | None = None
    leads_to: str | None = None
    same_as: str | None = None


class Suspicion(Part, frozen=True, kw_only=True):
    """A bug as a detector reports it. Two with the same `signature` are the same bug."""

    kind: BugKind
    severity: Severity
    signature: str
    description: str
    expected: str
    actual: str
    evidence: tuple[str, ...] = ()


class Suspect(Part, frozen=True, kw_only=True):
    """A suspicion with its place: how to get there, and the picture of the moment."""

    suspicion: Suspicion
    location: str
    path: tuple[Step, ...]
    state: str
    key: str
    shot: str


class Arrived(Part, frozen=True, kw_only=True, tag_field="entry", tag="arrived"):
    """A state seen for the first time, with the controls that are new in it, in the order of
    trying.

    `hops` lead to it from the route's first state, whose `hops` are empty.
    """

    state: str
    url: str
    title: str
    template: str
    depth: int
    hops: tuple[Hop, ...]
    path: tuple[Step, ...]
    controls: tuple[Control, ...]
    shot: str
    left_out: int = 0
    health: Health = Health()
    dialogs: tuple[str, ...] = ()
    suspects: tuple[Suspect, ...] = ()


class Tried(Part, frozen=True, kw_only=True, tag_field="entry", tag="tried"):
    """A control that was dealt with in a state: used, skipped or found disabled."""

    state: str
    control: str
    draft: Draft
    shot: str | None = None
    suspects: tuple[Suspect, ...] = ()
    found_routes: tuple[str, ...] = ()
    pressed: bool = True


class Rewalked(Part, frozen=True, kw_only=True, tag_field="entry", tag="rewalked"):
    """Whether a suspicion showed again in a fresh context."""

    signature: str
    seen: bool


class Doubted(Part, frozen=True, kw_only=True, tag_field="entry", tag="doubted"):
    """What was tried out after the walk: the bugs that doubts turned out to be, or that all of one
    sort were seen to.
    """

    doubt: str = ""
    suspects: tuple[Suspect, ...] = ()


class Denied(Part, frozen=True, kw_only=True, tag_field="entry", tag="denied"):
    """A control that ended the session when it was used: it is not used again in this run."""

    control: str


Entry = Arrived | Tried | Rewalked | Doubted | Denied
ENTRY: Any = Entry
"""The union as a value, for decoding."""

_ORDER = {"tab": 0, "dropdown": 1, "field": 2, "opener": 3, "toggle": 4, "link": 5, "submit": 6}


class Atlas:
    """What is known of a route so far."""

    def __init__(self) -> None:
        self.states: dict[str, Arrived] = {}
        self.tried: dict[str, list[Tried]] = {}
        self.suspects: dict[str, Suspect] = {}
        self.rewalked: dict[str, bool] = {}
        self.doubted: set[str] = set()
        self.denied: dict[str, None] = {}
        self.found_routes: dict[str, None] = {}
        self.actions = 0
        self._queued: set[str] = set()
        self._left_for: set[str] = set()
        self._dealt: set[tuple[str, str]] = set()
        self._open: list[str] = []
        self._position: dict[str, int] = {}

    @classmethod
    def fold(cls, entries: Iterable[Entry]) -> "Atlas":
        atlas = cls()
        for entry in entries:
            atlas.apply(entry)
        return atlas

    def apply(self, entry: Entry) -> None:
        """Add an entry. One that is there already changes nothing."""
        match entry:
            case Arrived():
                self._arrive(entry)
            case Tried():
                self._try(entry)
            case Rewalked():
                self.rewalked.setdefault(entry.signature, entry.seen)
            case Doubted():
                self.doubted.add(entry.doubt)
                self._suspect(entry.suspects)
            case Denied():
                self.denied[entry.control] = None

    def _arrive(self, entry: Arrived) -> None:
        if entry.state in self.states:
            return
        self.states[entry.state] = entry
        self.tried[entry.state] = []
        self._position[entry.state] = 0
        self._open.append(entry.state)
        self._queued.update(ticket(control, entry.state) for control in entry.controls)
        self._suspect(entry.suspects)

    def _try(self, entry: Tried) -> None:
        done = self.tried[entry.state]
        if (entry.state, entry.control) in self._dealt:
            return
        self._dealt.add((entry.state, entry.control))
        done.append(entry)
        self._position[entry.state] = len(done)
        self.actions += entry.pressed
        if entry.draft.leads_to is not None:
            self._left_for.add(entry.draft.leads_to)
        self._suspect(entry.suspects)
        self.found_routes.update(dict.fromkeys(entry.found_routes))

    def _suspect(self, suspects: Iterable[Suspect]) -> None:
        for suspect in suspects:
            self.suspects.setdefault(suspect.suspicion.signature, suspect)

    @property
    def root(self) -> Arrived | None:
        return next(iter(self.states.values()), None)

    def control(self, key: str) -> Control | None:
        """A control by its key, wherever it was seen first."""
        everywhere = (c for state in self.states.values() for c in state.controls)
        return next((control for control in everywhere if control.key == key), None)

    def next(self) -> tuple[Arrived, Control] | None:
        """The control to use next, and the state that it stands in."""
        while self._open:
            state = self.states[self._open[-1]]
            position = self._position[state.state]
            if position < len(state.controls):
                return state, state.controls[position]
            self._open.pop()
        return None

    def untried(self) -> list[tuple[Arrived, Control]]:
        """What is left when a budget ends, in the order of the walk."""
        return [
            (self.states[name], control)
            for name in reversed(self._open)
            for control in self.states[name].controls[self._position[name] :]
        ]

    def knows(self, state: str) -> bool:
        """Whether a state was seen, on this route or at the end of a link that leads out of it."""
        return state in self.states or state in self._left_for

    def states_like(self, template: str) -> int:
        return sum(state.template == template for state in self.states.values())

    def fresh(self, controls: Iterable[Control], state: str) -> tuple[Control, ...]:
        """The controls that no state has queued yet, in the order of trying."""
        new = [control for control in controls if ticket(control, state) not in self._queued]
        return tuple(sorted(new, key=rank))


def ticket(control: Control, state: str) -> str:
    """What counts as one control on a route.

    Most controls are tried once, wherever they show. A button of a form or dialog is tried again
    when the controls around it have changed, and one that goes on when anything around it has: the
    `Next` of step two is not that of step one.
    """
    if control.trial is not None:
        return control.key
    if control.role == "button" and (control.dialog or control.in_form) and not control.row:
        return f"{control.key}@{control.scope if control.goes_on else control.shape}"
    return control.key


def sort_of(control: Control) -> str:
    """A coarse sort, for the order of trying."""
    if control.role == "tab" or control.tabs:
        return "tab"
    if control.field is not None:
        return "field"
    if control.role in {"checkbox", "radio", "switch"} or control.checked is not None:
        return "toggle"
    if control.popup not in {"", "false", "dialog"} or control.expanded is not None:
        return "dropdown"
    if control.submits:
        return "submit"
    return "link" if control.href else "opener"


def rank(control: Control) -> tuple[bool, int]:
    """Tabs, dropdowns, fields, openers, toggles, links, submitters; what is disabled comes last.

    Sorting by it is stable, so that document order decides within a sort.
    """
    return control.disabled, _ORDER[sort_of(control)]
