"""Ledgers and events of the exploration machine, in the few words that its tests need."""

from datetime import UTC, datetime

from contract.action_tree import ActionTree, PageInfo, RouteReport
from contract.identity import JobId, RunId
from contract.results import AnyResult, JobFailed, RouteExplored
from contract.vocabulary import FailureReason, RouteStatus
from coordinator.machines.book import RouteBook
from coordinator.machines.effects import (
    Effect,
    MergeReport,
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
ROUTES = tuple(f"/r{number}" for number in range(12))


def ledger_of(*routes: str, **fields: object) -> Ledger:
    return Ledger(book=RouteBook(routes), epoch=1, **fields)  # type: ignore[arg-type]


def stamp(attempt: int, epoch: int) -> dict[str, object]:
    return {
        "run_id": RunId("run"),
        "job_id": JobId("job"),
        "attempt": attempt,
        "epoch": epoch,
        "worker": "w",
        "started_at": NOW,
        "finished_at": NOW,
    }


def explored(route: str, attempt: int = 1, epoch: int = 1) -> ResultArrived:
    info = PageInfo(
        title="", has_table=False, row_count=0, column_headers=(), tabs=(), console_errors=()
    )
    report = RouteReport(
        route=route,
        tested_at=NOW,
        status=RouteStatus.PASS,
        page_info=info,
        action_tree=ActionTree(),
        bugs=(),
        console_errors=(),
        summary="",
    )
    result = RouteExplored(**stamp(attempt, epoch), report=report)  # type: ignore[arg-type]
    return ResultArrived(NOW, route, result)


def failed(
    route: str,
    reason: FailureReason = FailureReason.CRASHED,
    attempt: int = 1,
    *,
    retryable: bool = True,
    epoch: int = 1,
) -> ResultArrived:
    result: AnyResult = JobFailed(
        **stamp(attempt, epoch),  # type: ignore[arg-type]
        reason=reason,
        retryable=retryable,
        detail="boom",
    )
    return ResultArrived(NOW, route, result)


def play(ledger: Ledger, *events: Event, limits: Limits = LIMITS) -> tuple[Ledger, list[Effect]]:
    """Feed events as the loop does: a merge is answered at once, and so are the reports."""
    seen: list[Effect] = []
    for event in events:
        ledger, effects = advance(ledger, event, limits)
        seen += effects
        for effect in effects:
            if isinstance(effect, MergeReport):
                ledger, more = play(ledger, Merged(effect.route, ("nav",)), limits=limits)
                seen += more
    return ledger, seen


def published(effects: list[Effect]) -> list[tuple[str, int]]:
    return [(e.route, e.attempt) for e in effects if isinstance(e, PublishJob)]


def piloted(*routes: str) -> Ledger:
    """A ledger of routes after the pilot came back, with its first window out."""
    ledger, _ = play(ledger_of("/pilot", *routes), Begun(NOW), explored("/pilot"))
    return ledger
