"""The loop of a run: the only performer of effects, and the only place with a clock.

A turn reads results, tells the machine, does what it wants done, saves, publishes. It yields what
happens to whoever watches. Invariants: a job is enqueued only after the state that counts it as
published is on disk; the stream is trimmed, and leases and blobs forgotten, only after the state
that includes their results is; so a crash between any two lines loses nothing and doubles nothing.
What passes by itself (no broker, no room on the disk) pauses the loop. Leaves out every decision,
which is the machine's, and every file, which is the desk's.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from contract.identity import JobId
from contract.results import Beat, JobFailed
from coordinator.driver.desk import Desk
from coordinator.driver.happenings import (
    Began,
    Dropped,
    Ended,
    GoesOn,
    Happening,
    Note,
    Paused,
    Progress,
    Published,
    RouteRetried,
    Running,
    Saved,
    Stopping,
)
from coordinator.driver.inbox import START, Delivery
from coordinator.driver.leftovers import Leftovers
from coordinator.driver.line import Line, explain, passes
from coordinator.driver.office import OfficeHeld
from coordinator.driver.pace import Clock, CommitPace, Every
from coordinator.driver.sent import Sent
from coordinator.driver.stop import LeaveNow, StopSignals
from coordinator.errors import HostError
from coordinator.machines.effects import (
    Drop,
    Effect,
    FailJob,
    Finish,
    Forget,
    MergeResult,
    PublishJob,
    Retry,
    TurnToReview,
    Withdraw,
    WriteReports,
)
from coordinator.machines.events import (
    Begun,
    BrokerEmptied,
    Committed,
    Event,
    Pulse,
    Reappointed,
    Reported,
    ResultArrived,
    StopAsked,
    Withdrawn,
)
from coordinator.machines.exploration import Ledger, Limits, Step, advance

T = TypeVar("T")
Telling = Generator[Happening, None, T]
"""Tells what happens on the way, and returns what came of it."""

BATCH = 100
BLOCK_S = 1.0
PULSE_S = 1.0
WATCH_S = 3.0
PATIENCE_S = 1.0


class Loop:
    """One run, from the ledger that the desk opens to a final step.

    `crash` of any kind may end it; the files then say what is left to do.
    """

    def __init__(
        self,
        *,
        desk: Desk,
        line: Line,
        limits: Limits,
        epoch: int,
        stop: StopSignals,
        clock: Clock | None = None,
        health: Callable[[int], object] = lambda _answers: None,
    ) -> None:
        self.desk = desk
        self.line = line
        self.limits = limits
        self.stop = stop
        self.clock = clock or Clock()
        self.health = health
        self.ledger: Ledger = desk.open(epoch)
        self.cursor = desk.cursor()
        self._outgoing: list[PublishJob] = []
        self._sent = Sent()
        self._forgotten: list[JobId] = []
        self._dirty = True
        self._stopping = False
        self._answers = 0
        self._workers = limits.workers
        self._beats: dict[JobId, Beat] = {}
        self._pace = CommitPace(self.clock)
        self._pulse = Every(self.clock, PULSE_S)
        self._watch = Every(self.clock, WATCH_S)
        self._leftovers = Leftovers(line.blobs, self.clock, limits.patience_s)

    def run(self) -> Iterator[Happening]:
        """Everything that happens, until the run is over."""
        yield from self._begin()
        while not self.ledger.final:
            yield from self._turn()
        yield from self._save()
        yield Ended(self.ledger.step, self.ledger.reason)

    def clean_up(self) -> None:
        """Leave nothing of a completed run in Redis and the blob store."""
        if blob := self.line.leases.login_blob():
            self._leftovers.add([blob])
        self._leftovers.sweep(everything=True)
        self.line.leases.close()

    def _begin(self) -> Iterator[Happening]:
        """Take up what an earlier coordinator left: first its results, then its jobs."""
        yield self._began(Step.REVIEWING if self.ledger.reviews else Step.TESTING)
        if (yield from self._patiently(self._lost_run)):
            self.cursor = START
        yield from self._patiently(self._void_the_dead)
        pulse = yield from self._patiently(self._look)
        while not (yield from self._read(0.0)):
            pass
        yield from self._patiently(self._clear_queue)
        yield from self._feed(Begun(self.clock.now(), pulse.alive, pulse.starts))

    def _began(self, step: Step) -> Began:
        book = self.ledger.book
        return Began(book.completed + book.failed + book.left, book.completed, book.failed, step)

    def _lost_run(self) -> bool:
        """Whether Redis has lost the run's stream since the cursor was saved; leaves the mark."""
        behind = _place(self.line.inbox.last_id()) < _place(self.cursor)
        marked = self.line.leases.marked()
        self.line.leases.mark()
        return behind or not marked

    def _void_the_dead(self) -> None:
        """The workers of a private broker died with its coordinator; their jobs did nothing."""
        if self.line.private:
            self.line.void_beats(self.desk.run_id, list(self.ledger.book.out))

    def _clear_queue(self) -> None:
        """What still waits would only repeat what is published now."""
        self.line.publisher.purge(self.line.queue, self.desk.run_id)
        self.line.leases.forget_login_failure()

    def _turn(self) -> Iterator[Happening]:
        if self.stop.asked and not self._stopping:
            self._stopping = True
            yield from self._feed(StopAsked())
            yield Stopping(len(self.ledger.book.out))
        if self._watch.due():
            yield from self._stand_watch()
        pulse = None
        if self._pulse.due():
            # Before the read: a worker reports first and drops its beat after, so that whoever has
            # no beat now, and no result in what is read next, is lost.
            pulse = yield from self._patiently(self._look)
        dry = yield from self._read(0.0 if pulse else self._block_s())
        if pulse and dry:
            yield from self._feed(pulse)
            yield self._progress()
        if self._dirty and self._pace.left_s == 0.0 and not self.ledger.final:
            yield from self._save()

    def _block_s(self) -> float:
        """Until something else is due."""
        waits = [BLOCK_S, self._pulse.left_s]
        if self._dirty:
            waits.append(self._pace.left_s)
        return max(0.001, min(waits))

    def _read(self, block_s: float) -> Telling[bool]:
        """Tell the machine what came in; true when there was no more to read."""
        page = yield from self._patiently(lambda: self.line.inbox.read(self.cursor, BATCH, block_s))
        for delivery in page:
            yield from self._deliver(delivery)
            self.cursor = delivery.cursor
            self._dirty = True
            if self.ledger.final:
                return True
        return len(page) < BATCH

    def _deliver(self, delivery: Delivery) -> Iterator[Happening]:
        now, result = self.clock.now(), delivery.result
        if result is None:
            yield Dropped("unreadable")
            return
        self._answers += 1
        status = str(result.reason) if isinstance(result, JobFailed) else "done"
        yield self._sent.answered(result, status, now)
        known = self.desk.route_of(result.job_id) is not None
        yield from self._feed(ResultArrived(now, result, known))

    def _feed(self, event: Event) -> Iterator[Happening]:
        """One event, and the events that its effects bring about."""
        self.ledger, effects = advance(self.ledger, event, self.limits)
        for effect in effects:
            yield from self._perform(effect)

    def _perform(self, effect: Effect) -> Iterator[Happening]:
        self._dirty = True
        match effect:
            case PublishJob() | Forget() | Finish():
                self._keep(effect)
            case MergeResult():
                yield from self._merge(effect)
            case FailJob():
                yield self.desk.fail(effect, self.clock.now())
            case Drop():
                yield Dropped(effect.reason)
            case Retry():
                yield RouteRetried(self._route(effect.job_id), effect.why)
            case Withdraw():
                yield from self._withdraw()
            case TurnToReview():
                yield self._began(Step.REVIEWING)
            case WriteReports():
                yield from self._patiently(self.desk.publish_pages)
                yield from self._feed(Reported())

    def _keep(self, effect: PublishJob | Forget | Finish) -> None:
        """What is done with the next commit; `run` makes one more after the last turn."""
        if isinstance(effect, PublishJob):
            self._outgoing.append(effect)
        elif isinstance(effect, Forget):
            self._forgotten.append(effect.job_id)

    def _route(self, job: JobId) -> str:
        return self.desk.route_of(job) or job

    def _merge(self, effect: MergeResult) -> Iterator[Happening]:
        answer, told = yield from self._patiently(lambda: self.desk.merge(effect, self.clock.now()))
        yield from told
        yield from self._feed(answer)
        self._leftovers.add(self.desk.spent(effect.result))

    def _withdraw(self) -> Iterator[Happening]:
        """Take back what nobody has begun, here or in the queue."""
        never_sent = {order.job_id for order in self._outgoing}
        self._outgoing.clear()
        yield from self._patiently(
            lambda: self.line.publisher.purge(self.line.queue, self.desk.run_id)
        )
        pulse = yield from self._patiently(self._look)
        out = self.ledger.book.out
        idle = {
            job
            for job, attempt in out.items()
            if job not in pulse.alive and pulse.starts.get(job, 0) <= attempt.base
        }
        yield from self._feed(Withdrawn(frozenset(idle | never_sent)))

    def _look(self) -> Pulse:
        """The leases of the jobs that are out."""
        out = self.ledger.book.out
        self._beats = self.line.leases.beats(list(out))
        starts = self.line.leases.starts(list(out))
        alive = {job for job, beat in self._beats.items() if beat.attempt == out[job].number}
        return Pulse(self.clock.now(), frozenset(alive), starts)

    def _stand_watch(self) -> Iterator[Happening]:
        """What is due every few seconds: a Redis that forgot, our own office, dead workers."""
        if (yield from self._patiently(self._lost_run)):
            self.cursor = START
            yield Note("the broker lost its data; what was outstanding is sent again")
            yield from self._feed(BrokerEmptied())
        epoch = yield from self._patiently(self._keep_office)
        if epoch != self.ledger.epoch:
            yield from self._feed(Reappointed(epoch))
        yield from self._patiently(self._maintain)
        self.limits = replace(self.limits, workers=max(self._workers, 1))

    def _keep_office(self) -> int:
        try:
            return self.line.keep_office(self.ledger.epoch)
        except OfficeHeld as error:
            raise HostError(
                f"another coordinator ({error.holder}) took over this run",
                "this one stops here; what it saved is kept. See: mazewave status",
            ) from error

    def _maintain(self) -> None:
        self.health(self._answers)
        self.line.publisher.maintain(self.line.queue)
        self._workers = self.line.workers(self.clock.now())
        self._leftovers.sweep()

    def _progress(self) -> Progress:
        book = self.ledger.book
        running = tuple(
            Running(self._route(job), beat.worker, beat.tally, beat.doing)
            for job, beat in self._beats.items()
            if job in book.out
        )
        return Progress(running, len(book.out) - len(running), book.left, self._workers)

    def _save(self) -> Iterator[Happening]:
        """The group commit, and what may be done only after it."""
        took = yield from self._patiently(self._commit)
        self._pace.took(took)
        self._dirty = False
        yield Saved(took)
        yield from self._send()
        yield from self._patiently(self._tidy)
        yield from self._feed(Committed())

    def _commit(self) -> float:
        """How long it took, without the time that was spent waiting for room."""
        began = self.clock.steady()
        self.desk.save(self.ledger, self.cursor, self.clock.now())
        return self.clock.steady() - began

    def _send(self) -> Iterator[Happening]:
        while self._outgoing:
            order = self._outgoing[0]
            yield from self._patiently(partial(self._send_one, order))
            self._outgoing.pop(0)
            yield Published(self._route(order.job_id), order.attempt)

    def _send_one(self, order: PublishJob) -> None:
        job = self.desk.job(order, self.ledger)
        self._sent.add(job, self.clock.now())
        self.line.publisher.publish(job)

    def _tidy(self) -> None:
        self.line.inbox.trim(self.cursor)
        while self._forgotten:
            self.line.leases.forget(self._forgotten[-1])
            self._forgotten.pop()

    def _patiently(self, action: Callable[[], T]) -> Telling[T]:
        """Do it, and while something outside is in the way, say so once and try again."""
        waiting = False
        while True:
            try:
                result = action()
            except Exception as error:
                if not passes(error):
                    raise
                if self.stop.asked and waiting:
                    raise LeaveNow from error
                if not waiting:
                    yield Paused(explain(error))
                waiting = True
                self.health(self._answers)
                self.clock.sleep(PATIENCE_S)
            else:
                if waiting:
                    yield GoesOn()
                return result


def _place(cursor: str) -> tuple[int, int]:
    """A place in a stream, comparable."""
    milliseconds, _, number = cursor.partition("-")
    return int(milliseconds), int(number or 0)
