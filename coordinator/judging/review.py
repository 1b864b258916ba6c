"""From a tester's report and a review of it to the report that people read.

The review replays each bug in fresh contexts. One that showed each time is confirmed; one that
showed sometimes is flaky, and rated one step lower; one that never did is refuted and counts
nowhere, but stays on record. One that could not be looked at is kept as the tester filed it. Pure:
the same report and result give the same report, so that a review may be merged twice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import msgspec

from contract.action_tree import Bug, RouteReport, walk
from contract.results import RouteReviewed
from contract.vocabulary import BugSource, Outcome, RouteStatus, Severity, Verdict

MOST_FOUND = 200
MOST_RUNS = 20
_LOWER = {Severity.CRITICAL: Severity.MAJOR, Severity.MAJOR: Severity.MINOR}
_INITIAL = {Severity.CRITICAL: "C", Severity.MAJOR: "M", Severity.MINOR: "m"}
_RANK = {severity: rank for rank, severity in enumerate(Severity)}
_CONFIRMED = {Verdict.CONFIRMED: True, Verdict.FLAKY: False, Verdict.REFUTED: False}


@dataclass(frozen=True)
class Outcomes:
    """How many bugs of a route fared how; `found` are those that only the review saw."""

    confirmed: int = 0
    flaky: int = 0
    refuted: int = 0
    unchecked: int = 0
    found: int = 0

    def __str__(self) -> str:
        counts = {
            "confirmed": self.confirmed,
            "flaky": self.flaky,
            "refuted": self.refuted,
            "not looked at": self.unchecked,
            "found by the review": self.found,
        }
        return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def problem_with(report: RouteReport, result: RouteReviewed) -> str | None:
    """Why a worker's review must be refused, or None."""
    ids = [bug.id for bug in report.bugs]
    if sorted(replayed.id for replayed in result.replayed) != sorted(ids):
        return "it does not name each bug of the report once"
    counts = [(item.seen, item.runs) for item in result.replayed]
    counts += [(bug.seen, bug.runs) for bug in result.found]
    for seen, runs in counts:
        if not 0 <= seen <= runs <= MOST_RUNS:
            return f"a bug was seen in {seen} of {runs} runs"
    if len(result.found) > MOST_FOUND:
        return f"it found {len(result.found)} bugs; {MOST_FOUND} are allowed"
    return None


def verdict_of(seen: int, runs: int) -> Verdict:
    """What so many sightings in so many runs mean."""
    if not runs:
        return Verdict.UNCHECKED
    if seen == runs:
        return Verdict.CONFIRMED
    return Verdict.FLAKY if seen else Verdict.REFUTED


def reviewed(report: RouteReport, result: RouteReviewed, slug: str, now: datetime) -> RouteReport:
    """The report after its review, with new ids: they count from 1 per severity."""
    said = {replayed.id: replayed for replayed in result.replayed}
    judged = [_judged(bug, said[bug.id].seen, said[bug.id].runs) for bug in report.bugs]
    found = [msgspec.structs.replace(bug, source=BugSource.REVIEWER) for bug in result.found]
    judged += [_judged(bug, bug.seen, bug.runs) for bug in found]
    bugs = _numbered([bug for bug in judged if bug.verdict is not Verdict.REFUTED], slug)
    refuted = tuple(bug for bug in judged if bug.verdict is Verdict.REFUTED)
    return msgspec.structs.replace(
        report,
        bugs=bugs,
        refuted=refuted,
        reviewed_at=now,
        status=_status(report, bugs),
        summary=_summary(report.summary, outcomes(bugs, refuted)),
    )


def _judged(bug: Bug, seen: int, runs: int) -> Bug:
    verdict = verdict_of(seen, runs)
    flaky = verdict is Verdict.FLAKY
    return msgspec.structs.replace(
        bug,
        severity=_LOWER.get(bug.severity, bug.severity) if flaky else bug.severity,
        confirmed=_CONFIRMED.get(verdict),
        verdict=verdict,
        seen=seen,
        runs=runs,
    )


def _numbered(bugs: Iterable[Bug], slug: str) -> tuple[Bug, ...]:
    """Worst first; else in the order in which they were found."""
    counts: dict[Severity, int] = {}
    numbered = []
    for bug in sorted(bugs, key=lambda bug: _RANK[bug.severity]):
        counts[bug.severity] = counts.get(bug.severity, 0) + 1
        name = f"BUG-{slug}-{_INITIAL[bug.severity]}{counts[bug.severity]}"
        numbered.append(msgspec.structs.replace(bug, id=name))
    return tuple(numbered)


def _status(report: RouteReport, bugs: tuple[Bug, ...]) -> RouteStatus:
    if report.status is RouteStatus.FAIL:
        return report.status
    cut = any(node.outcome is Outcome.BUDGET for node in walk(report.action_tree))
    return RouteStatus.PARTIAL if bugs or cut else RouteStatus.PASS


def _summary(summary: str, counts: Outcomes) -> str:
    return f"{summary}; review: {counts}" if str(counts) else summary


def outcomes(bugs: Iterable[Bug], refuted: Iterable[Bug]) -> Outcomes:
    """The counts of a report after its review."""
    tester = [bug.verdict for bug in bugs if bug.source is BugSource.TESTER]
    found = sum(bug.source is BugSource.REVIEWER for bug in bugs)
    return Outcomes(
        confirmed=tester.count(Verdict.CONFIRMED),
        flaky=tester.count(Verdict.FLAKY),
        refuted=len(tuple(refuted)),
        unchecked=tester.count(Verdict.UNCHECKED) + tester.count(None),
        found=found,
    )
