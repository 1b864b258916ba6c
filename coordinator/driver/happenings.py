"""What a run tells whoever watches it: the live view, the plain view, the metrics.

Facts without side effects: a watcher that ignores all of them changes nothing.
"""

from dataclasses import dataclass

from contract.results import Tally
from contract.vocabulary import BugKind, RouteStatus, Severity
from coordinator.machines.exploration import Step

THE_SEARCH = "(discovery)"
"""Stands in for a route where the job is the one that looks for routes."""


@dataclass(frozen=True, slots=True)
class Began:
    """The run starts or goes on, in this step; the figures are those of the state file."""

    total: int
    completed: int
    failed: int
    step: Step = Step.TESTING


@dataclass(frozen=True, slots=True)
class Published:
    route: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A result was read. `lag_s`: from the worker's end to now; `worked_s`: how long it took.

    `waited_s`: from sending the job to the worker's begin, if we sent it ourselves. `skew_s`: how
    far the worker's clock is at least ahead of ours, or behind it.
    """

    status: str
    lag_s: float
    worked_s: float
    waited_s: float | None = None
    skew_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RouteDone:
    route: str
    status: RouteStatus
    bugs: tuple[tuple[Severity, BugKind], ...]
    tally: Tally


@dataclass(frozen=True, slots=True)
class ReviewDone:
    """The bugs of a route were looked at again; `found`: those that only the review saw."""

    route: str
    confirmed: int
    flaky: int
    refuted: int
    unchecked: int
    found: int

    @property
    def bugs(self) -> int:
        """How many bugs the route has now."""
        return self.confirmed + self.flaky + self.unchecked + self.found


@dataclass(frozen=True, slots=True)
class ReviewFailed:
    route: str
    error: str


@dataclass(frozen=True, slots=True)
class RoutesAdded:
    """Pages that were met and are not on the map will be tested as well."""

    count: int


@dataclass(frozen=True, slots=True)
class RoutesFound:
    found: int
    excluded: int


@dataclass(frozen=True, slots=True)
class RouteFailed:
    route: str
    error: str


@dataclass(frozen=True, slots=True)
class RouteRetried:
    route: str
    why: str


@dataclass(frozen=True, slots=True)
class Dropped:
    reason: str


@dataclass(frozen=True, slots=True)
class Running:
    """A job that a worker holds, as its last beat tells."""

    route: str
    worker: str
    tally: Tally
    doing: str


@dataclass(frozen=True, slots=True)
class Progress:
    running: tuple[Running, ...]
    queued: int
    left: int
    workers: int


@dataclass(frozen=True, slots=True)
class Saved:
    seconds: float


@dataclass(frozen=True, slots=True)
class Paused:
    """Something outside is in the way; the run waits and tries again."""

    why: str


@dataclass(frozen=True, slots=True)
class GoesOn:
    """What was in the way is gone."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """A stop was asked for; `running` jobs may finish."""

    running: int


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    step: Step
    reason: str | None = None


Happening = (
    Began
    | Published
    | Answered
    | RouteDone
    | ReviewDone
    | ReviewFailed
    | RoutesAdded
    | RoutesFound
    | RouteFailed
    | RouteRetried
    | Dropped
    | Progress
    | Saved
    | Paused
    | GoesOn
    | Stopping
    | Note
    | Ended
)
