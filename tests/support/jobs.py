"""Jobs and results for tests, and waiting without a timed assertion."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from contract.identity import JobId, RunId
from contract.jobs import DiscoverRoutes, Site
from contract.results import RoutesDiscovered

T = TypeVar("T")

RUN = RunId("run-1")
WAIT_S = 20.0


def job(
    job_id: str = "discover",
    *,
    attempt: int = 1,
    start: str = "/",
    budget_s: float = 30.0,
    deadline_s: float = 600.0,
) -> DiscoverRoutes:
    """`start` tells the echo worker what to do."""
    return DiscoverRoutes(
        run_id=RUN,
        job_id=JobId(job_id),
        attempt=attempt,
        epoch=1,
        deadline=datetime.now(UTC) + timedelta(seconds=deadline_s),
        budget_s=budget_s,
        site=Site(base_url="http://127.0.0.1:1"),
        start=start,
    )


def result(of: DiscoverRoutes, *, worker: str = "worker-1") -> RoutesDiscovered:
    now = datetime.now(UTC)
    return RoutesDiscovered(
        run_id=of.run_id,
        job_id=of.job_id,
        attempt=of.attempt,
        epoch=of.epoch,
        worker=worker,
        started_at=now,
        finished_at=now,
        routes=(),
    )


def wait_for(ask: Callable[[], T], seconds: float = WAIT_S) -> T:
    """Ask until the answer is true, and return it; fail after a deadline that is far off."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"nothing came within {seconds} s")
