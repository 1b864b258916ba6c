"""The exploration machine: its table, its budget, and that it can be put down and taken up."""

from datetime import timedelta

import pytest

from contract.results import RoutesDiscovered
from contract.vocabulary import FailureReason
from coordinator.machines.book import Attempt, RouteBook
from coordinator.machines.effects import (
    Drop,
    FailRoute,
    Finish,
    MergeReport,
    Withdraw,
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
    DISCOVERY,
    FINAL,
    TABLE,
    Ledger,
    Signal,
    Step,
    advance,
)
from coordinator.machines.kernel import IllegalMoveError, move, reachable
from tests.support.exploration import (
    LIMITS,
    NOW,
    ROUTES,
    explored,
    failed,
    ledger_of,
    piloted,
    play,
    published,
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
    ledger = piloted("/a", "/b")
    before = (ledger.step, dict(ledger.book.out), list(ledger.book.waiting))
    with pytest.raises(IllegalMoveError):
        advance(ledger, Begun(NOW), LIMITS)
    assert (ledger.step, dict(ledger.book.out), list(ledger.book.waiting)) == before


def test_the_first_route_goes_alone_and_its_shared_controls_are_kept() -> None:
    ledger, effects = play(ledger_of("/a", "/b", "/c"), Begun(NOW))
    assert published(effects) == [("/a", 1)]
    ledger, effects = play(ledger, explored("/a"))
    assert published(effects) == [("/b", 1), ("/c", 1)]
    assert (ledger.shared, ledger.shared_by) == (("nav",), "/a")


def test_when_the_pilot_fails_the_next_route_is_the_pilot() -> None:
    ledger, effects = play(
        ledger_of("/a", "/b", "/c"), Begun(NOW), failed("/a"), failed("/a", attempt=2)
    )
    assert published(effects) == [("/a", 1), ("/a", 2), ("/b", 1)]
    ledger, _ = play(ledger, explored("/b"))
    assert ledger.shared_by == "/b"


def test_two_jobs_per_worker_are_out() -> None:
    assert len(piloted(*ROUTES).book.out) == 4


def test_the_window_follows_the_pace_between_commits() -> None:
    ledger = piloted(*ROUTES)
    ledger, _ = play(ledger, *(explored(route) for route in ROUTES[:4]), Committed())
    assert len(ledger.book.out) == 8


def test_a_failure_is_tried_once_more_and_then_failed_with_both_errors() -> None:
    ledger, effects = play(piloted("/a"), failed("/a"))
    assert published(effects) == [("/a", 2)]
    _, effects = play(ledger, failed("/a", FailureReason.TIMEOUT, attempt=2))
    assert FailRoute("/a", 2, "crashed: boom", "timeout: boom") in effects


@pytest.mark.parametrize(
    "event",
    [
        failed("/a", FailureReason.LOST_TWICE),
        failed("/a", FailureReason.REDIRECTED_OUT, retryable=False),
    ],
)
def test_what_cannot_be_helped_is_failed_at_once(event: ResultArrived) -> None:
    _, effects = play(piloted("/a"), event)
    assert [e.route for e in effects if isinstance(e, FailRoute)] == ["/a"]


def test_a_job_that_is_handed_back_costs_nothing() -> None:
    ledger = piloted("/a")
    for attempt in range(1, 6):
        ledger, effects = play(ledger, failed("/a", FailureReason.HANDED_BACK, attempt))
        assert published(effects) == [("/a", attempt + 1)]
    assert ledger.book.out["/a"].tries == 0


@pytest.mark.parametrize(
    "reason",
    [
        FailureReason.APP_UNREACHABLE,
        FailureReason.LOGIN_FAILED,
        FailureReason.BROWSER_MISSING,
    ],
)
def test_what_no_route_would_escape_blocks_the_run_and_fails_none(reason: FailureReason) -> None:
    ledger, effects = play(piloted("/a", "/b"), failed("/a", reason))
    assert ledger.step is Step.BLOCKED
    assert ledger.book.left == 2
    assert Finish(f"{reason}: boom") in effects
    assert Withdraw() in effects


def test_a_pilot_that_is_led_to_a_login_blocks_the_run() -> None:
    lost = failed("/a", FailureReason.AUTH_LOST, retryable=False)
    ledger, _ = play(ledger_of("/a", "/b"), Begun(NOW))
    ledger, effects = play(ledger, lost)
    assert ledger.step is Step.BLOCKED
    assert ledger.book.left == 2
    assert Finish("auth_lost: boom") in effects


def test_after_the_pilot_a_route_that_is_led_to_a_login_is_a_failed_route() -> None:
    lost = failed("/a", FailureReason.AUTH_LOST, retryable=False)
    ledger, effects = play(piloted("/a", "/b"), lost)
    assert ledger.step is Step.TESTING
    assert [e.route for e in effects if isinstance(e, FailRoute)] == ["/a"]


def test_a_refusal_that_is_final_is_not_tried_again() -> None:
    ledger, _ = advance(piloted("/a"), explored("/a"), LIMITS)
    _, effects = advance(ledger, Refused("/a", "no", final=True), LIMITS)
    assert FailRoute("/a", 1, "refused: no", "refused: no") in effects


def test_a_search_that_finds_nothing_says_why() -> None:
    ledger = Ledger(book=RouteBook((DISCOVERY,)), epoch=1, discovers=True)
    ledger, _ = advance(ledger, Begun(NOW), LIMITS)
    for attempt in (1, 2):
        found = RoutesDiscovered(**stamp(attempt, 1), routes=())  # type: ignore[arg-type]
        ledger, _ = advance(ledger, ResultArrived(NOW, DISCOVERY, found), LIMITS)
        ledger, _ = advance(ledger, Refused(DISCOVERY, "no page was found"), LIMITS)
    assert (ledger.step, ledger.reason) == (Step.BLOCKED, "no page was found")


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (explored("/pilot"), "duplicate"),
        (explored("/a", epoch=0), "stale_epoch"),
        (explored("/a", epoch=2), "unknown_epoch"),
        (explored("/a", attempt=0), "late_attempt"),
        (explored("/a", attempt=2), "unknown_attempt"),
        (ResultArrived(NOW, None, explored("/a").result), "unknown_job"),
    ],
)
def test_a_result_that_is_not_awaited_is_dropped_and_counted(
    event: ResultArrived, reason: str
) -> None:
    ledger, effects = play(piloted("/a"), event)
    assert effects == [Drop(reason)]
    assert ledger.book.out.keys() == {"/a"}


def test_a_refused_report_counts_as_a_failed_attempt() -> None:
    ledger, effects = advance(piloted("/a"), explored("/a"), LIMITS)
    assert isinstance(effects[0], MergeReport)
    ledger, effects = advance(ledger, Refused("/a", "no PNG"), LIMITS)
    assert published(effects) == [("/a", 2)]
    assert ledger.book.out["/a"].error == "refused: no PNG"


def test_a_job_whose_beat_went_out_is_sent_again() -> None:
    gone = Pulse(NOW, starts={"/a": 1})
    ledger, effects = play(piloted("/a"), Pulse(NOW, frozenset({"/a"}), {"/a": 1}), gone, gone)
    assert not published(effects)
    ledger, effects = play(ledger, gone)
    assert published(effects) == [("/a", 2)]
    ledger, effects = play(ledger, gone, gone, gone)
    assert not effects, "the start of the first attempt is not held against the second"


def test_a_job_that_waits_in_the_queue_is_not_lost() -> None:
    pulses = [Pulse(NOW + timedelta(seconds=n)) for n in range(100)]
    ledger, effects = play(piloted("/a"), *pulses)
    assert not effects
    ledger, effects = play(ledger, Pulse(NOW + timedelta(hours=2)))
    assert published(effects) == [("/a", 2)]
    assert ledger.book.out["/a"].tries == 0


def test_a_job_past_its_deadline_is_given_up_though_its_worker_lives() -> None:
    late = Pulse(NOW + timedelta(hours=2), frozenset({"/a"}), {"/a": 1})
    ledger, effects = play(piloted("/a"), late)
    assert published(effects) == [("/a", 2)]
    assert ledger.book.out["/a"].tries == 1


def test_after_redis_came_back_empty_everything_out_is_sent_again_at_no_cost() -> None:
    ledger, effects = play(piloted("/a", "/b"), BrokerEmptied())
    assert published(effects) == [("/a", 2), ("/b", 2)]
    assert {attempt.tries for attempt in ledger.book.out.values()} == {0}


def test_a_stop_lets_what_runs_finish_and_takes_back_what_waits() -> None:
    ledger, effects = play(piloted("/a", "/b", "/c"), StopAsked())
    assert (ledger.step, effects) == (Step.DRAINING, [Withdraw()])
    ledger, _ = play(ledger, Withdrawn(frozenset({"/b", "/c"})))
    ledger, effects = play(ledger, explored("/a"))
    assert ledger.step is Step.STOPPED
    assert Finish() in effects
    assert set(ledger.book.again) == {"/b", "/c"}


def test_a_stop_that_finds_nothing_left_ends_as_completed() -> None:
    ledger, _ = play(piloted("/a"), StopAsked(), explored("/a"), Reported())
    assert ledger.step is Step.COMPLETED


def test_a_map_with_nothing_left_goes_straight_to_the_reports() -> None:
    ledger, _ = play(ledger_of(), Begun(NOW))
    assert ledger.step is Step.REPORTING


def test_a_search_for_routes_ends_when_they_are_found() -> None:
    ledger, effects = play(ledger_of(DISCOVERY, discovers=True), Begun(NOW))
    assert published(effects) == [(DISCOVERY, 1)]
    found = RoutesDiscovered(**stamp(1, 1), routes=())  # type: ignore[arg-type]
    ledger, _ = play(ledger, ResultArrived(NOW, DISCOVERY, found))
    assert ledger.step is Step.COMPLETED


def test_a_search_that_fails_twice_blocks_and_says_why() -> None:
    ledger, _ = play(
        ledger_of(DISCOVERY, discovers=True),
        Begun(NOW),
        failed(DISCOVERY),
        failed(DISCOVERY, attempt=2),
    )
    assert (ledger.step, ledger.reason) == (Step.BLOCKED, "crashed: boom")


def test_on_resuming_only_jobs_without_a_worker_are_sent_again() -> None:
    out = {"/a": Attempt(1, epoch=1), "/b": Attempt(2, epoch=1, tries=1, error="e")}
    ledger = Ledger(book=RouteBook(("/a", "/b", "/c"), out=out), epoch=2, shared=())
    ledger, effects = play(ledger, Begun(NOW, alive=frozenset({"/a"}), starts={"/a": 1}))
    assert published(effects) == [("/b", 3), ("/c", 1)]
    _, effects = play(ledger, explored("/a", attempt=1, epoch=1))
    assert any(isinstance(effect, MergeReport) for effect in effects)
