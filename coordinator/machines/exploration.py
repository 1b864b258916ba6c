"""The exploration of a map: from its first route to its last.

**Theory.** A run begins, either to find routes (discovering) or to test them (testing). Routes are
published as jobs, up to a window, and each is settled by exactly one result: completed when its
report is on disk, failed when its attempts are used up. When every route is settled, the bugs of
each are looked at again by another job (reviewing), in the same way. Then the pages for the user
are written (reporting) and the run is completed. A failure that no other job would escape, such as
an app that does not answer, ends the run as blocked; its jobs stay open. So does a pilot that is
led to a login; later, that is the failure of a single route. A request to stop lets what runs
finish (draining), then the run is stopped. Completed, blocked and stopped are final.

**The life of a job.** pending → published (attempt n) → completed | failed. Blame is counted
apart from attempts: a job that was handed back, never begun, or lost with Redis is published again
at no cost. A result counts only if its attempt and epoch are those that are out; everything else is
dropped and counted by reason, so a result may arrive twice, late, or from a deposed coordinator.
What a job is about, a route to test or to review, only its id says.

**The pilot.** The first route is explored alone. The site-wide controls it meets go to all later
jobs, so that the trees are the same whatever the number of workers. If it fails, or meets none (an
error page has no menu), the next route is the pilot, up to the third.

**The window.** Two jobs per worker are out, so that none waits for the coordinator; twice as many
as were merged since the last commit where that is more, since nothing is published between commits.

`judge` is asked before an event is booked, and once more after it without the event: an illegal
move therefore raises before anything has changed. Leaves out the world: see `effects`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from contract.identity import JobId
from contract.results import JobFailed
from coordinator.machines.book import JobBook
from coordinator.machines.clerk import Clerk, Limits, stops_the_run, why_not, words
from coordinator.machines.effects import (
    Effect,
    Finish,
    Forget,
    PublishJob,
    TurnToReview,
    Withdraw,
    WriteReports,
)
from coordinator.machines.events import (
    Begun,
    BrokerEmptied,
    Committed,
    Event,
    Merged,
    Pulse,
    Reappointed,
    Refused,
    Reported,
    ResultArrived,
    StopAsked,
    Withdrawn,
)
from coordinator.machines.kernel import move

__all__ = [
    "FINAL",
    "TABLE",
    "Ledger",
    "Limits",
    "Signal",
    "Step",
    "advance",
    "judge",
    "window",
]


class Step(StrEnum):
    INIT = "init"
    DISCOVERING = "discovering"
    TESTING = "testing"
    REVIEWING = "reviewing"
    DRAINING = "draining"
    REPORTING = "reporting"
    COMPLETED = "completed"
    BLOCKED = "blocked"
    STOPPED = "stopped"


class Signal(StrEnum):
    FIND_ROUTES = "find_routes"
    TEST_ROUTES = "test_routes"
    REVIEW_BUGS = "review_bugs"
    ALL_SETTLED = "all_settled"
    ROUTES_FOUND = "routes_found"
    REPORTS_WRITTEN = "reports_written"
    CANNOT_GO_ON = "cannot_go_on"
    STOP = "stop"
    DRAINED = "drained"


TABLE: Mapping[tuple[Step, Signal], Step] = {
    (Step.INIT, Signal.FIND_ROUTES): Step.DISCOVERING,
    (Step.INIT, Signal.TEST_ROUTES): Step.TESTING,
    (Step.INIT, Signal.REVIEW_BUGS): Step.REVIEWING,
    (Step.INIT, Signal.STOP): Step.STOPPED,
    (Step.INIT, Signal.CANNOT_GO_ON): Step.BLOCKED,
    (Step.DISCOVERING, Signal.ROUTES_FOUND): Step.COMPLETED,
    (Step.DISCOVERING, Signal.CANNOT_GO_ON): Step.BLOCKED,
    (Step.DISCOVERING, Signal.STOP): Step.DRAINING,
    (Step.TESTING, Signal.REVIEW_BUGS): Step.REVIEWING,
    (Step.TESTING, Signal.ALL_SETTLED): Step.REPORTING,
    (Step.TESTING, Signal.CANNOT_GO_ON): Step.BLOCKED,
    (Step.TESTING, Signal.STOP): Step.DRAINING,
    (Step.REVIEWING, Signal.ALL_SETTLED): Step.REPORTING,
    (Step.REVIEWING, Signal.CANNOT_GO_ON): Step.BLOCKED,
    (Step.REVIEWING, Signal.STOP): Step.DRAINING,
    (Step.DRAINING, Signal.DRAINED): Step.STOPPED,
    (Step.DRAINING, Signal.ALL_SETTLED): Step.REPORTING,
    (Step.DRAINING, Signal.ROUTES_FOUND): Step.COMPLETED,
    (Step.DRAINING, Signal.CANNOT_GO_ON): Step.BLOCKED,
    (Step.REPORTING, Signal.REPORTS_WRITTEN): Step.COMPLETED,
}
FINAL = frozenset({Step.COMPLETED, Step.BLOCKED, Step.STOPPED})
PILOTS = 3
_PUBLISHING = frozenset({Step.DISCOVERING, Step.TESTING, Step.REVIEWING})
_WORKING = _PUBLISHING | {Step.DRAINING}


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that the machine knows. `shared` is None until a pilot has come back.

    `discovers`: the run looks for routes; `reviews`: its book holds reviews now.
    """

    book: JobBook
    epoch: int
    discovers: bool = False
    reviews: bool = False
    step: Step = Step.INIT
    shared: tuple[str, ...] | None = None
    shared_by: JobId | None = None
    pilots: int = 1
    """Routes explored alone so far, with the one that is out."""
    merged: int = 0
    """Results merged since the last commit."""
    pace: int = 0
    """Results merged between the last two commits."""
    reason: str | None = None
    now: datetime | None = None

    @property
    def final(self) -> bool:
        return self.step in FINAL

    @property
    def piloted(self) -> bool:
        """Whether a page of the app was explored."""
        return self.shared is not None or self.reviews


def window(ledger: Ledger, limits: Limits) -> int:
    """How many jobs may be out."""
    if not ledger.piloted:
        return 1
    return min(limits.most_out, max(2 * limits.workers, 2 * ledger.pace, 2))


def judge(ledger: Ledger, event: Event | None) -> Signal | None:
    """What an event means for the run, or, without one, what the ledger itself says."""
    match event:
        case None:
            return _judge_ledger(ledger)
        case Begun():
            return _judge_begin(ledger)
        case StopAsked():
            running = ledger.step in _PUBLISHING or ledger.step is Step.INIT
            return Signal.STOP if running else None
        case ResultArrived(result=JobFailed() as failure):
            counts = why_not(ledger.book, event) is None
            stops = stops_the_run(failure, piloted=ledger.piloted)
            return Signal.CANNOT_GO_ON if counts and stops else None
        case Reported():
            return Signal.REPORTS_WRITTEN
        case _:
            return None


def _judge_begin(ledger: Ledger) -> Signal:
    if ledger.discovers:
        return Signal.FIND_ROUTES
    return Signal.REVIEW_BUGS if ledger.reviews else Signal.TEST_ROUTES


def _judge_ledger(ledger: Ledger) -> Signal | None:
    if ledger.step not in _WORKING:
        return None
    if ledger.discovers and ledger.book.failed:
        return Signal.CANNOT_GO_ON
    draining = ledger.step is Step.DRAINING
    if ledger.book.left == 0 and not (draining and ledger.book.later):
        return _judge_settled(ledger)
    return Signal.DRAINED if draining and not ledger.book.out else None


def _judge_settled(ledger: Ledger) -> Signal:
    if ledger.discovers:
        return Signal.ROUTES_FOUND
    return Signal.REVIEW_BUGS if ledger.book.later else Signal.ALL_SETTLED


def advance(ledger: Ledger, event: Event, limits: Limits) -> tuple[Ledger, list[Effect]]:
    """Book an event; the ledger after it, and what is to be done."""
    effects: list[Effect] = []
    if signal := judge(ledger, event):
        ledger = _move(ledger, signal, event, effects)
    ledger = _book(ledger, event, limits, effects)
    if signal := judge(ledger, None):
        ledger = _move(ledger, signal, event, effects)
    if ledger.step in _PUBLISHING:
        _publish(ledger, limits, effects)
    return ledger, effects


def _move(ledger: Ledger, signal: Signal, event: Event, effects: list[Effect]) -> Ledger:
    """The only place that changes `step`."""
    ledger = replace(ledger, step=move(TABLE, ledger.step, signal))
    match ledger.step:
        case Step.REVIEWING if not ledger.reviews:
            ledger.book.turn()
            ledger = replace(ledger, reviews=True)
            effects.append(TurnToReview())
        case Step.DRAINING:
            effects.append(Withdraw())
        case Step.REPORTING:
            effects.append(WriteReports())
        case Step.BLOCKED:
            ledger = replace(ledger, reason=_reason(event))
            effects.extend((Withdraw(), Finish(ledger.reason)))
        case Step.COMPLETED | Step.STOPPED:
            effects.append(Finish())
        case _:
            pass
    return ledger


def _reason(event: Event) -> str:
    if isinstance(event, ResultArrived) and isinstance(event.result, JobFailed):
        return words(event.result)
    return event.why if isinstance(event, Refused) else "the search for routes failed"


def _book(ledger: Ledger, event: Event, limits: Limits, effects: list[Effect]) -> Ledger:
    """Write an event into the book, and its time into the ledger."""
    clerk = Clerk(ledger.book, limits, effects, piloted=ledger.piloted)
    match event:
        case Begun():
            clerk.begin(event)
        case ResultArrived():
            clerk.result(event)
        case Pulse():
            clerk.pulse(event)
        case Refused():
            clerk.blame(event.job_id, f"refused: {event.why}", hopeless=event.final)
        case BrokerEmptied():
            clerk.empty()
        case Withdrawn():
            clerk.give_back_all(keep=frozenset(ledger.book.out.keys() - event.job_ids))
        case _:
            return _note(ledger, event, effects)
    return replace(ledger, now=getattr(event, "now", ledger.now))


def _note(
    ledger: Ledger,
    event: Merged | Reappointed | Committed | StopAsked | Reported,
    effects: list[Effect],
) -> Ledger:
    """Write down what concerns the run rather than one route."""
    match event:
        case Merged():
            return _book_merge(ledger, event, effects)
        case Reappointed():
            return replace(ledger, epoch=event.epoch)
        case Committed():
            return replace(ledger, pace=ledger.merged, merged=0)
        case StopAsked() | Reported():
            return ledger


def _book_merge(ledger: Ledger, event: Merged, effects: list[Effect]) -> Ledger:
    ledger.book.settle(event.job_id, failed=False)
    effects.append(Forget(event.job_id))
    if event.review is not None:
        ledger.book.later[event.review] = None
    ledger.book.waiting.extend(event.more)
    ledger = replace(ledger, merged=ledger.merged + 1)
    if not ledger.piloted and not ledger.discovers:
        if not event.shared and ledger.pilots < PILOTS:
            return replace(ledger, pilots=ledger.pilots + 1)
        return replace(ledger, shared=event.shared, shared_by=event.job_id)
    return ledger


def _publish(ledger: Ledger, limits: Limits, effects: list[Effect]) -> None:
    """Fill the window."""
    if ledger.now is None:
        return
    deadline = limits.until(ledger.now)
    while ledger.book.idle and len(ledger.book.out) < window(ledger, limits):
        job, attempt = ledger.book.take(ledger.epoch, deadline)
        effects.append(PublishJob(job, attempt.number, attempt.epoch, deadline))
