"""What changed since an earlier run: bugs that are new, fixed, still there, or gone.

Pure. A bug is the same if signature and route are; where a report has no signatures, kind and words
decide. *Fixed* is said only where the same control was used again and the bug did not show; a route
or a control that is not tested any more makes a bug *gone*, since nobody knows. Leaves out reading
either run.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from contract.action_tree import Bug, RouteReport, walk
from contract.vocabulary import ActionResult, NodeState, RouteStatus
from coordinator.reporting.distinct import RANK, FoundBug

_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class Change:
    """A bug on a route."""

    route: str
    bug: Bug


@dataclass(frozen=True)
class Comparison:
    """`earlier` names the run that this one is compared with; each list has the worst first."""

    earlier: str
    new: tuple[Change, ...] = ()
    fixed: tuple[Change, ...] = ()
    still: tuple[Change, ...] = ()
    gone: tuple[Change, ...] = ()


Reading = Callable[[str], RouteReport | None]
"""The report of a route of this run, or None where it was not tested."""


def compare(
    earlier: str, before: Iterable[FoundBug], now: Iterable[FoundBug], report_of: Reading
) -> Comparison:
    """Every bug of either run, in one of the four lists."""
    before, now = list(before), list(now)
    known, seen = _Known(before), _Known(now)
    still = [found for found in now if known.has(found)]
    new = [found for found in now if not known.has(found)]
    away = [found for found in before if not seen.has(found)]
    reports = {found.route: report_of(found.route) for found in away}
    fixed = [found for found in away if _used_again(found.bug, reports[found.route])]
    gone = [found for found in away if not _used_again(found.bug, reports[found.route])]
    lists = (_changes(found) for found in (new, fixed, still, gone))
    return Comparison(earlier, *lists)


class _Known:
    """The bugs of one run, by what they are known by on their route."""

    def __init__(self, bugs: Iterable[FoundBug]) -> None:
        bugs = list(bugs)
        self._signatures = {(found.route, found.bug.signature) for found in bugs}
        self._words = {(found.route, _words(found.bug)) for found in bugs}
        self._unsigned = {
            (found.route, _words(found.bug)) for found in bugs if not found.bug.signature
        }

    def has(self, found: FoundBug) -> bool:
        """By signature where both have one, else by words."""
        route, bug = found.route, found.bug
        if not bug.signature:
            return (route, _words(bug)) in self._words
        signed = (route, bug.signature) in self._signatures
        return signed or (route, _words(bug)) in self._unsigned


def _words(bug: Bug) -> str:
    """Kind, place and description without their numbers."""
    return _NUMBERS.sub("#", f"{bug.kind}\n{bug.location}\n{bug.description}")


def _used_again(bug: Bug, report: RouteReport | None) -> bool:
    if report is None or report.status is RouteStatus.FAIL:
        return False
    steps = [step for step in bug.path if step.action != "open"]
    if not steps:
        return True
    last = steps[-1]
    return any(
        node.action_result is not ActionResult.SKIPPED
        and node.state is NodeState.ENABLED
        and (node.key == last.key if last.key else node.label == last.label)
        for node in walk(report.action_tree)
    )


def _changes(found: Iterable[FoundBug]) -> tuple[Change, ...]:
    ranked = sorted(found, key=lambda one: (RANK[one.bug.severity], one.route))
    return tuple(Change(one.route, one.bug) for one in ranked)
