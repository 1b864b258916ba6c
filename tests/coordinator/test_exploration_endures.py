"""The exploration machine under whatever comes: it settles, and can be put down and taken up."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from contract.identity import JobId
from contract.vocabulary import FailureReason
from coordinator.machines.book import JobBook
from coordinator.machines.events import (
    Begun,
    BrokerEmptied,
    Committed,
    Event,
    Pulse,
    Refused,
)
from coordinator.machines.exploration import (
    Ledger,
    Step,
)
from tests.support.exploration import (
    JOBS,
    NOW,
    explored,
    failed,
    ledger_of,
    piloted,
    play,
    published,
)


def resumed(ledger: Ledger) -> Ledger:
    """What the state file would give back."""
    book = ledger.book
    pending = [job for job in JOBS if job in {*book.waiting, *book.again, *book.out}]
    return Ledger(
        book=JobBook(
            pending,
            out=book.out,
            again=book.again,
            completed=book.completed,
            failed=book.failed,
        ),
        epoch=ledger.epoch,
        shared=ledger.shared,
        shared_by=ledger.shared_by,
    )


@st.composite
def events(draw: st.DrawFn, ledger: Ledger) -> Event:
    job = draw(st.sampled_from(JOBS))
    attempt = draw(st.integers(0, 4))
    kind = draw(st.integers(0, 8))
    if kind <= 3:
        mine = ledger.book.out.get(job)
        return explored(job, mine.number if mine else attempt)
    if kind == 4:
        harmless = sorted(set(FailureReason) - {FailureReason.HANDED_BACK})
        reason = draw(st.sampled_from(harmless))
        return failed(job, reason, attempt, retryable=draw(st.booleans()))
    if kind == 5:
        now = NOW + timedelta(seconds=draw(st.integers(0, 3000)))
        alive = draw(st.frozensets(st.sampled_from(JOBS)))
        return Pulse(now, alive, draw(st.dictionaries(st.sampled_from(JOBS), st.integers(0, 3))))
    if kind == 6:
        return BrokerEmptied() if draw(st.booleans()) else Committed()
    if kind == 7:
        return Refused(job, "bad")
    return failed(job, FailureReason.HANDED_BACK, attempt)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_resuming_from_the_files_after_any_event_gives_the_same_ledger(data: st.DataObject) -> None:
    ledger, _ = play(ledger_of(*JOBS), Begun(NOW))
    for _ in range(data.draw(st.integers(0, 40))):
        if ledger.final or ledger.step is Step.REPORTING:
            break
        ledger, _ = play(ledger, data.draw(events(ledger)))
        again = resumed(ledger)
        assert again.book == ledger.book
        assert (again.shared, again.epoch) == (ledger.shared, ledger.epoch)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_run_settles_within_its_budget_whatever_happens(data: st.DataObject) -> None:
    """Each route is published at most twice for its own failures, and once per costless loss."""
    ledger, effects = play(ledger_of(*JOBS), Begun(NOW))
    total, free = len(published(effects)), 0
    while not ledger.final and ledger.step is not Step.REPORTING:
        job = next(iter(ledger.book.out))
        number = ledger.book.out[job].number
        choice = data.draw(st.integers(0, 9))
        event: Event = explored(job, number)
        if choice < 3:
            event = failed(job, attempt=number)
        elif choice == 3 and free < 20:
            free += len(ledger.book.out)
            event = BrokerEmptied()
        ledger, effects = play(ledger, event)
        total += len(published(effects))
    assert total <= 2 * len(JOBS) + free
    assert ledger.book.completed + ledger.book.failed == len(JOBS)


def test_the_cost_of_a_result_does_not_copy_the_map() -> None:
    ledger = piloted(*(JobId(f"x{n}") for n in range(1000)))
    after, _ = play(ledger, explored(JobId("x0")))
    assert after.book is ledger.book
    assert len(after.book.waiting) == len(ledger.book.waiting)
