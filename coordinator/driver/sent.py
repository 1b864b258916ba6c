"""When each job was sent, and what its answer tells about waiting times and clocks.

A job is begun after it was sent and ended before its result is read, whatever the clocks say: what
contradicts that is a difference between the worker's clock and ours. Invariant: at most one entry
per job. Leaves out deciding anything by it.
"""

from datetime import datetime

from contract.identity import JobId
from contract.jobs import AnyJob
from contract.results import AnyResult
from coordinator.driver.happenings import Answered


class Sent:
    """The moment at which the last attempt at each job was sent."""

    def __init__(self) -> None:
        self._moments: dict[JobId, tuple[int, int, datetime]] = {}

    def add(self, job: AnyJob, now: datetime) -> None:
        """The job goes out now; a newer attempt replaces an older one."""
        self._moments[job.job_id] = (job.attempt, job.epoch, now)

    def answered(self, result: AnyResult, status: str, now: datetime) -> Answered:
        """What is told about a result that is read now."""
        sent = self._take(result)
        waited = _seconds(result.started_at, sent) if sent else None
        lag = _seconds(now, result.finished_at)
        ahead, behind = max(0.0, -lag), max(0.0, -(waited or 0.0))
        return Answered(
            status=status,
            lag_s=lag,
            worked_s=_seconds(result.finished_at, result.started_at),
            waited_s=waited,
            skew_s=ahead - behind,
        )

    def _take(self, result: AnyResult) -> datetime | None:
        attempt, epoch, moment = self._moments.get(result.job_id, (0, 0, None))
        if (attempt, epoch) != (result.attempt, result.epoch):
            return None
        del self._moments[result.job_id]
        return moment


def _seconds(later: datetime, earlier: datetime) -> float:
    return (later - earlier).total_seconds()
