"""What the suite machine is told: facts, as values.

`turn` names the piece of work that an event answers; one about an earlier turn is late, and changes
nothing. So everything may be told twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from contract.identity import ScenarioId
from contract.vocabulary import Classification, ScenarioStatus, SourceRoute
from coordinator.machines.suite_ledger import Case, Score


@dataclass(frozen=True, slots=True)
class Begun:
    """The run starts, or goes on where it was saved."""


@dataclass(frozen=True, slots=True)
class EntryDecided:
    entry: SourceRoute


@dataclass(frozen=True, slots=True)
class Sourced:
    """Scenarios, review findings and root causes are gathered."""


@dataclass(frozen=True, slots=True)
class FrameworkFound:
    """The project can be tested: framework, interpreter and run command are known."""


@dataclass(frozen=True, slots=True)
class FrameworkMissing:
    why: str


@dataclass(frozen=True, slots=True)
class Planned:
    """Master and plan are on disk. The cases may be written or failed from an earlier run."""

    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Approved:
    """The user says yes to the plan."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The user says no to the plan."""


@dataclass(frozen=True, slots=True)
class GateChecked:
    """L0 ran; all that stands in the way, or nothing."""

    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's answer is merged, or its attempts are used up: `written`, `failed`, `blocked`."""

    turn: int
    id: ScenarioId
    status: ScenarioStatus
    classification: Classification | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """How one test went: `passed`, `failed` or `blocked`."""

    status: ScenarioStatus
    error: str = ""


@dataclass(frozen=True, slots=True)
class LayerRan:
    """A layer ran as a whole. A test that it does not speak of did not run, and is blocked."""

    turn: int
    tests: Mapping[ScenarioId, Ran]


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """Whose fault a failure is; None if that could not be found out. `fix`: how sure its fix is."""

    turn: int
    id: ScenarioId
    classification: Classification | None
    fix: float | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    turn: int
    score: Score


@dataclass(frozen=True, slots=True)
class Pressed:
    """The pressure pass is over; `done` is false if it could not be made."""

    turn: int
    done: bool


@dataclass(frozen=True, slots=True)
class Reported:
    """Reports, registry, issues and traceability are on disk."""


@dataclass(frozen=True, slots=True)
class StopAsked:
    """The user or the system wants the run to end soon."""


Event = (
    Begun
    | EntryDecided
    | Sourced
    | FrameworkFound
    | FrameworkMissing
    | Planned
    | Approved
    | Declined
    | GateChecked
    | Written
    | LayerRan
    | Diagnosed
    | Scored
    | Pressed
    | Reported
    | StopAsked
)
