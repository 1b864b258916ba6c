"""What a machine wants done, as data; `driver/loop.py` is the only one that does it.

Order matters within one answer. A `PublishJob` is enqueued only after the state that counts it as
published is on disk.
"""

from dataclasses import dataclass
from datetime import datetime

from contract.identity import JobId
from contract.results import Finding


@dataclass(frozen=True, slots=True)
class PublishJob:
    """Send a job. After `deadline` nobody waits for its result.

    `epoch` is that of the attempt, which may be older than the coordinator's own by the time the
    job is sent.
    """

    job_id: JobId
    attempt: int
    epoch: int
    deadline: datetime


@dataclass(frozen=True, slots=True)
class MergeResult:
    """Check what a worker found and put it on disk, then answer `Merged` or `Refused`."""

    job_id: JobId
    result: Finding


@dataclass(frozen=True, slots=True)
class FailJob:
    """The attempts are used up. `error` is the first one's, `last_error` the last one's.

    The number of the last attempt is kept, since a later one must be newer to any worker.
    """

    job_id: JobId
    attempt: int
    error: str
    last_error: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Nothing of this job's lease, checkpoints and result is needed any more."""

    job_id: JobId


@dataclass(frozen=True, slots=True)
class Drop:
    """Count a result that was of no use."""

    reason: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Tell the user that a job will be tried again, and why."""

    job_id: JobId
    why: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back what waits in the queue, then answer `Withdrawn`."""


@dataclass(frozen=True, slots=True)
class TurnToReview:
    """Tell the user that every route is tested, and that the bugs are looked at again now."""


@dataclass(frozen=True, slots=True)
class WriteReports:
    """Write the pages for the user, then answer `Reported`."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Write the state; the run is over. `reason` is set where it is blocked."""

    reason: str | None = None


Effect = (
    PublishJob
    | MergeResult
    | FailJob
    | Forget
    | Drop
    | Retry
    | Withdraw
    | TurnToReview
    | WriteReports
    | Finish
)
