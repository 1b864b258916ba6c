"""The termination contract: every way out of a job, and exactly one report on each."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contract.channels import beat_key, fence_key, results_stream, starts_key
from contract.jobs import AnyJob, DiscoverRoutes
from contract.results import AnyResult, Beat, JobFailed, RoutesDiscovered, Tally
from contract.vocabulary import FailureReason
from contract.wire import loads, result_from_bytes
from tests.support.jobs import RUN, job, wait_for
from workers.kit.bench import Bench
from workers.kit.blobs import Blobs
from workers.kit.duty import (
    AlreadyReported,
    Duty,
    Ending,
    HandBack,
    Handler,
    LeaseLost,
    LoginFailed,
    perform,
)
from workers.kit.lease import Begin


def reported(bench: Bench) -> list[AnyResult]:
    """The results in the stream, from the entry or from the blob store."""
    found = []
    for fields in entries(bench):
        blob = fields.get(b"blob")
        payload = bench.blobs.get(blob.decode()) if blob else fields[b"payload"]
        found.append(result_from_bytes(payload))
    return found


def entries(bench: Bench) -> list[dict[bytes, bytes]]:
    stream: Any = bench.redis.xrange(results_stream(bench.namespace, RUN))
    return [fields for _, fields in stream]


def begin(bench: Bench, work: DiscoverRoutes | None = None) -> Duty:
    duty = Duty(bench, work or job(), lambda: None)
    assert duty.begin() is Begin.HELD
    return duty


def run(bench: Bench, handler: Handler, work: DiscoverRoutes | None = None) -> Ending:
    return perform(begin(bench, work), handler, bench)


def only_failure(bench: Bench) -> JobFailed:
    (result,) = reported(bench)
    assert isinstance(result, JobFailed)
    return result


def starts(bench: Bench) -> int:
    return int(bench.redis.hget(starts_key(bench.namespace, RUN), "discover") or 0)


def done(_job: AnyJob, duty: Duty) -> None:
    duty.report(RoutesDiscovered(**duty.stamp(), routes=()))


def raising(error: Exception) -> Callable[[AnyJob, Duty], None]:
    def handler(_job: AnyJob, _duty: Duty) -> None:
        raise error

    return handler


def test_a_report_reaches_the_stream_and_settles_the_start(bench: Bench) -> None:
    assert run(bench, done) is Ending.REPORTED
    (result,) = reported(bench)
    assert (result.run_id, result.job_id, result.worker) == (RUN, "discover", "worker-1")
    assert starts(bench) == 0


def test_a_second_report_is_refused(bench: Bench) -> None:
    def twice(work: AnyJob, duty: Duty) -> None:
        done(work, duty)
        with pytest.raises(AlreadyReported):
            done(work, duty)

    run(bench, twice)
    assert len(reported(bench)) == 1


def test_a_result_of_another_job_is_refused(bench: Bench) -> None:
    def foreign(_job: AnyJob, duty: Duty) -> None:
        duty.report(RoutesDiscovered(**{**duty.stamp(), "attempt": 7}, routes=()))

    run(bench, foreign)
    assert only_failure(bench).reason is FailureReason.CRASHED


def test_leaving_without_a_report_reports_no_report(bench: Bench) -> None:
    run(bench, lambda _job, _duty: None)
    assert only_failure(bench).reason is FailureReason.NO_REPORT


def test_a_crash_is_told_by_class_and_our_own_lines_only(bench: Bench) -> None:
    run(bench, raising(ValueError("secret page content")))
    failure = only_failure(bench)
    assert failure.reason is FailureReason.CRASHED
    assert failure.retryable
    assert failure.detail.startswith("ValueError\n  workers/kit/duty.py:")
    assert "tests/workers/kit/test_duty.py" in failure.detail
    assert "secret" not in failure.detail


def test_an_exception_after_the_report_changes_nothing(bench: Bench) -> None:
    def late(work: AnyJob, duty: Duty) -> None:
        done(work, duty)
        raise ValueError

    assert run(bench, late) is Ending.REPORTED
    assert len(reported(bench)) == 1


def test_a_failed_login_carries_its_sentence(bench: Bench) -> None:
    run(bench, raising(LoginFailed("The password field was not found.")))
    failure = only_failure(bench)
    assert failure.reason is FailureReason.LOGIN_FAILED
    assert failure.detail == "The password field was not found."
    assert not failure.retryable


def test_a_handler_that_is_freed_by_the_overtime_callback_reports_a_timeout(bench: Bench) -> None:
    def stuck(_job: AnyJob, duty: Duty) -> None:
        browser_died = threading.Event()
        duty.on_overtime(browser_died.set)
        browser_died.wait()
        raise ConnectionError

    run(bench, stuck, job(budget_s=0.2))
    assert only_failure(bench).reason is FailureReason.TIMEOUT
    assert starts(bench) == 0


def test_a_handler_that_never_returns_is_spoken_for_before_the_process_ends(bench: Bench) -> None:
    left: list[int] = []
    free = threading.Event()

    def leave(code: int) -> None:
        left.append(code)
        free.set()

    bench.leave = leave
    bench.grace_s = 0.1
    run(bench, lambda _job, _duty: assert_freed(free), job(budget_s=0.2))
    assert left == [70]
    assert only_failure(bench).reason is FailureReason.TIMEOUT


def assert_freed(free: threading.Event) -> None:
    assert free.wait(30)


def test_a_newer_attempt_ends_the_older_one_without_a_report(bench: Bench) -> None:
    def superseded(_job: AnyJob, duty: Duty) -> None:
        begin(bench, job(attempt=2))
        duty.check_lease()

    assert run(bench, superseded) is Ending.LOST
    assert reported(bench) == []
    assert starts(bench) == 1


def test_an_older_attempt_cannot_report_once_a_newer_one_began(bench: Bench) -> None:
    def superseded(work: AnyJob, duty: Duty) -> None:
        begin(bench, job(attempt=2))
        done(work, duty)

    assert run(bench, superseded) is Ending.LOST
    assert reported(bench) == []


def test_an_older_attempt_is_not_begun(bench: Bench) -> None:
    begin(bench, job(attempt=2))
    assert Duty(bench, job(attempt=1), lambda: None).begin() is Begin.OLD


def test_an_attempt_that_has_reported_is_not_begun_again(bench: Bench) -> None:
    run(bench, done)
    assert Duty(bench, job(), lambda: None).begin() is Begin.OLD
    assert Duty(bench, job(attempt=2), lambda: None).begin() is Begin.HELD


def test_a_third_start_is_refused(bench: Bench) -> None:
    begin(bench)
    begin(bench)
    assert Duty(bench, job(attempt=2), lambda: None).begin() is Begin.SPENT


def test_a_second_delivery_takes_the_job_from_the_first(bench: Bench) -> None:
    first = begin(bench)
    begin(bench)
    with pytest.raises(LeaseLost):
        first.check_lease()


def test_a_job_handed_back_is_put_back_and_not_counted(bench: Bench) -> None:
    back: list[str] = []
    duty = Duty(bench, job(), lambda: back.append("back"))
    duty.begin()
    assert perform(duty, raising(HandBack()), bench) is Ending.HANDED_BACK
    assert back == ["back"]
    assert starts(bench) == 0
    assert reported(bench) == []


def test_a_job_whose_blobs_find_no_room_is_put_back_and_not_counted(
    bench: Bench, tmp_path: Path
) -> None:
    """A file stands where the folder should be: nothing can be stored, as on a full disk."""
    taken = tmp_path / "taken"
    bench.store_pause_s = 0.0
    bench.blobs = Blobs(str(taken))
    taken.rmdir()
    taken.write_text("in the way")

    def stores(_job: AnyJob, duty: Duty) -> None:
        duty.blobs.put(b"picture")

    assert run(bench, stores) is Ending.HANDED_BACK
    assert starts(bench) == 0
    assert entries(bench) == []


def test_a_crash_while_the_worker_is_leaving_hands_the_job_back(bench: Bench) -> None:
    bench.signs.stopping.set()
    assert run(bench, raising(ConnectionError())) is Ending.HANDED_BACK
    assert reported(bench) == []


def test_a_job_that_outlasts_the_stop_is_handed_back(bench: Bench) -> None:
    bench.stop_s = 0.1

    def stuck(_job: AnyJob, duty: Duty) -> None:
        browser_died = threading.Event()
        duty.on_overtime(browser_died.set)
        bench.signs.stopping.set()
        browser_died.wait()
        raise ConnectionError

    assert run(bench, stuck) is Ending.HANDED_BACK


def test_a_large_result_travels_as_a_blob(bench: Bench) -> None:
    def talkative(_job: AnyJob, duty: Duty) -> None:
        duty.fail(FailureReason.CRASHED, retryable=False, detail="x")

    def large(_job: AnyJob, duty: Duty) -> None:
        stamp = {**duty.stamp(), "worker": "w" * 40_000}
        duty.report(RoutesDiscovered(**stamp, routes=()))

    run(bench, large)
    run(bench, talkative, job("other"))
    assert [b"blob" in fields for fields in entries(bench)] == [True, False]
    assert len(reported(bench)[0].worker) == 40_000


def test_the_beat_says_what_the_handler_told(bench: Bench) -> None:
    key = beat_key(bench.namespace, RUN, job().job_id)

    def telling(work: AnyJob, duty: Duty) -> None:
        duty.tell(Tally(actions=3, bugs=1), "pressing Save")
        beat = wait_for(lambda: told(bench, key))
        assert beat is not None
        assert (beat.attempt, beat.worker, beat.tally.bugs) == (1, "worker-1", 1)
        done(work, duty)

    assert run(bench, telling) is Ending.REPORTED
    assert isinstance(reported(bench)[0], RoutesDiscovered)
    assert not bench.redis.exists(key)


def told(bench: Bench, key: str) -> Beat | None:
    value = bench.redis.get(key)
    beat = loads(value, Beat) if value else None
    return beat if beat is not None and beat.doing == "pressing Save" else None


def test_a_lost_fence_counts_as_a_lost_lease_but_the_result_is_still_welcome(bench: Bench) -> None:
    def finished(work: AnyJob, duty: Duty) -> None:
        bench.redis.delete(fence_key(bench.namespace, RUN, work.job_id))
        with pytest.raises(LeaseLost):
            duty.check_lease()
        done(work, duty)

    assert run(bench, finished) is Ending.REPORTED
    assert len(reported(bench)) == 1
