"""What a machine wants done, as data; `driver/loop.py` is the only one that does it.

Order matters within one answer. A `PublishJob` is enqueued only after the state that counts it as
published is on disk.
"""

from dataclasses import dataclass
from datetime import datetime

from contract.results import RouteExplored, RoutesDiscovered


@dataclass(frozen=True, slots=True)
class PublishJob:
    """Send a job. After `deadline` nobody waits for its result.

    `epoch` is that of the attempt, which may be older than the coordinator's own by the time the
    job is sent.
    """

    route: str
    attempt: int
    epoch: int
    deadline: datetime


@dataclass(frozen=True, slots=True)
class MergeReport:
    """Check what a worker found and put it on disk, then answer `Merged` or `Refused`."""

    route: str
    result: RouteExplored | RoutesDiscovered


@dataclass(frozen=True, slots=True)
class FailRoute:
    """The attempts are used up. `error` is the first one's, `last_error` the last one's.

    The number of the last attempt is kept, since a later one must be newer to any worker.
    """

    route: str
    attempt: int
    error: str
    last_error: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Nothing of this job's lease, checkpoints and result is needed any more."""

    route: str


@dataclass(frozen=True, slots=True)
class Drop:
    """Count a result that was of no use."""

    reason: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Tell the user that a route will be tried again, and why."""

    route: str
    why: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back what waits in the queue, then answer `Withdrawn`."""


@dataclass(frozen=True, slots=True)
class WriteReports:
    """Write the pages for the user, then answer `Reported`."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Write the state; the run is over. `reason` is set where it is blocked."""

    reason: str | None = None


Effect = (
    PublishJob | MergeReport | FailRoute | Forget | Drop | Retry | Withdraw | WriteReports | Finish
)
