"""What a review follows up: the paths of the bugs in a report, and those that its nodes imply.

A bug of the tester is a lead; so is a control that failed or did nothing although no bug says so.
Bugs that share a path share the replays. Pure.
"""

from collections.abc import Iterable

import msgspec

from contract.action_tree import Bug, Node, RouteReport, Step
from contract.vocabulary import ActionResult, BugKind, NodeState, NodeType, Outcome
from workers.browser.atlas import Suspicion

MOST_IMPLIED = 40
"""Nodes that look wrong without a bug are few; many of them are one trouble of the whole page."""

_FIELDS = frozenset({NodeType.FIELD, NodeType.FILTER})
_EXPLAINED = frozenset({Outcome.REPLAY_DIVERGED, Outcome.OBSCURED, Outcome.AUTH_LOST})


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a review."""


class Lead(Part, frozen=True, kw_only=True):
    """A path to follow. `bugs`: ids and signatures of what should show at its end.

    Without bugs it is implied by a node, and followed on only if something shows.
    """

    name: str
    where: str
    path: tuple[Step, ...]
    bugs: tuple[tuple[str, str], ...] = ()
    kinds: frozenset[BugKind] = frozenset()


class Sighting(Part, frozen=True, kw_only=True):
    """A bug that the tester did not file, with how often it showed and its picture."""

    suspicion: Suspicion
    where: str
    path: tuple[Step, ...]
    shot: str
    seen: int = 1


class Followed(Part, frozen=True, kw_only=True):
    """What came of a lead: in `runs` replays each signature showed so often. A checkpoint."""

    lead: str
    runs: int
    seen: dict[str, int]
    found: tuple[Sighting, ...] = ()


def leads(report: RouteReport) -> tuple[Lead, ...]:
    """The leads of a report, worst bugs first."""
    return _filed(report.bugs) + _implied(report)[:MOST_IMPLIED]


def known(report: RouteReport) -> frozenset[str]:
    """The signatures that the report has already."""
    return frozenset(bug.signature for bug in (*report.bugs, *report.refuted))


def _filed(bugs: Iterable[Bug]) -> tuple[Lead, ...]:
    by_path: dict[str, Lead] = {}
    for bug in bugs:
        name = name_of(bug.path)
        lead = by_path.get(name) or Lead(name=name, where=bug.location, path=bug.path)
        mine = (*lead.bugs, (bug.id, bug.signature))
        kinds = lead.kinds | {bug.kind}
        by_path[name] = msgspec.structs.replace(lead, bugs=mine, kinds=kinds)
    return tuple(by_path.values())


def _implied(report: RouteReport) -> tuple[Lead, ...]:
    told = {bug.path[-1].key for bug in (*report.bugs, *report.refuted) if bug.path}
    areas = report.action_tree.areas()
    found: dict[str, Lead] = {}
    for area, nodes in areas.items():
        for node in _below(nodes):
            if node.key in told or not _is_odd(node):
                continue
            path = _path_to(node)
            lead = Lead(name=name_of(path), where=f"{area.value}: {node.label}", path=path)
            found.setdefault(lead.name, lead)
    return tuple(found.values())


def _below(nodes: tuple[Node, ...]) -> list[Node]:
    return [inner for node in nodes for inner in (node, *_below(node.children))]


def _is_odd(node: Node) -> bool:
    """Whether what a node says should have been a bug; what a field was filled with is not told."""
    if node.state is NodeState.DISABLED or not node.key or node.type in _FIELDS:
        return False
    if node.action_result is ActionResult.ERROR:
        return node.outcome not in _EXPLAINED
    return node.action_result is ActionResult.NO_RESPONSE and node.outcome is None


def _path_to(node: Node) -> tuple[Step, ...]:
    last = Step(action="press", label=node.label, locator=node.locator, key=node.key)
    return (*node.path, last)


def name_of(path: Iterable[Step]) -> str:
    """A path as a name for itself."""
    return " > ".join(f"{step.action}:{step.key}={step.value}" for step in path)
