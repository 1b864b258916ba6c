"""The exploration machine: its table, its budget, and that it can be put down and taken up."""

from datetime import timedelta

import pytest

from contract.identity import DISCOVER_JOB
from contract.results import RoutesDiscovered
from contract.vocabulary import FailureReason
from coordinator.machines.book import Attempt, JobBook
from coordinator.machines.effects import (
    Drop,
    FailJob,
    Finish,
    MergeResult,
    TurnToReview,
    Withdraw,
    WriteReports,
)
from coordinator.machines.events import (
    Begun,
    BrokerEmptied,
    Committed,
    Pulse,
    Refused,
    Reported,
    ResultArrived,
    StopAsked,
    Withdrawn,
)
from coordinator.machines.exploration import (
    FINAL,
    TABLE,
    Ledger,
    Signal,
    Step,
    advance,
)
from coordinator.machines.kernel import IllegalMoveError, move, reachable
from tests.support.exploration import (
    JOBS,
    LIMITS,
    NOW,
    PILOT,
    A,
    B,
    C,
    explored,
    failed,
    ledger_of,
    piloted,
    play,
    published,
    review_of,
    stamp,
)


def test_every_step_can_be_reached() -> None:
    assert reachable(TABLE, Step.INIT) == set(Step)


@pytest.mark.parametrize("step", list(Step))
def test_every_step_can_end(step: Step) -> None:
    assert reachable(TABLE, step) & FINAL


def test_final_steps_have_no_way_out() -> None:
    assert not [before for before, _ in TABLE if before in FINAL]


@pytest.mark.parametrize("step", list(Step))
@pytest.mark.parametrize("signal", list(Signal))
def test_a_signal_that_is_not_in_the_table_raises(step: Step, signal: Signal) -> None:
    if (step, signal) not in TABLE:
        with pytest.raises(IllegalMoveError):
            move(TABLE, step, signal)


def test_an_illegal_event_moves_nothing() -> None:
    ledger = piloted(A, B)
    before = (ledger.step, dict(ledger.book.out), list(ledger.book.waiting))
    with pytest.raises(IllegalMoveError):
        advance(ledger, Begun(NOW), LIMITS)
    assert (ledger.step, dict(ledger.book.out), list(ledger.book.waiting)) == before


def test_the_first_route_goes_alone_and_its_shared_controls_are_kept() -> None:
    ledger, effects = play(ledger_of(A, B, C), Begun(NOW))
    assert published(effects) == [(A, 1)]
    ledger, effects = play(ledger, explored(A))
    assert published(effects) == [(B, 1), (C, 1)]
    assert (ledger.shared, ledger.shared_by) == (("nav",), A)


def test_when_the_pilot_fails_the_next_route_is_the_pilot() -> None:
    ledger, effects = play(ledger_of(A, B, C), Begun(NOW), failed(A), failed(A, attempt=2))
    assert published(effects) == [(A, 1), (A, 2), (B, 1)]
    ledger, _ = play(ledger, explored(B))
    assert ledger.shared_by == B


def test_two_jobs_per_worker_are_out() -> None:
    assert len(piloted(*JOBS).book.out) == 4


def test_the_window_follows_the_pace_between_commits() -> None:
    ledger = piloted(*JOBS)
    ledger, _ = play(ledger, *(explored(job) for job in JOBS[:4]), Committed())
    assert len(ledger.book.out) == 8


def test_a_failure_is_tried_once_more_and_then_failed_with_both_errors() -> None:
    ledger, effects = play(piloted(A), failed(A))
    assert published(effects) == [(A, 2)]
    _, effects = play(ledger, failed(A, FailureReason.TIMEOUT, attempt=2))
    assert FailJob(A, 2, "crashed: boom", "timeout: boom") in effects


@pytest.mark.parametrize(
    "event",
    [
        failed(A, FailureReason.LOST_TWICE),
        failed(A, FailureReason.REDIRECTED_OUT, retryable=False),
    ],
)
def test_what_cannot_be_helped_is_failed_at_once(event: ResultArrived) -> None:
    _, effects = play(piloted(A), event)
    assert [e.job_id for e in effects if isinstance(e, FailJob)] == [A]


def test_a_job_that_is_handed_back_costs_nothing() -> None:
    ledger = piloted(A)
    for attempt in range(1, 6):
        ledger, effects = play(ledger, failed(A, FailureReason.HANDED_BACK, attempt))
        assert published(effects) == [(A, attempt + 1)]
    assert ledger.book.out[A].tries == 0


@pytest.mark.parametrize(
    "reason",
    [
        FailureReason.APP_UNREACHABLE,
        FailureReason.LOGIN_FAILED,
        FailureReason.BROWSER_MISSING,
    ],
)
def test_what_no_route_would_escape_blocks_the_run_and_fails_none(reason: FailureReason) -> None:
    ledger, effects = play(piloted(A, B), failed(A, reason))
    assert ledger.step is Step.BLOCKED
    assert ledger.book.left == 2
    assert Finish(f"{reason}: boom") in effects
    assert Withdraw() in effects


def test_a_pilot_that_is_led_to_a_login_blocks_the_run() -> None:
    lost = failed(A, FailureReason.AUTH_LOST, retryable=False)
    ledger, _ = play(ledger_of(A, B), Begun(NOW))
    ledger, effects = play(ledger, lost)
    assert ledger.step is Step.BLOCKED
    assert ledger.book.left == 2
    assert Finish("auth_lost: boom") in effects


def test_after_the_pilot_a_route_that_is_led_to_a_login_is_a_failed_route() -> None:
    lost = failed(A, FailureReason.AUTH_LOST, retryable=False)
    ledger, effects = play(piloted(A, B), lost)
    assert ledger.step is Step.TESTING
    assert [e.job_id for e in effects if isinstance(e, FailJob)] == [A]


def test_a_refusal_that_is_final_is_not_tried_again() -> None:
    ledger, _ = advance(piloted(A), explored(A), LIMITS)
    _, effects = advance(ledger, Refused(A, "no", final=True), LIMITS)
    assert FailJob(A, 1, "refused: no", "refused: no") in effects


def test_a_search_that_finds_nothing_says_why() -> None:
    ledger = Ledger(book=JobBook((DISCOVER_JOB,)), epoch=1, discovers=True)
    ledger, _ = advance(ledger, Begun(NOW), LIMITS)
    for attempt in (1, 2):
        found = RoutesDiscovered(**stamp(DISCOVER_JOB, attempt, 1), routes=())  # type: ignore[arg-type]
        ledger, _ = advance(ledger, ResultArrived(NOW, found), LIMITS)
        ledger, _ = advance(ledger, Refused(DISCOVER_JOB, "no page was found"), LIMITS)
    assert (ledger.step, ledger.reason) == (Step.BLOCKED, "no page was found")


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (explored(PILOT), "duplicate"),
        (explored(A, epoch=0), "stale_epoch"),
        (explored(A, epoch=2), "unknown_epoch"),
        (explored(A, attempt=0), "late_attempt"),
        (explored(A, attempt=2), "unknown_attempt"),
        (ResultArrived(NOW, explored(A).result, known=False), "unknown_job"),
    ],
)
def test_a_result_that_is_not_awaited_is_dropped_and_counted(
    event: ResultArrived, reason: str
) -> None:
    ledger, effects = play(piloted(A), event)
    assert effects == [Drop(reason)]
    assert ledger.book.out.keys() == {A}


def test_a_refused_report_counts_as_a_failed_attempt() -> None:
    ledger, effects = advance(piloted(A), explored(A), LIMITS)
    assert isinstance(effects[0], MergeResult)
    ledger, effects = advance(ledger, Refused(A, "no PNG"), LIMITS)
    assert published(effects) == [(A, 2)]
    assert ledger.book.out[A].error == "refused: no PNG"


def test_a_job_whose_beat_went_out_is_sent_again() -> None:
    gone = Pulse(NOW, starts={A: 1})
    ledger, effects = play(piloted(A), Pulse(NOW, frozenset({A}), {A: 1}), gone, gone)
    assert not published(effects)
    ledger, effects = play(ledger, gone)
    assert published(effects) == [(A, 2)]
    ledger, effects = play(ledger, gone, gone, gone)
    assert not effects, "the start of the first attempt is not held against the second"


def test_a_job_that_waits_in_the_queue_is_not_lost() -> None:
    pulses = [Pulse(NOW + timedelta(seconds=n)) for n in range(100)]
    ledger, effects = play(piloted(A), *pulses)
    assert not effects
    ledger, effects = play(ledger, Pulse(NOW + timedelta(hours=2)))
    assert published(effects) == [(A, 2)]
    assert ledger.book.out[A].tries == 0


def test_a_job_past_its_deadline_is_given_up_though_its_worker_lives() -> None:
    late = Pulse(NOW + timedelta(hours=2), frozenset({A}), {A: 1})
    ledger, effects = play(piloted(A), late)
    assert published(effects) == [(A, 2)]
    assert ledger.book.out[A].tries == 1


def test_after_redis_came_back_empty_everything_out_is_sent_again_at_no_cost() -> None:
    ledger, effects = play(piloted(A, B), BrokerEmptied())
    assert published(effects) == [(A, 2), (B, 2)]
    assert {attempt.tries for attempt in ledger.book.out.values()} == {0}


def test_a_stop_lets_what_runs_finish_and_takes_back_what_waits() -> None:
    ledger, effects = play(piloted(A, B, C), StopAsked())
    assert (ledger.step, effects) == (Step.DRAINING, [Withdraw()])
    ledger, _ = play(ledger, Withdrawn(frozenset({B, C})))
    ledger, effects = play(ledger, explored(A))
    assert ledger.step is Step.STOPPED
    assert Finish() in effects
    assert set(ledger.book.again) == {B, C}


def test_a_stop_that_finds_nothing_left_ends_as_completed() -> None:
    ledger, _ = play(piloted(A), StopAsked(), explored(A), Reported())
    assert ledger.step is Step.COMPLETED


def test_a_map_with_nothing_left_goes_straight_to_the_reports() -> None:
    ledger, _ = play(ledger_of(), Begun(NOW))
    assert ledger.step is Step.REPORTING


def test_a_search_for_routes_ends_when_they_are_found() -> None:
    ledger, effects = play(ledger_of(DISCOVER_JOB, discovers=True), Begun(NOW))
    assert published(effects) == [(DISCOVER_JOB, 1)]
    found = RoutesDiscovered(**stamp(DISCOVER_JOB, 1, 1), routes=())  # type: ignore[arg-type]
    ledger, _ = play(ledger, ResultArrived(NOW, found))
    assert ledger.step is Step.COMPLETED


def test_a_search_that_fails_twice_blocks_and_says_why() -> None:
    ledger, _ = play(
        ledger_of(DISCOVER_JOB, discovers=True),
        Begun(NOW),
        failed(DISCOVER_JOB),
        failed(DISCOVER_JOB, attempt=2),
    )
    assert (ledger.step, ledger.reason) == (Step.BLOCKED, "crashed: boom")


def test_on_resuming_only_jobs_without_a_worker_are_sent_again() -> None:
    out = {A: Attempt(1, epoch=1), B: Attempt(2, epoch=1, tries=1, error="e")}
    ledger = Ledger(book=JobBook((A, B, C), out=out), epoch=2, shared=())
    ledger, effects = play(ledger, Begun(NOW, alive=frozenset({A}), starts={A: 1}))
    assert published(effects) == [(B, 3), (C, 1)]
    _, effects = play(ledger, explored(A, attempt=1, epoch=1))
    assert any(isinstance(effect, MergeResult) for effect in effects)


def test_when_all_routes_are_tested_their_bugs_are_reviewed() -> None:
    ledger, _ = play(ledger_of(A, B), Begun(NOW))
    ledger, effects = play(ledger, explored(A), explored(B), reviews=True)
    assert ledger.step is Step.REVIEWING
    assert TurnToReview() in effects
    assert published(effects)[-2:] == [(review_of(A), 1), (review_of(B), 1)]
    ledger, effects = play(ledger, explored(review_of(A)), explored(review_of(B)))
    assert ledger.step is Step.REPORTING
    assert WriteReports() in effects


def test_a_route_that_failed_has_no_review() -> None:
    ledger, _ = play(ledger_of(A, B), Begun(NOW), explored(A), reviews=True)
    lost = failed(B, FailureReason.LOST_TWICE)
    ledger, effects = play(ledger, lost, reviews=True)
    assert published(effects) == [(review_of(A), 1)]


def test_a_late_report_is_no_answer_to_a_review() -> None:
    ledger, _ = play(ledger_of(A), Begun(NOW), explored(A), reviews=True)
    _, effects = play(ledger, explored(A))
    assert effects == [Drop("duplicate")]


def test_a_stop_between_test_and_review_leaves_the_reviews_for_later() -> None:
    ledger, _ = play(ledger_of(A), Begun(NOW), StopAsked(), explored(A), reviews=True)
    assert ledger.step is Step.STOPPED
    assert ledger.book.later == {review_of(A): None}


def test_a_run_goes_on_with_its_reviews() -> None:
    out = {A: Attempt(1, epoch=1)}
    ledger = Ledger(book=JobBook((A, B), out=out), epoch=2, reviews=True)
    ledger, effects = play(ledger, Begun(NOW))
    assert ledger.step is Step.REVIEWING
    assert published(effects) == [(A, 2), (B, 1)]


def test_a_review_that_was_out_when_routes_were_added_is_sent_again_as_a_newer_attempt() -> None:
    later = {review_of(A): Attempt(1, epoch=1)}
    ledger = Ledger(book=JobBook((B,), later=later), epoch=2, shared=())
    ledger, effects = play(ledger, Begun(NOW), explored(B, epoch=2))
    assert published(effects) == [(B, 1), (review_of(A), 2)]
