"""What a review means for a report: confirmed, flaky, refuted, or not looked at."""

import msgspec
import pytest

from contract.action_tree import Bug, RouteReport
from contract.results import Replayed, RouteReviewed
from contract.vocabulary import BugSource, RouteStatus, Severity, Verdict
from coordinator.judging.review import outcomes, problem_with, reviewed
from tests.contract.samples import NOON, route_explored
from tests.support.fake_browser import report_of

SLUG = "bug"


def report(*severities: Severity) -> RouteReport:
    """A report with a bug of each severity; ids `B0`, `B1`, …"""
    plain = report_of("/bug")
    bugs = tuple(
        msgspec.structs.replace(plain.bugs[0], id=f"B{n}", severity=severity, confirmed=None)
        for n, severity in enumerate(severities)
    )
    return msgspec.structs.replace(plain, bugs=bugs)


def review(*counts: tuple[int, int], found: tuple[Bug, ...] = ()) -> RouteReviewed:
    """A result with `(seen, runs)` for `B0`, `B1`, …"""
    stamp = msgspec.structs.asdict(route_explored())
    fields = {name: stamp[name] for name in RouteReviewed.__struct_fields__ if name in stamp}
    replayed = tuple(Replayed(id=f"B{n}", seen=s, runs=r) for n, (s, r) in enumerate(counts))
    return RouteReviewed(**(fields | {"replayed": replayed, "found": found, "screenshots": ()}))


def judged(before: RouteReport, result: RouteReviewed) -> RouteReport:
    assert problem_with(before, result) is None
    return reviewed(before, result, SLUG, NOON)


@pytest.mark.parametrize(
    ("counts", "verdict", "severity", "confirmed"),
    [
        ((3, 3), Verdict.CONFIRMED, Severity.CRITICAL, True),
        ((1, 3), Verdict.FLAKY, Severity.MAJOR, False),
        ((0, 0), Verdict.UNCHECKED, Severity.CRITICAL, None),
    ],
)
def test_a_bug_is_rated_by_how_often_it_showed(
    counts: tuple[int, int], verdict: Verdict, severity: Severity, *, confirmed: bool | None
) -> None:
    (bug,) = judged(report(Severity.CRITICAL), review(counts)).bugs
    assert (bug.verdict, bug.severity, bug.confirmed) == (verdict, severity, confirmed)
    assert (bug.seen, bug.runs) == counts


def test_a_bug_that_never_showed_is_kept_but_does_not_count() -> None:
    after = judged(report(Severity.MAJOR), review((0, 3)))
    assert after.bugs == ()
    assert [bug.verdict for bug in after.refuted] == [Verdict.REFUTED]
    assert after.status is RouteStatus.PASS


def test_ids_count_from_one_for_each_severity_after_the_review() -> None:
    before = report(Severity.CRITICAL, Severity.MAJOR, Severity.MAJOR, Severity.MINOR)
    after = judged(before, review((0, 3), (3, 3), (2, 3), (3, 3)))
    assert [bug.id for bug in after.bugs] == ["BUG-bug-M1", "BUG-bug-m1", "BUG-bug-m2"]


def test_what_the_review_found_is_marked_as_its_own() -> None:
    new = msgspec.structs.replace(report(Severity.MINOR).bugs[0], id="", seen=3, runs=3)
    after = judged(report(), review(found=(new,)))
    assert [(bug.id, bug.source, bug.verdict) for bug in after.bugs] == [
        ("BUG-bug-m1", BugSource.REVIEWER, Verdict.CONFIRMED)
    ]
    assert outcomes(after.bugs, after.refuted).found == 1
    assert after.summary.endswith("review: 1 found by the review")


def test_the_report_says_when_it_was_reviewed() -> None:
    assert judged(report(Severity.MAJOR), review((3, 3))).reviewed_at == NOON


@pytest.mark.parametrize(
    "result",
    [
        review(),
        review((3, 3), (3, 3)),
        review((4, 3)),
        review((-1, 3)),
        review((21, 21)),
    ],
    ids=["a bug is missing", "one is too many", "more seen than run", "negative", "too many runs"],
)
def test_a_review_that_does_not_fit_its_report_is_refused(result: RouteReviewed) -> None:
    assert problem_with(report(Severity.MAJOR), result)
