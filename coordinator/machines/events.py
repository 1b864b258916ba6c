"""What a machine is told. Facts only: time and the state of the world arrive here, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from contract.identity import JobId
from contract.results import AnyResult


@dataclass(frozen=True, slots=True)
class Begun:
    """The run starts or goes on. `alive`, `starts`: what the leases say of the jobs left out."""

    now: datetime
    alive: frozenset[JobId] = frozenset()
    starts: Mapping[JobId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResultArrived:
    """A worker answered. `known`: whether the job is one of this run's."""

    now: datetime
    result: AnyResult
    known: bool = True


@dataclass(frozen=True, slots=True)
class Merged:
    """What a result brought is on disk.

    `shared`: keys of site-wide controls that it met; `review`: the job that looks at it again;
    `more`: jobs for routes that it led to and that are to be tested as well.
    """

    job_id: JobId
    shared: tuple[str, ...] = ()
    review: JobId | None = None
    more: tuple[JobId, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A result was not what it should be, and nothing of it was kept.

    `final`: another attempt would bring the same.
    """

    job_id: JobId
    why: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Pulse:
    """A look at the leases: whose beat is alive; `starts`: workers lost, and the one running."""

    now: datetime
    alive: frozenset[JobId] = frozenset()
    starts: Mapping[JobId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BrokerEmptied:
    """Redis lost what it held; no job that was published is in it any more."""


@dataclass(frozen=True, slots=True)
class Reappointed:
    """The office had run out unnoticed and was taken again, for a new term."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Committed:
    """The state that includes everything so far is on disk."""


@dataclass(frozen=True, slots=True)
class StopAsked:
    """The user or the system wants the run to end soon."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """These jobs were taken back from the queue before anybody began them."""

    job_ids: frozenset[JobId]


@dataclass(frozen=True, slots=True)
class Reported:
    """The pages for the user are written."""


Event = (
    Begun
    | ResultArrived
    | Merged
    | Refused
    | Pulse
    | BrokerEmptied
    | Reappointed
    | Committed
    | StopAsked
    | Withdrawn
    | Reported
)
