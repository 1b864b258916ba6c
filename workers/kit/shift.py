"""What happens to one message: read it, begin the job, perform it, or say why not.

Invariant: a message is acknowledged exactly when it needs no second look: reported, handed back as
a new message, dropped for a counted reason, or set aside whole. Leaves out fetching and processes.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import redis

from contract.channels import ACTOR_OF, SET_ASIDE_LIMIT, set_aside_key
from contract.jobs import REVISION, AnyJob
from contract.results import JobFailed
from contract.vocabulary import FailureReason
from contract.wire import WireError, dumps, job_from_message, loads
from workers.kit import report
from workers.kit.bench import Bench
from workers.kit.duty import Duty, Ending, Handler, perform
from workers.kit.errors import LeaseLost, Undelivered
from workers.kit.lease import Begin, Lease

log = logging.getLogger("mazewave.worker")

GiveBack = Callable[[str, object], None]
"""Puts a message (actor name, argument) back into the queue."""

KEPT_BYTES = 64 * 1024


class Shift:
    """The jobs of one worker, one after the other."""

    def __init__(self, bench: Bench, handlers: Mapping[str, Handler], give_back: GiveBack) -> None:
        self._bench = bench
        self._handlers = handlers
        self._give_back = give_back
        self.busy = False

    def take(self, actor: str, message: object) -> None:
        """What a Dramatiq actor does; it raises nothing."""
        self.busy = True
        try:
            self._take(actor, message)
        finally:
            self.busy = False

    def _take(self, actor: str, message: object) -> None:
        if self._bench.signs.leaving():
            self._give_back(actor, message)
            return
        try:
            job = read(actor, message)
        except WireError as error:
            self._refuse(message, str(error))
            return
        if job.deadline < datetime.now(UTC):
            self._drop("deadline", job)
            return
        self._begin(actor, message, job)

    def _begin(self, actor: str, message: object, job: AnyJob) -> None:
        duty = Duty(self._bench, job, lambda: self._give_back(actor, message))
        try:
            began = duty.begin()
        except redis.RedisError as error:
            # Nothing has happened to the job; take the way of a lost worker, without the loss.
            self._bench.note("begin", error)
            self._give_back(actor, message)
            return
        if began is Begin.OLD:
            self._drop("old_attempt", job)
        elif began is Begin.SPENT:
            self._report_spent(duty)
        else:
            self._perform(duty, actor)

    def _perform(self, duty: Duty, actor: str) -> None:
        ending = perform(duty, self._handlers[actor], self._bench)
        if ending is not Ending.REPORTED:
            self._drop(ending.value, duty.job)

    def _report_spent(self, duty: Duty) -> None:
        reason = FailureReason.LOST_TWICE
        try:
            duty.fail(reason, retryable=False, detail="every worker that began it was lost")
        except LeaseLost:
            self._drop("old_attempt", duty.job)
        except Undelivered:
            self._bench.leave(75)

    def _drop(self, reason: str, job: AnyJob) -> None:
        self._bench.metrics.dropped.labels(reason).inc()
        log.info("%s attempt %d ends: %s", job.job_id, job.attempt, reason)

    def _refuse(self, message: object, problem: str) -> None:
        self.set_aside(problem, dumps(message))
        failure = unreadable(message, self._bench.worker, problem)
        if failure is None:
            return
        lease = Lease(self._bench, failure.run_id, failure.job_id, failure.attempt)
        try:
            report.deliver(self._bench, lease, failure, report.pack(self._bench, failure), 0.0)
        except (LeaseLost, Undelivered) as error:
            log.warning("not reported as unreadable: %s", type(error).__name__)

    def set_aside(self, problem: str, data: bytes) -> None:
        """Keep a message that nobody could read, to be looked at."""
        self._bench.metrics.set_aside.inc()
        log.warning("a message was set aside: %s", problem)
        text = data[:KEPT_BYTES].decode("utf-8", "replace")
        kept = {"where": "jobs", "problem": problem, "data": text}
        key = set_aside_key(self._bench.namespace)
        try:
            self._bench.redis.lpush(key, dumps(kept))
            self._bench.redis.ltrim(key, 0, SET_ASIDE_LIMIT - 1)
        except redis.RedisError as error:
            self._bench.note("set_aside", error)


def read(actor: str, message: object) -> AnyJob:
    """The job of a message, if it is one of this actor in a revision that we understand."""
    job = job_from_message(message)
    if ACTOR_OF[type(job)] != actor:
        raise WireError(f"a job for {ACTOR_OF[type(job)]} sent to {actor}")
    if job.revision > REVISION:
        raise WireError(f"revision {job.revision} is newer than this worker's {REVISION}")
    return job


def unreadable(message: object, worker: str, problem: str) -> JobFailed | None:
    """A failure in the name of a job that cannot be read, if it can be named."""
    if not isinstance(message, dict):
        return None
    now = datetime.now(UTC).isoformat()
    fields = {name: message.get(name) for name in ("run_id", "job_id", "attempt", "epoch")}
    try:
        return loads(
            dumps(
                {
                    **fields,
                    "kind": "job_failed",
                    "worker": worker,
                    "started_at": now,
                    "finished_at": now,
                    "reason": FailureReason.NOT_DECODED,
                    "retryable": False,
                    "detail": problem[:500],
                }
            ),
            JobFailed,
        )
    except WireError:
        return None
