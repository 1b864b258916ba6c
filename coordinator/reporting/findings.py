"""What a run found, gathered from the state and the reports on disk.

Only reports with bugs are read, so that a map of any size is gathered quickly. Invariant: counts
are the sums over the routes. Leaves out how it looks.
"""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from contract.action_tree import Bug
from contract.vocabulary import RouteStatus, RunStatus, Severity
from coordinator.records import reports
from coordinator.records.state import Completed, Failed, State


@dataclass(frozen=True)
class FoundBug:
    """A bug and the route it is on; `slug` names the folder of its screenshot."""

    route: str
    slug: str
    bug: Bug


@dataclass(frozen=True)
class RouteRow:
    """One tested route."""

    route: str
    slug: str
    status: RouteStatus
    bugs: int
    worst: Severity | None
    tried: int
    summary: str


@dataclass(frozen=True)
class Findings:
    """Bugs worst first, routes with bugs first; else in the order of the state."""

    project: str
    base_url: str
    status: RunStatus
    blocked_reason: str | None
    counters: dict[str, int]
    severities: dict[Severity, int]
    routes: tuple[RouteRow, ...]
    bugs: tuple[FoundBug, ...]
    failed: tuple[Failed, ...]
    discovered: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """Nothing is left to be looked at."""
        return not self.bugs and not self.failed


_RANK = {severity: number for number, severity in enumerate(Severity)}


def gather(state: State, folder: Path) -> Findings:
    """Everything that the pages show."""
    rows: list[RouteRow] = []
    bugs: list[FoundBug] = []
    for entry in state.entries():
        found = _bugs_of(entry, folder)
        bugs += found
        rows.append(_row(entry, found))
    counts = Counter(found.bug.severity for found in bugs)
    return Findings(
        project=state.project,
        base_url=state.base_url,
        status=state.status,
        blocked_reason=state.blocked_reason,
        counters=state.counters(),
        severities={severity: counts[severity] for severity in Severity},
        routes=tuple(sorted(rows, key=_worst_first)),
        bugs=tuple(sorted(bugs, key=lambda found: _RANK[found.bug.severity])),
        failed=tuple(state.failed.values()),
        discovered=state.ours.discovered,
    )


def _slug(entry: Completed) -> str:
    return entry.report_file.rpartition("/")[2].removesuffix(".json")


def _bugs_of(entry: Completed, folder: Path) -> list[FoundBug]:
    if not entry.bugs_count:
        return []
    report = reports.read(folder, entry.report_file)
    return [FoundBug(entry.route, _slug(entry), bug) for bug in report.bugs] if report else []


def _row(entry: Completed, found: list[FoundBug]) -> RouteRow:
    worst = min((item.bug.severity for item in found), key=_RANK.__getitem__, default=None)
    return RouteRow(
        route=entry.route,
        slug=_slug(entry),
        status=entry.status,
        bugs=len(found),
        worst=worst,
        tried=entry.operations_count.total,
        summary=entry.summary,
    )


def _worst_first(row: RouteRow) -> tuple[int, int]:
    return (_RANK[row.worst] if row.worst else len(_RANK), -row.bugs)
