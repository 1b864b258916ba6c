"""What a browser worker found on one route: page info, nodes, bugs.

A `RouteReport` is written as it is to `monkey-test-reports/{slug}.json`, so the order of fields
here is the order of keys there. Fields without a default are always written; those with one are
left out while they hold it.
"""

from datetime import datetime

import msgspec

from contract.vocabulary import (
    ActionResult,
    Area,
    BugKind,
    BugSource,
    NodeState,
    NodeType,
    Outcome,
    RouteStatus,
    Severity,
    Verdict,
)


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a report. Immutable; unknown fields are ignored by readers."""


class Step(Part, frozen=True, kw_only=True):
    """One thing a person does on the way to a place. `action`: open, press, fill, hover.

    `key` is the control's name across runs, as in a node. `accepts`: the native dialogs of this
    step are said yes to; else they are dismissed.
    """

    action: str
    label: str
    locator: str = ""
    value: str = ""
    key: str = ""
    accepts: bool = False


class Node(Part, frozen=True, kw_only=True):
    """One control and what using it did.

    `key` names the control across runs, `in_state` the state it was tried in; `leads_to` is the new
    state it opened, `same_as` a state that was known already. States are 16 hex digits.
    """

    label: str
    type: NodeType
    state: NodeState
    action_result: ActionResult
    screenshot: str
    note: str | None = None
    children: tuple["Node", ...]
    outcome: Outcome | None = None
    error: str | None = None
    locator: str
    path: tuple[Step, ...]
    duration_ms: int
    key: str
    in_state: str
    leads_to: str | None = None
    same_as: str | None = None


class Bug(Part, frozen=True, kw_only=True):
    """A place where the app is wrong. `screenshot` is a file name in the route's folder.

    `signature` is the same for the same bug on any route and in any run. `confirmed` is the
    tester's own second look until the review; then it says whether the bug showed in all of the
    review's `runs` fresh runs, of which `seen` showed it.
    """

    id: str
    severity: Severity
    kind: BugKind
    description: str
    location: str
    expected: str
    actual: str
    screenshot: str
    path: tuple[Step, ...]
    confirmed: bool | None
    source: BugSource
    evidence: tuple[str, ...] = ()
    signature: str = ""
    verdict: Verdict | None = None
    seen: int = 0
    runs: int = 0


class PageInfo(Part, frozen=True, kw_only=True):
    title: str
    has_table: bool
    row_count: int
    column_headers: tuple[str, ...]
    tabs: tuple[str, ...]
    console_errors: tuple[str, ...]


class ActionTree(Part, frozen=True, kw_only=True, omit_defaults=False):
    """Nodes by area; the field names are the values of `Area`."""

    toolbar: tuple[Node, ...] = ()
    row_actions: tuple[Node, ...] = ()
    detail_header_actions: tuple[Node, ...] = ()
    detail_tabs: tuple[Node, ...] = ()
    other: tuple[Node, ...] = ()

    def areas(self) -> dict[Area, tuple[Node, ...]]:
        return {area: getattr(self, area.value) for area in Area}


class RouteReport(Part, frozen=True, kw_only=True):
    """`refuted` are bugs that the review did not see in any run; they count nowhere."""

    route: str
    tested_at: datetime
    status: RouteStatus
    page_info: PageInfo
    action_tree: ActionTree
    bugs: tuple[Bug, ...]
    console_errors: tuple[str, ...]
    summary: str
    reviewed_at: datetime | None = None
    refuted: tuple[Bug, ...] = ()


def walk(tree: ActionTree) -> list[Node]:
    """Every node, parents before children, areas in file order."""
    found: list[Node] = []
    stack = [node for nodes in reversed(tree.areas().values()) for node in reversed(nodes)]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(reversed(node.children))
    return found
