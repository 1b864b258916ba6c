"""What the suite machine wants done, as data, and `orders`: what is to be done now.

`orders` looks at the ledger alone. A run that goes on gives the same orders again, so each of them
must bear being carried out twice. Order matters within one answer. Leaves out the doing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from contract.identity import ScenarioId
from contract.vocabulary import Layer, Strategy, SuiteStatus
from coordinator.machines.suite_ledger import Ledger, Phase, Step

Ids = tuple[ScenarioId, ...]


@dataclass(frozen=True, slots=True)
class DecideEntry:
    """Resolve project and phase and decide the entry; answer `EntryDecided`."""


@dataclass(frozen=True, slots=True)
class ReadSources:
    """Extract scenarios, add review findings and root causes; answer `Sourced`."""


@dataclass(frozen=True, slots=True)
class ProbeProject:
    """Find framework, interpreter and style, run the baseline; answer `FrameworkFound` or
    `FrameworkMissing`.
    """


@dataclass(frozen=True, slots=True)
class WritePlan:
    """Write scenarios.csv and test-plan.json; answer `Planned`."""


@dataclass(frozen=True, slots=True)
class AskApproval:
    """Show the plan; answer `Approved` or `Declined`."""


@dataclass(frozen=True, slots=True)
class RunGate:
    """Check L0; answer `GateChecked`."""


@dataclass(frozen=True, slots=True)
class WriteWave:
    """Send a writer's job for each scenario, merge what comes back; answer `Written` for each.

    `anew`: from the scenario alone, with other inputs and another observation than before.
    """

    turn: int
    layer: Layer
    ids: Ids
    anew: bool = False


@dataclass(frozen=True, slots=True)
class RunLayer:
    """Run all tests of a layer together; answer `LayerRan`."""

    turn: int
    layer: Layer
    ids: Ids


@dataclass(frozen=True, slots=True)
class Diagnose:
    """Send a diagnostician's job for each failure; answer `Diagnosed` for each."""

    turn: int
    iteration: int
    layer: Layer
    ids: Ids


@dataclass(frozen=True, slots=True)
class ApplyFixes:
    """Change test files as their diagnoses say; `cluster`: one fix for all that are alike."""

    ids: Ids
    cluster: bool = False


@dataclass(frozen=True, slots=True)
class UndoChanges:
    """Give test files back the text that they had before `iteration`."""

    iteration: int
    ids: Ids


@dataclass(frozen=True, slots=True)
class MeasureIteration:
    """Write results-iter-N.json and measure the confidence; answer `Scored`."""

    turn: int
    iteration: int


@dataclass(frozen=True, slots=True)
class Reflect:
    """Write an iteration's section of the reflection log; `strategy`: the one that follows."""

    iteration: int
    strategy: Strategy | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """Break the target under passing tests of a layer, which must turn red; answer `Pressed`."""

    turn: int
    layer: Layer


@dataclass(frozen=True, slots=True)
class WriteReports:
    """Write all that the user reads, and publish it; answer `Reported`."""

    status: SuiteStatus


@dataclass(frozen=True, slots=True)
class Halt:
    """Take back what waits in the queue, let what runs finish, save."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The run is over. `step` says how, `reasons` why where it did not come to its end."""

    step: Step
    status: SuiteStatus
    reasons: tuple[str, ...] = ()


Effect = (
    DecideEntry
    | ReadSources
    | ProbeProject
    | WritePlan
    | AskApproval
    | RunGate
    | WriteWave
    | RunLayer
    | Diagnose
    | ApplyFixes
    | UndoChanges
    | MeasureIteration
    | Reflect
    | Press
    | WriteReports
    | Halt
    | Finish
)


_STEPS: Mapping[Step, Effect] = {
    Step.PARSE: DecideEntry(),
    Step.SOURCE: ReadSources(),
    Step.INFRA: ProbeProject(),
    Step.L0: RunGate(),
}


def orders(ledger: Ledger) -> list[Effect]:
    """What is to be done in this step and phase."""
    if ledger.final:
        return [Finish(ledger.step, ledger.status, ledger.reasons)]
    if ledger.step in _STEPS:
        return [_STEPS[ledger.step]]
    if ledger.step is Step.CSV_GEN:
        return [AskApproval() if ledger.phase is Phase.ASKING else WritePlan()]
    return _before(ledger) + _work(ledger)


def _before(ledger: Ledger) -> list[Effect]:
    """What comes before the first work after an iteration: its section, and what it undoes."""
    if ledger.step is Step.REPORT:
        return [Reflect(len(ledger.passages))] if ledger.passages else []
    opens = ledger.step is Step.LAYER_EXEC and ledger.turn == ledger.opening
    if ledger.iteration == 1 or not opens:
        return []
    choice = ledger.strategies[-1]
    effects: list[Effect] = [Reflect(ledger.iteration - 1, choice.strategy, choice.reason)]
    if ledger.undo:
        effects.append(UndoChanges(ledger.iteration - 1, ledger.undo))
    return effects


def _work(ledger: Ledger) -> list[Effect]:
    if ledger.phase is Phase.SCORING:
        return [MeasureIteration(ledger.turn, ledger.iteration)]
    if ledger.phase is Phase.REPORTING:
        return [WriteReports(ledger.status)]
    return _work_in(ledger, ledger.layer) if ledger.layer else []


def _work_in(ledger: Ledger, layer: Layer) -> list[Effect]:
    turn, ids = ledger.turn, ledger.open
    effects: list[Effect] = []
    match ledger.phase:
        case Phase.WRITING:
            anew = ledger.strategy is Strategy.REFLECTIVE and ledger.iteration > 1
            effects = [WriteWave(turn, layer, ids, anew)]
        case Phase.RUNNING:
            effects = [RunLayer(turn, layer, ids)]
        case Phase.DIAGNOSING:
            effects = [Diagnose(turn, ledger.iteration, layer, ids)]
        case Phase.RERUNNING:
            cluster = ledger.strategy is Strategy.AGGRESSIVE
            effects = [ApplyFixes(ledger.fixing, cluster), RunLayer(turn, layer, ids)]
        case Phase.PRESSING:
            effects = [Press(turn, layer)]
        case _:
            pass
    return effects
