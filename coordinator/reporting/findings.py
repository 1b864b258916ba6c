"""What a run found, gathered from the state and the reports on disk.

Of a large map only reports with bugs are read, so that one of any size is gathered quickly.
Invariant: counts are the sums over the reports; what cannot be read is a note, never a crash.
Leaves out the trees (`maze_map`) and how it looks.
"""

import os
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from contract.action_tree import Bug
from contract.vocabulary import RouteStatus, RunStatus, Severity, Verdict
from coordinator.records import reports
from coordinator.records.reports import SCREENSHOTS
from coordinator.records.state import Completed, Failed, Operations, State
from coordinator.reporting.distinct import RANK, DistinctBug, FoundBug, distinct

READ_ALL = 2_000
"""Up to so many routes every report is read; beyond, those that the state says have bugs."""


@dataclass(frozen=True)
class RouteRow:
    """One tested route. `severities` count the bugs of its report that were not refuted."""

    route: str
    slug: str
    report_file: str
    status: RouteStatus
    severities: dict[Severity, int]
    operations: Operations
    tested_at: datetime
    summary: str

    @property
    def bugs(self) -> int:
        return sum(self.severities.values())

    @property
    def worst(self) -> Severity | None:
        return next((severity for severity in Severity if self.severities[severity]), None)

    @property
    def tried(self) -> int:
        return self.operations.total


@dataclass(frozen=True)
class Findings:
    """Bugs worst first, routes with bugs first; else in the order of the state.

    `bugs` are the sightings, one for each route that shows one; `distinct` are the bugs.
    """

    project: str
    base_url: str
    status: RunStatus
    blocked_reason: str | None
    counters: dict[str, int]
    routes: tuple[RouteRow, ...]
    bugs: tuple[FoundBug, ...]
    distinct: tuple[DistinctBug, ...]
    refuted: int
    failed: tuple[Failed, ...]
    discovered: tuple[str, ...]
    policy: str
    updated: datetime
    notes: tuple[str, ...]

    @property
    def severities(self) -> dict[Severity, int]:
        """How many bugs there are of each severity."""
        counts = Counter(found.severity for found in self.distinct)
        return {severity: counts[severity] for severity in Severity}

    @property
    def sightings(self) -> dict[Severity, int]:
        """The sums over the reports: a bug on five routes counts five times."""
        counts = Counter(found.bug.severity for found in self.bugs)
        return {severity: counts[severity] for severity in Severity}

    @property
    def dates(self) -> tuple[datetime, datetime] | None:
        """When the first and the last route were tested."""
        times = [row.tested_at for row in self.routes]
        return (min(times), max(times)) if times else None

    @property
    def clean(self) -> bool:
        """Nothing is left to be looked at."""
        return not self.bugs and not self.failed


def gather(state: State, folder: Path) -> Findings:
    """Everything that terminal and pages say of the run as a whole."""
    rows: list[RouteRow] = []
    found: list[FoundBug] = []
    notes: list[str] = []
    refuted = 0
    thorough = len(state.completed) <= READ_ALL
    for entry in state.entries():
        here, dropped, note = _bugs_of(entry, folder, thorough=thorough)
        found += here
        refuted += dropped
        notes += note
        rows.append(_row(entry, here))
    notes += _unreadable(state, folder)
    return Findings(
        project=state.project,
        base_url=state.base_url,
        status=state.status,
        blocked_reason=state.blocked_reason,
        counters=state.counters(),
        routes=tuple(sorted(rows, key=_worst_first)),
        bugs=tuple(sorted(found, key=lambda item: RANK[item.bug.severity])),
        distinct=distinct(found),
        refuted=refuted,
        failed=tuple(state.failed.values()),
        discovered=state.ours.discovered,
        policy=state.ours.policy,
        updated=state.last_updated,
        notes=tuple(notes),
    )


def slug_of(entry: Completed) -> str:
    """The slug that a completed route was given."""
    return entry.report_file.rpartition("/")[2].removesuffix(".json")


def pictures(folder: Path, slug: str) -> frozenset[str]:
    """The screenshots of a route that are on disk."""
    try:
        with os.scandir(folder / SCREENSHOTS / slug) as listing:
            return frozenset(entry.name for entry in listing if entry.is_file())
    except OSError:
        return frozenset()


def _bugs_of(
    entry: Completed, folder: Path, *, thorough: bool
) -> tuple[list[FoundBug], int, list[str]]:
    """The bugs of a route, how many were refuted, and what is wrong with its files."""
    if not entry.bugs_count and not thorough:
        return [], 0, []
    report = reports.read(folder, entry.report_file)
    if report is None:
        lost = f"; its {entry.bugs_count} bugs are not shown" if entry.bugs_count else ""
        return [], 0, [f"The report of {entry.route} is missing or damaged{lost}."]
    slug = slug_of(entry)
    kept = [bug for bug in report.bugs if bug.verdict is not Verdict.REFUTED]
    there = pictures(folder, slug) if kept else frozenset()
    notes = [
        f"The screenshot {bug.screenshot} of {bug.id} on {entry.route} is missing."
        for bug in kept
        if bug.screenshot and bug.screenshot not in there
    ]
    found = [FoundBug(entry.route, slug, bug, _pictured(bug, there)) for bug in kept]
    return found, len(report.bugs) - len(kept) + len(report.refuted), notes


def _unreadable(state: State, folder: Path) -> list[str]:
    """Pending routes that have a report all the same: the state took them back for it."""
    try:
        there = {entry.name for entry in os.scandir(folder / reports.REPORTS)}
    except OSError:
        return []
    return [
        f"The report of {route} cannot be read; the route counts as pending."
        for route in state.pending
        if f"{state.slugs.get(route)}.json" in there
    ]


def _pictured(bug: Bug, there: frozenset[str]) -> bool:
    return bool(bug.screenshot) and bug.screenshot in there


def _row(entry: Completed, found: list[FoundBug]) -> RouteRow:
    counts = Counter(item.bug.severity for item in found)
    return RouteRow(
        route=entry.route,
        slug=slug_of(entry),
        report_file=entry.report_file,
        status=entry.status,
        severities={severity: counts[severity] for severity in Severity},
        operations=entry.operations_count,
        tested_at=entry.tested_at,
        summary=entry.summary,
    )


def _worst_first(row: RouteRow) -> tuple[int, int]:
    return (RANK[row.worst] if row.worst else len(RANK), -row.bugs)
