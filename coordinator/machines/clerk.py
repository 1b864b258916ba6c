"""How the life of a job is written into the book: results, failures, looks at the leases.

Invariant: a job is settled once, and blamed only for what it or its worker did; a job that was
handed back or never begun costs nothing. Leaves out the run's steps, which `exploration` moves.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from contract.identity import JobId
from contract.results import JobFailed
from contract.vocabulary import BLOCKING, FailureReason
from coordinator.machines.book import JobBook
from coordinator.machines.effects import Drop, Effect, FailJob, Forget, MergeResult, Retry
from coordinator.machines.events import Begun, Pulse, ResultArrived


@dataclass(frozen=True, slots=True)
class Limits:
    """Every threshold of the machine. `patience_s`: from publishing a job to giving it up."""

    workers: int = 2
    attempts: int = 2
    patience_s: float = 1200.0
    misses: int = 3
    most_out: int = 1000

    def until(self, now: datetime) -> datetime:
        """When a job that is published now is given up."""
        return now + timedelta(seconds=self.patience_s)


def why_not(book: JobBook, event: ResultArrived) -> str | None:
    """Why a result does not count, or None if it does."""
    result = event.result
    if not event.known:
        return "unknown_job"
    attempt = book.out.get(result.job_id)
    if attempt is None:
        return "late_attempt" if result.job_id in book.again else "duplicate"
    if result.epoch != attempt.epoch:
        return "stale_epoch" if result.epoch < attempt.epoch else "unknown_epoch"
    if result.attempt != attempt.number:
        return "late_attempt" if result.attempt < attempt.number else "unknown_attempt"
    return None


def is_hopeless(failure: JobFailed) -> bool:
    """Whether another attempt would fail in the same way."""
    return failure.reason is FailureReason.LOST_TWICE or not failure.retryable


def stops_the_run(failure: JobFailed, *, piloted: bool) -> bool:
    """Whether no other route would fare better.

    A page that asks for a password says so of the whole app as long as no pilot has come back.
    """
    lost = failure.reason is FailureReason.AUTH_LOST
    return failure.reason in BLOCKING or (lost and not piloted)


def words(failure: JobFailed) -> str:
    """A failure as one line."""
    return f"{failure.reason}: {' '.join(failure.detail.split())[:500]}"


class Clerk:
    """Writes one event into the book and notes what is to be done about it."""

    def __init__(
        self, book: JobBook, limits: Limits, effects: list[Effect], *, piloted: bool
    ) -> None:
        self.book = book
        self.limits = limits
        self.effects = effects
        self.piloted = piloted

    def begin(self, event: Begun) -> None:
        """Of what was out, keep what a worker holds; the rest is published again."""
        for job in self.book.out:
            running = job in event.alive
            lost = event.starts.get(job, 0) - running
            self.book.note(job, deadline=self.limits.until(event.now), base=lost)
        self.give_back_all(keep=event.alive)

    def empty(self) -> None:
        """Redis lost the jobs, and the count of their starts with them."""
        for job in self.book.out:
            self.book.note(job, base=0)
        self.give_back_all()

    def give_back_all(self, keep: frozenset[JobId] = frozenset()) -> None:
        for job in [job for job in self.book.out if job not in keep]:
            self.book.give_back(job)

    def result(self, event: ResultArrived) -> None:
        """A result that counts is merged, blamed or handed back; any other is dropped."""
        result = event.result
        if reason := why_not(self.book, event):
            self.effects.append(Drop(reason))
        elif isinstance(result, JobFailed):
            self._failed(result)
        else:
            self.effects.append(MergeResult(result.job_id, result))

    def _failed(self, failure: JobFailed) -> None:
        handed_back = failure.reason is FailureReason.HANDED_BACK
        if handed_back or stops_the_run(failure, piloted=self.piloted):
            self.book.give_back(failure.job_id)
        else:
            self.blame(failure.job_id, words(failure), hopeless=is_hopeless(failure))

    def blame(self, job: JobId, error: str, *, hopeless: bool = False) -> None:
        """The attempt counts: try again, or give the job up."""
        if job not in self.book.out:
            return
        attempt = self.book.blame(job, error)
        if hopeless or attempt.tries >= self.limits.attempts:
            self.book.settle(job, failed=True)
            over = FailJob(job, attempt.number, attempt.error, error)
            self.effects.extend((over, Forget(job)))
        else:
            self.effects.append(Retry(job, error))

    def pulse(self, event: Pulse) -> None:
        """Give up the jobs whose worker is gone or whose time is over."""
        for job in list(self.book.out):
            self._look(job, event)

    def _look(self, job: JobId, event: Pulse) -> None:
        """The starts of a job are its lost workers and the one that runs it; `base` of them were
        lost before this attempt. A worker that hands a job back takes its start with it.
        """
        attempt, starts = self.book.out[job], event.starts.get(job, 0)
        alive = job in event.alive
        begun = alive or starts > attempt.base
        missed = attempt.missed + 1 if begun and not alive else 0
        self.book.note(job, missed=missed)
        over = attempt.deadline is not None and event.now >= attempt.deadline
        if missed >= self.limits.misses:
            self.book.note(job, base=starts)
            self.blame(job, "the worker was lost")
        elif over and begun:
            self.blame(job, "no result by its deadline")
        elif over:
            self.book.give_back(job)
