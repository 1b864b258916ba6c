"""Which control of a route's tree shows which bug.

Pure, for the maze map and the CI server alike. A bug names the controls on its way by key; its node
is the one with the last key that was tried on the same way. What shows while the page loads belongs
to the route itself.
"""

from collections import defaultdict
from collections.abc import Iterable

from contract.action_tree import Bug, Node, RouteReport, Step, walk
from contract.vocabulary import Verdict

Placed = dict[int, list[Bug]]
"""Bugs by `id()` of their node; `ROUTE` holds those of no control."""

ROUTE = 0


def placed(report: RouteReport) -> Placed:
    """Every bug that counts, at its node or at the route."""
    by_name: dict[str, list[Node]] = defaultdict(list)
    for node in walk(report.action_tree):
        for name in {node.key, node.locator, f"label {node.label}"}:
            by_name[name].append(node)
    found: Placed = defaultdict(list)
    for bug in report.bugs:
        if bug.verdict is not Verdict.REFUTED:
            found[_place(bug, by_name)].append(bug)
    return found


def _place(bug: Bug, by_name: dict[str, list[Node]]) -> int:
    steps = [step for step in bug.path if step.action != "open"]
    if not steps:
        return ROUTE
    last = steps[-1]
    names = [last.key, last.locator, f"label {last.label}"]
    nodes = next((by_name[name] for name in names if name and name in by_name), [])
    if not nodes:
        return ROUTE
    way = _labels(steps[:-1])
    return id(max(nodes, key=lambda node: _alike(_labels(node.path), way)))


def _labels(steps: Iterable[Step]) -> list[str]:
    """A way without its fields, which are filled in only where a button needs them."""
    return [step.key or step.label for step in steps if step.action == "press"]


def _alike(one: list[str], other: list[str]) -> int:
    """How many steps two ways have in common at their beginning, less what they differ by."""
    same = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        same += 1
    return 2 * same - len(one) - len(other)
