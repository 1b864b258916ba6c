"""Ledgers and events of the exploration machine, in the few words that its tests need."""

from datetime import UTC, datetime

from contract.action_tree import ActionTree, PageInfo, RouteReport
from contract.identity import JobId, RunId
from contract.results import AnyResult, JobFailed, RouteExplored
from contract.vocabulary import FailureReason, RouteStatus
from coordinator.machines.book import JobBook
from coordinator.machines.effects import (
    Effect,
    MergeResult,
    PublishJob,
)
from coordinator.machines.events import (
    Begun,
    Event,
    Merged,
    ResultArrived,
)
from coordinator.machines.exploration import (
    Ledger,
    Limits,
    advance,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LIMITS = Limits(workers=2)
JOBS = tuple(JobId(f"job-{number}") for number in range(12))
PILOT, A, B, C = map(JobId, ("pilot", "a", "b", "c"))


def ledger_of(*jobs: JobId, **fields: object) -> Ledger:
    return Ledger(book=JobBook(jobs), epoch=1, **fields)  # type: ignore[arg-type]


def stamp(job: JobId, attempt: int, epoch: int) -> dict[str, object]:
    return {
        "run_id": RunId("run"),
        "job_id": job,
        "attempt": attempt,
        "epoch": epoch,
        "worker": "w",
        "started_at": NOW,
        "finished_at": NOW,
    }


def explored(job: JobId, attempt: int = 1, epoch: int = 1) -> ResultArrived:
    info = PageInfo(
        title="", has_table=False, row_count=0, column_headers=(), tabs=(), console_errors=()
    )
    report = RouteReport(
        route="/a",
        tested_at=NOW,
        status=RouteStatus.PASS,
        page_info=info,
        action_tree=ActionTree(),
        bugs=(),
        console_errors=(),
        summary="",
    )
    result = RouteExplored(**stamp(job, attempt, epoch), report=report)  # type: ignore[arg-type]
    return ResultArrived(NOW, result)


def failed(
    job: JobId,
    reason: FailureReason = FailureReason.CRASHED,
    attempt: int = 1,
    *,
    retryable: bool = True,
    epoch: int = 1,
) -> ResultArrived:
    result: AnyResult = JobFailed(
        **stamp(job, attempt, epoch),  # type: ignore[arg-type]
        reason=reason,
        retryable=retryable,
        detail="boom",
    )
    return ResultArrived(NOW, result)


def review_of(job: JobId) -> JobId:
    return JobId(f"review of {job}")


def play(
    ledger: Ledger, *events: Event, limits: Limits = LIMITS, reviews: bool = False
) -> tuple[Ledger, list[Effect]]:
    """Feed events as the loop does: a merge is answered at once; `reviews`: it asks for one."""
    seen: list[Effect] = []
    for event in events:
        ledger, effects = advance(ledger, event, limits)
        seen += effects
        for effect in effects:
            if isinstance(effect, MergeResult):
                review = review_of(effect.job_id) if reviews and not ledger.reviews else None
                ledger, more = play(ledger, Merged(effect.job_id, ("nav",), review), limits=limits)
                seen += more
    return ledger, seen


def published(effects: list[Effect]) -> list[tuple[JobId, int]]:
    return [(e.job_id, e.attempt) for e in effects if isinstance(e, PublishJob)]


def piloted(*jobs: JobId) -> Ledger:
    """A ledger of routes after the pilot came back, with its first window out."""
    ledger, _ = play(ledger_of(PILOT, *jobs), Begun(NOW), explored(PILOT))
    return ledger
