"""report.json: the outcome of a run, for tools; the same file is published under another name.

Every count is derived from the rows of the master, so that no two places can disagree. Invariant:
each red scenario is one failure, and failures count from `AF-001` in the order of the master.
Leaves out what is shown to people (`traceability`, `reflection`).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from contract.identity import ScenarioId
from contract.vocabulary import (
    Classification,
    Layer,
    Priority,
    ScenarioStatus,
    Source,
    SourceRoute,
    Strategy,
    SuiteStatus,
)
from coordinator.judging.confidence import Confidence
from coordinator.judging.convergence import THRESHOLD
from coordinator.judging.requirement_coverage import (
    CoverageVerdict,
    CriterionStatus,
    RequirementCoverage,
)
from coordinator.planning.suite.row import Row
from coordinator.records.suite import json_file
from coordinator.records.suite.iteration import Layers, tally_rows
from coordinator.records.suite.json_file import Document, Part

HINT = "run the suite again to have it written anew"


class Convergence(Part, frozen=True, kw_only=True):
    status: SuiteStatus
    iterations: int
    final_pass_rate: float | None = None
    raw_pass_rate: float | None = None
    threshold: float = THRESHOLD
    strategy_history: tuple[Strategy, ...] = ()


class Infrastructure(Part, frozen=True, kw_only=True):
    framework: str = ""
    test_dir: str = ""
    run_command: str = ""


class ScenarioOutcome(Part, frozen=True, kw_only=True):
    """`iterations_to_pass`: when it was green for the first time; None if it never was."""

    id: ScenarioId
    source: Source | None = None
    layer: Layer
    name: str
    test_file: str
    req_ref: str
    status: ScenarioStatus
    classification: Classification | None = None
    iterations_to_pass: int | None = None


class FixSuggestion(Part, frozen=True, kw_only=True):
    file: str = ""
    line: int | None = None
    direction: str = ""


class Failure(Part, frozen=True, kw_only=True):
    id: str
    scenario_id: ScenarioId
    req_ref: str = ""
    layer: Layer
    severity: Priority
    classification: Classification | None = None
    description: str = ""
    expected: str = ""
    actual: str = ""
    fix_suggestion: FixSuggestion = FixSuggestion()


class CriterionEntry(Part, frozen=True, kw_only=True):
    ac_id: str
    description: str
    priority: Priority
    status: CriterionStatus
    tests: tuple[str, ...] = ()
    failure: str | None = None


class RequirementEntry(Part, frozen=True, kw_only=True):
    req_id: str
    title: str
    total_criteria: int
    criteria_results: tuple[CriterionEntry, ...] = ()
    coverage_pct: float | None = None
    verdict: CoverageVerdict


class Summary(Part, frozen=True, kw_only=True):
    source_route: SourceRoute
    total_scenarios: int = 0
    total_passed: int = 0
    total_failed: int = 0
    total_blocked: int = 0
    bugs_discovered: int = 0
    test_defects_fixed: int = 0
    coverage_pct: float | None = None


class Dimensions(Part, frozen=True, kw_only=True):
    """0 to 100; None where there was nothing to measure."""

    scenario_coverage: float | None = None
    test_quality: float | None = None
    diagnostic_accuracy: float | None = None
    strategy_effectiveness: float | None = None
    infrastructure_fitness: float | None = None


class Input(Part, frozen=True, kw_only=True):
    """A measure as part of a whole; a whole of 0 says that there were no data."""

    name: str
    part: float
    whole: float


class PressurePass(Part, frozen=True, kw_only=True):
    layer: Layer | None = None
    tests: tuple[str, ...] = ()
    result: str = ""


class ConfidenceEntry(Part, frozen=True, kw_only=True):
    """`weights`: what each dimension counted, after those without data were shared out."""

    overall: float | None = None
    dimensions: Dimensions = Dimensions()
    weakest_dimension: str | None = None
    inputs: dict[str, tuple[Input, ...]] = msgspec.field(default_factory=dict)
    weights: dict[str, float] = msgspec.field(default_factory=dict)
    pressure_pass: PressurePass | None = None
    iterations: tuple[float | None, ...] = ()


class Report(Part, frozen=True, kw_only=True):
    phase: int | None = None
    source_route: SourceRoute
    blueprint_ref: str | None = None
    spec_mode: str | None = None
    completed_at: datetime
    convergence: Convergence
    infrastructure: Infrastructure = Infrastructure()
    layers: Layers
    scenarios: tuple[ScenarioOutcome, ...] = ()
    failures: tuple[Failure, ...] = ()
    requirement_coverage: tuple[RequirementEntry, ...] = ()
    summary: Summary
    confidence: ConfidenceEntry = ConfidenceEntry()
    next_step: str


def outcomes_of(
    rows: Sequence[Row], first_green: Mapping[ScenarioId, int]
) -> tuple[ScenarioOutcome, ...]:
    """The scenarios of the master."""
    return tuple(
        ScenarioOutcome(
            id=row.id,
            source=row.life.source,
            layer=row.scenario.layer,
            name=row.scenario.name,
            test_file=row.scenario.test_file,
            req_ref=row.scenario.req_ref,
            status=row.life.status,
            classification=row.life.classification,
            iterations_to_pass=first_green.get(row.id),
        )
        for row in rows
    )


class Detail(Part, frozen=True, kw_only=True):
    """What is known of a failure beyond its row."""

    expected: str = ""
    actual: str = ""
    fix: FixSuggestion = FixSuggestion()


def failures_of(rows: Sequence[Row], details: Mapping[ScenarioId, Detail]) -> tuple[Failure, ...]:
    """One failure for each red scenario."""
    red = [row for row in rows if row.life.status is ScenarioStatus.FAILED]
    return tuple(
        _failure(number, row, details.get(row.id, Detail())) for number, row in enumerate(red, 1)
    )


def _failure(number: int, row: Row, detail: Detail) -> Failure:
    fix = detail.fix
    return Failure(
        id=f"AF-{number:03d}",
        scenario_id=row.id,
        req_ref=row.scenario.req_ref,
        layer=row.scenario.layer,
        severity=row.scenario.priority,
        classification=row.life.classification,
        description=row.life.error or row.life.findings or row.scenario.name,
        expected=detail.expected,
        actual=detail.actual,
        fix_suggestion=fix
        if fix.file
        else FixSuggestion(file=row.scenario.target_file, line=fix.line, direction=fix.direction),
    )


def coverage_of(requirements: Sequence[RequirementCoverage]) -> tuple[RequirementEntry, ...]:
    return tuple(
        RequirementEntry(
            req_id=each.req_id,
            title=each.title,
            total_criteria=len(each.criteria),
            criteria_results=tuple(
                CriterionEntry(
                    ac_id=one.ac_id,
                    description=one.description,
                    priority=one.priority,
                    status=one.status,
                    tests=one.tests,
                    failure=one.failure or None,
                )
                for one in each.criteria
            ),
            coverage_pct=each.coverage,
            verdict=each.verdict,
        )
        for each in requirements
    )


def summary_of(
    route: SourceRoute, rows: Sequence[Row], fixed: int, coverage_pct: float | None
) -> Summary:
    """The counts of the whole; every red scenario counts as failed, whoever is to blame."""
    counts = tally_rows(rows)
    return Summary(
        source_route=route,
        total_scenarios=counts.total,
        total_passed=counts.passed,
        total_failed=counts.failed + counts.code_defects + counts.env_issues,
        total_blocked=counts.blocked,
        bugs_discovered=counts.code_defects,
        test_defects_fixed=fixed,
        coverage_pct=coverage_pct,
    )


def confidence_of(
    confidence: Confidence,
    pressure: PressurePass | None = None,
    iterations: Sequence[float | None] = (),
) -> ConfidenceEntry:
    """A confidence with its arithmetic."""
    dimensions = confidence.dimensions
    return ConfidenceEntry(
        overall=confidence.overall,
        dimensions=Dimensions(**{each.name.value: each.score for each in dimensions}),
        weakest_dimension=confidence.weakest,
        inputs={
            each.name: tuple(
                Input(name=one.name, part=one.part, whole=one.whole) for one in each.inputs
            )
            for each in dimensions
        },
        weights={each.name: round(each.weight, 4) for each in dimensions},
        pressure_pass=pressure,
        iterations=tuple(iterations),
    )


def load(path: Path) -> Document[Report] | None:
    return json_file.load(path, Report, HINT)


def save(path: Path, report: Report) -> None:
    json_file.save(path, report)
