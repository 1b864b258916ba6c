"""The maze map's data: a route's tree as compact JSON, from which the page builds what is opened.

Pure. Keys are one letter long and left out while they say nothing, since a run may have 50,000
nodes. A picture is named only where it differs from the one above. Leaves out the page.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from contract.action_tree import Bug, Node, RouteReport, walk
from contract.vocabulary import ActionResult, Severity
from coordinator.reporting import words
from coordinator.reporting.tree import ROUTE, Placed, placed
from coordinator.reporting.words import plain

PAGE_LOAD = "01-page-load.png"
_SHORT, _LONG = 120, 300

Json = dict[str, Any]
Ids = Mapping[tuple[str, str], str]
"""The id on the whole page of a route's bug, by route and its own id."""


def tree(report: RouteReport, there: Collection[str], ids: Ids) -> Json:
    """A route: `t` title, `s` the picture of its load, `b` bugs of its load, `a` areas with nodes.

    `there` are the pictures on disk; what is not among them is not shown.
    """
    drawing = _Drawing(report.route, there, placed(report), ids)
    areas = report.action_tree.areas().items()
    found: Json = {
        "t": plain(report.page_info.title, _SHORT),
        "s": PAGE_LOAD if PAGE_LOAD in there else "",
        "b": drawing.bugs(ROUTE),
        "a": [
            [words.AREAS[area], [drawing.node(node, PAGE_LOAD) for node in nodes]]
            for area, nodes in areas
            if nodes
        ],
    }
    return {key: value for key, value in found.items() if value}


def outcomes(report: RouteReport) -> Counter[ActionResult]:
    """How often each thing happened on a route."""
    return Counter(node.action_result for node in walk(report.action_tree))


class _Drawing:
    """Draws the nodes of one route."""

    def __init__(self, route: str, there: Collection[str], bugs: Placed, ids: Ids) -> None:
        self._route = route
        self._there = there
        self._bugs = bugs
        self._ids = ids

    def node(self, node: Node, above: str) -> Json:
        """`l` label, `k` type, `r` result, `o` outcome, `n` note, `s` picture, `b` bugs,
        `f` failed, `c` children."""
        shot = node.screenshot if node.screenshot in self._there else ""
        found: Json = {
            "l": plain(node.label, _SHORT),
            "k": node.type.value.replace("_", " "),
            "r": node.action_result.value,
            "o": words.outcome(node.outcome) if node.outcome else "",
            "n": plain(node.error or node.note or "", _LONG),
            "s": shot if shot != above else "",
            "f": int(words.failed(node)),
            "b": self.bugs(id(node)),
            "c": [self.node(child, shot or above) for child in node.children],
        }
        return {key: value for key, value in found.items() if value}

    def bugs(self, place: int) -> list[list[str]]:
        """Id, severity and title of each bug at a place."""
        return [
            [self._ids.get((self._route, bug.id), ""), bug.severity.value, words.title(bug)]
            for bug in sorted(self._bugs.get(place, []), key=_rank)
        ]


def _rank(bug: Bug) -> int:
    return list(Severity).index(bug.severity)
