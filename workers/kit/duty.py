"""The termination contract: a job reports exactly once, inside its own deadline.

A `Duty` is what a handler gets besides the job. `perform` runs the handler and sees to the rest:
leaving without a report reports `no_report`, running out of time `timeout`, any other exception
`crashed`. Invariant: of report, loss and hand-back exactly one ends a duty, whichever thread comes
first. It leaves out Dramatiq: `shift.py` brings the jobs, and takes back those handed back.

    handler(job, duty):  duty.tell(...)  duty.checkpoints.append(...)  duty.report(result)
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from dramatiq.middleware import Interrupt

from contract.jobs import AnyJob
from contract.results import AnyResult, Beat, JobFailed, Tally
from contract.vocabulary import FailureReason
from workers.kit import report, trace
from workers.kit.beat import Beater, Watchdog
from workers.kit.bench import Bench
from workers.kit.blobs import Blobs
from workers.kit.checkpoints import Checkpoints
from workers.kit.errors import (
    AlreadyReported,
    HandBack,
    LeaseLost,
    LoginFailed,
    ResultTooLarge,
    StoreTrouble,
    Undelivered,
)
from workers.kit.lease import Begin, Lease
from workers.kit.login import SharedLogin
from workers.kit.metrics import WorkerMetrics

__all__ = [
    "AlreadyReported",
    "Duty",
    "Ending",
    "HandBack",
    "Handler",
    "LeaseLost",
    "LoginFailed",
    "ResultTooLarge",
    "perform",
]

log = logging.getLogger("mazewave.worker")

EXIT_OVERTIME = 70
EXIT_AGAIN = 75
OVERTIME, STOPPED = "timeout", "stopped"
MAX_DETAIL = 4000
LAST_WORDS_S = 10.0


class Ending(StrEnum):
    REPORTED = "reported"
    LOST = "lease_lost"
    HANDED_BACK = "handed_back"


class Duty:
    """One job in the hands of one worker. Thread-safe where it says so; else the handler's own."""

    def __init__(self, bench: Bench, job: AnyJob, give_back: Callable[[], None]) -> None:
        self.job = job
        self.worker = bench.worker
        self.lease = Lease(bench, job.run_id, job.job_id, job.attempt)
        self.checkpoints = Checkpoints(bench, self.lease, job)
        self.started_at = datetime.now(UTC)
        self._bench = bench
        self._give_back = give_back
        self._ends_at = time.monotonic() + job.budget_s
        self._stop_at: float | None = None
        self._settling = threading.Lock()
        self._ending: Ending | None = None
        self._delivered = False
        self._struck: str | None = None
        self._told = (Tally(), "")
        self._on_overtime: Callable[[], None] = lambda: None
        self._beater = Beater(self._beat)
        self._watchdog = Watchdog(self._limit, self._strike, self._end, bench.grace_s)

    @property
    def blobs(self) -> Blobs:
        return self._bench.blobs

    @property
    def metrics(self) -> WorkerMetrics:
        return self._bench.metrics

    @property
    def stopping(self) -> threading.Event:
        """Set on SIGTERM: finish soon, or raise `HandBack`."""
        return self._bench.signs.stopping

    @cached_property
    def login(self) -> SharedLogin:
        return SharedLogin(self._bench, self.job.run_id)

    @property
    def remaining_s(self) -> float:
        """Seconds left of the job's budget; negative when it is over."""
        return self._ends_at - time.monotonic()

    @property
    def reported(self) -> bool:
        return self._ending is Ending.REPORTED

    def stamp(self) -> dict[str, Any]:
        """The fields of `Result` that the handler need not know: `RouteExplored(**stamp, …)`."""
        return {
            "run_id": self.job.run_id,
            "job_id": self.job.job_id,
            "attempt": self.job.attempt,
            "epoch": self.job.epoch,
            "worker": self.worker,
            "started_at": self.started_at,
            "finished_at": datetime.now(UTC),
        }

    def tell(self, tally: Tally, doing: str = "") -> None:
        """What the next beat carries. Cheap, and safe from any thread."""
        self._told = (tally, doing)
        self._beater.news()

    def on_overtime(self, callback: Callable[[], None]) -> None:
        """Called in a thread of its own when time is up and the handler has not returned.

        It should make the handler return, by killing the browser say; `GRACE_S` later the process
        ends.
        """
        self._on_overtime = callback

    def check_lease(self) -> None:
        """Raises `LeaseLost` once a newer attempt, or another worker, holds the job."""
        self.lease.check()

    def report(self, result: AnyResult) -> None:
        """Exactly once: `AlreadyReported`. Raises `LeaseLost`, or `ResultTooLarge` (unreported)."""
        self._report(result, self._ends_at + self._bench.grace_s)

    def fail(self, reason: FailureReason, *, retryable: bool, detail: str) -> None:
        """Report that there is no result. `detail` is for people: no page content, no secrets."""
        self.report(self._failure(reason, retryable, detail))

    def begin(self) -> Begin:
        return self.lease.begin()

    def settle(self, error: BaseException | None) -> Ending:
        """The handler returned or raised: report what it did not, unless the worker is leaving."""
        if self._ending is not None:
            if error is not None:
                log.warning("after its report %s: %s", self.job.job_id, trace.describe(error))
            return self._ending
        if self._struck == OVERTIME or isinstance(error, Interrupt):
            self.fail(FailureReason.TIMEOUT, retryable=True, detail=self._overtime(error))
        elif isinstance(error, LoginFailed):
            self.fail(FailureReason.LOGIN_FAILED, retryable=False, detail=error.sentence)
        elif self.stopping.is_set():
            # A signal to the whole group took the browser down as well: not the job's fault.
            return self.hand_back()
        elif error is None:
            self.fail(FailureReason.NO_REPORT, retryable=True, detail="it returned without one")
        else:
            self.fail(FailureReason.CRASHED, retryable=True, detail=trace.describe(error))
        return Ending.REPORTED

    def lose(self) -> Ending:
        """Stop without a word: somebody else has the job."""
        if self._delivered:
            return Ending.REPORTED
        self._claim(Ending.LOST)
        self.lease.release()
        return Ending.LOST

    def hand_back(self) -> Ending:
        """Put the job back into its queue as it came."""
        if self._claim(Ending.HANDED_BACK):
            self.lease.release()
            self._give_back()
        return self._ending or Ending.HANDED_BACK

    def wait_for_store(self, trouble: StoreTrouble) -> Ending:
        """Say what is wrong, give it time, and put the job back; its deadline bounds the tries."""
        self.tell(self._told[0], f"waiting: {trouble}")
        log.warning("%s: %s", self.job.job_id, trouble)
        self.stopping.wait(self._bench.store_pause_s)
        return self.hand_back()

    def open(self) -> None:
        self._bench.metrics.in_flight.inc()
        self._beater.start()
        self._watchdog.start()

    def close(self) -> None:
        self._beater.stop()
        self._watchdog.stop()
        self._beater.join(timeout=1.0)
        self._bench.metrics.in_flight.dec()

    def _claim(self, ending: Ending) -> bool:
        with self._settling:
            if self._ending is not None:
                return False
            self._ending = ending
            return True

    def _report(self, result: AnyResult, give_up_at: float) -> None:
        mine = (self.job.run_id, self.job.job_id, self.job.attempt)
        if (result.run_id, result.job_id, result.attempt) != mine:
            raise ValueError("a result of another job")
        if self._ending is not None:
            raise AlreadyReported(self._ending)
        fields = report.pack(self._bench, result)
        if not self._claim(Ending.REPORTED):
            raise AlreadyReported(self._ending)
        self._beater.stop()
        report.deliver(self._bench, self.lease, result, fields, give_up_at)
        self._delivered = True
        self._observe(result)

    def _failure(self, reason: FailureReason, retryable: bool, detail: str) -> JobFailed:
        return JobFailed(
            **self.stamp(), reason=reason, retryable=retryable, detail=detail[:MAX_DETAIL]
        )

    def _observe(self, result: AnyResult) -> None:
        status = result.reason.value if isinstance(result, JobFailed) else "done"
        seconds = (result.finished_at - self.started_at).total_seconds()
        kind = str(type(self.job).__struct_config__.tag)
        self._bench.metrics.job_duration.labels(kind, status).observe(seconds)

    def _beat(self) -> None:
        tally, doing = self._told
        self.lease.beat(
            Beat(attempt=self.job.attempt, worker=self.worker, tally=tally, doing=doing)
        )

    def _overtime(self, error: BaseException | None) -> str:
        said = f"{self.job.budget_s:.0f} s were not enough"
        return said if error is None else f"{said}; it was at {trace.describe(error)}"

    def _limit(self) -> tuple[float, str]:
        if self.stopping.is_set() and self._stop_at is None:
            self._stop_at = time.monotonic() + self._bench.stop_s
        if self._stop_at is not None and self._stop_at < self._ends_at:
            return self._stop_at, STOPPED
        return self._ends_at, OVERTIME

    def _strike(self, why: str) -> None:
        self._struck = why
        threading.Thread(target=self._on_overtime, name="overtime", daemon=True).start()

    def _end(self, why: str) -> None:
        """The handler does not come back: speak for it, and end the process."""
        if why == STOPPED:
            self.hand_back()
            self._bench.leave(0)
            return
        late = self._failure(FailureReason.TIMEOUT, True, self._overtime(None))
        try:
            self._report(late, time.monotonic() + LAST_WORDS_S)
        except (AlreadyReported, LeaseLost, Undelivered) as error:
            log.warning("no last words for %s: %s", self.job.job_id, type(error).__name__)
        self._bench.leave(EXIT_OVERTIME)


Handler = Callable[[AnyJob, Duty], None]


def perform(duty: Duty, handler: Handler, bench: Bench) -> Ending:
    """Run a job that has begun, to one of its three ends."""
    duty.open()
    try:
        return duty.settle(_run(duty, handler))
    except LeaseLost:
        return duty.lose()
    except HandBack:
        return duty.hand_back()
    except StoreTrouble as trouble:
        return duty.wait_for_store(trouble)
    except Undelivered:
        bench.leave(EXIT_AGAIN)
        return Ending.LOST
    finally:
        duty.close()


def _run(duty: Duty, handler: Handler) -> BaseException | None:
    try:
        handler(duty.job, duty)
    except (LeaseLost, HandBack, StoreTrouble, Undelivered):
        raise
    except (Exception, Interrupt) as error:  # noqa: BLE001 - ends as `crashed` or `timeout`
        return error
    return None
