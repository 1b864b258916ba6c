"""All that the suite machine knows, and what can be read off it.

The ledger is frozen and holds plain values only, so that it can be saved whole and taken up again
at the step, the iteration and the layer where it was. Its cases mirror the master: a status, a
fault, an error. Leaves out every change of a ledger (`suite`, `suite_book`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from contract.identity import ScenarioId
from contract.vocabulary import (
    Classification,
    Layer,
    ScenarioStatus,
    SourceRoute,
    Strategy,
    SuiteStatus,
)
from coordinator.judging.confidence import ENOUGH, FLOOR
from coordinator.judging.convergence import THRESHOLD, Standing, Tally, tally
from coordinator.judging.strategy import Choice, Passage, fixes_to_apply


class Step(StrEnum):
    PARSE = "parse"
    SOURCE = "source"
    INFRA = "infra"
    CSV_GEN = "csv_gen"
    L0 = "l0"
    LAYER_EXEC = "layer_exec"
    ITERATE = "iterate"
    REPORT = "report"
    DONE = "done"
    PLANNED = "planned"
    DECLINED = "declined"
    NO_FRAMEWORK = "no_framework"
    L0_FAILED = "l0_failed"
    NOTHING_TO_TEST = "nothing_to_test"


FINAL = frozenset(
    {
        Step.DONE,
        Step.PLANNED,
        Step.DECLINED,
        Step.NO_FRAMEWORK,
        Step.L0_FAILED,
        Step.NOTHING_TO_TEST,
    }
)


class Phase(StrEnum):
    """What a step is at; most steps are one piece of work."""

    WORKING = "working"
    ASKING = "asking"
    WRITING = "writing"
    RUNNING = "running"
    RAN = "ran"
    DIAGNOSING = "diagnosing"
    RERUNNING = "rerunning"
    SCORING = "scoring"
    JUDGING = "judging"
    PRESSING = "pressing"
    REPORTING = "reporting"


@dataclass(frozen=True, slots=True)
class Limits:
    """The thresholds of the machine."""

    threshold: float = THRESHOLD
    confidence: float = ENOUGH
    floor: float = FLOOR
    inner: int = 3
    """How often a layer's tests are fixed and run again within one iteration."""


@dataclass(frozen=True, slots=True)
class Flags:
    """What the user asked for."""

    max_iter: int = 5
    layer: Layer | None = None
    strategy: Strategy | None = None
    dry_run: bool = False
    re_run: bool = False
    approved: bool = False
    concurrency: int = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario as the machine sees it.

    `written`: its test file is there. `asked`: it was diagnosed since it failed. `fix`: how sure a
    fix is that was not tried yet.
    """

    id: ScenarioId
    layer: Layer
    critical: bool = False
    status: ScenarioStatus = ScenarioStatus.PENDING
    written: bool = False
    classification: Classification | None = None
    error: str = ""
    asked: bool = False
    fix: float | None = None

    @property
    def failed(self) -> bool:
        return self.status is ScenarioStatus.FAILED


@dataclass(frozen=True, slots=True)
class Score:
    """What an iteration was worth; None where nothing was measured."""

    confidence: float | None
    scenario_coverage: float | None = None
    diagnostic_accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The state of a run. `turn` counts the pieces of work that were given out."""

    flags: Flags = field(default_factory=Flags)
    step: Step = Step.PARSE
    phase: Phase = Phase.WORKING
    turn: int = 0
    entry: SourceRoute | None = None
    cases: Mapping[ScenarioId, Case] = field(default_factory=dict)
    iteration: int = 1
    layer: Layer | None = None
    open: tuple[ScenarioId, ...] = ()
    """The scenarios of the current wave or run that are not settled."""
    inner: Mapping[Layer, int] = field(default_factory=dict)
    """How often each layer was fixed and run again in this iteration."""
    fixing: tuple[ScenarioId, ...] = ()
    undo: tuple[ScenarioId, ...] = ()
    opening: int = 0
    """The turn of this iteration's first work."""
    strategies: tuple[Choice, ...] = ()
    """One for each iteration."""
    passages: tuple[Passage, ...] = ()
    """One for each iteration that was scored."""
    score: Score | None = None
    pressed: bool | None = None
    """None until the pressure pass was tried."""
    forced: bool = False
    """The one more iteration was had."""
    status: SuiteStatus = SuiteStatus.RUNNING
    reasons: tuple[str, ...] = ()
    stopping: bool = False

    @property
    def final(self) -> bool:
        return self.step in FINAL

    @property
    def strategy(self) -> Strategy:
        return self.strategies[-1].strategy if self.strategies else Strategy.CONSERVATIVE


def layers(ledger: Ledger) -> tuple[Layer, ...]:
    """The layers that have cases, in their order."""
    there = {case.layer for case in ledger.cases.values()}
    return tuple(layer for layer in Layer if layer in there)


def cases_of(ledger: Ledger, layer: Layer) -> tuple[Case, ...]:
    return tuple(case for case in ledger.cases.values() if case.layer is layer)


def tally_of(ledger: Ledger, layer: Layer | None = None) -> Tally:
    """The counts of a layer, or of all."""
    cases = ledger.cases.values() if layer is None else cases_of(ledger, layer)
    return tally(Standing(case.status, case.classification) for case in cases)


def to_write(ledger: Ledger, layer: Layer) -> tuple[ScenarioId, ...]:
    cases = cases_of(ledger, layer)
    return tuple(case.id for case in cases if case.status is ScenarioStatus.PENDING)


def to_run(ledger: Ledger, layer: Layer) -> tuple[ScenarioId, ...]:
    """Every test of a layer that exists and whose environment stands."""
    cases = cases_of(ledger, layer)
    return tuple(
        case.id for case in cases if case.written and case.status is not ScenarioStatus.BLOCKED
    )


def to_diagnose(ledger: Ledger, layer: Layer) -> tuple[ScenarioId, ...]:
    """Failures whose fault nobody has looked for yet; those without a file are written again."""
    cases = cases_of(ledger, layer)
    return tuple(
        case.id
        for case in cases
        if case.failed and case.written and not case.asked and case.classification is None
    )


def to_fix(ledger: Ledger, layer: Layer) -> tuple[ScenarioId, ...]:
    """The fixes that the strategy tries now."""
    fixes: dict[str, float] = {
        case.id: case.fix
        for case in cases_of(ledger, layer)
        if case.failed
        and case.classification is Classification.TEST_DEFECT
        and case.fix is not None
    }
    chosen = fixes_to_apply(ledger.strategy, fixes, broken(ledger))
    return tuple(ScenarioId(test) for test in chosen)


def broken(ledger: Ledger) -> tuple[ScenarioId, ...]:
    """Tests that are red and were green when the last iteration ended, or are being undone."""
    green = set(ledger.passages[-1].green) if ledger.passages else set()
    green.update(ledger.undo)
    return tuple(case.id for case in ledger.cases.values() if case.failed and case.id in green)


def unclassified(ledger: Ledger) -> bool:
    """A failure is there of which nobody knows whose fault it is."""
    return any(case.failed and case.classification is None for case in ledger.cases.values())


def stops_next(ledger: Ledger, layer: Layer) -> bool:
    """Whether the layers after this one must not run: it is blocked, or a critical case failed."""
    failed = any(case.critical and case.failed for case in cases_of(ledger, layer))
    return failed or tally_of(ledger, layer).wholly_blocked


def blocked_layer(ledger: Ledger) -> Layer | None:
    """A layer of which nothing could be tested."""
    return next((each for each in layers(ledger) if tally_of(ledger, each).wholly_blocked), None)


def best_layer(ledger: Ledger) -> Layer | None:
    """The layer with the highest pass rate among those with a passing test."""
    rates = {layer: tally_of(ledger, layer) for layer in layers(ledger)}
    passing = [layer for layer, counts in rates.items() if counts.passed]
    return max(passing, key=lambda layer: rates[layer].rate or 0.0, default=None)
