"""results-iter-N.json: how each scenario stood when an iteration ended.

Invariant: its counts and rates are derived from the rows. It is written once and never changed.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from contract.identity import ScenarioId
from contract.vocabulary import Classification, Layer, ScenarioStatus, Strategy
from coordinator.judging.convergence import Standing, Tally, tally
from coordinator.planning.suite.row import Row
from coordinator.records.suite import json_file
from coordinator.records.suite.json_file import Document, Part

HINT = "move the file away; the next iteration writes its own"


class GateResult(Part, frozen=True, kw_only=True):
    status: str = "passed"
    errors: tuple[str, ...] = ()


class LayerResult(Part, frozen=True, kw_only=True):
    """`raw_pass_rate`: passed of all, beside the rate that leaves out what no test can mend."""

    total: int = 0
    passed: int = 0
    failed: int = 0
    blocked: int = 0
    pass_rate: float | None = None
    raw_pass_rate: float | None = None


class Layers(Part, frozen=True, kw_only=True):
    L0: GateResult = GateResult()
    L1: LayerResult = LayerResult()
    L2: LayerResult = LayerResult()
    L3: LayerResult = LayerResult()


class ScenarioResult(Part, frozen=True, kw_only=True):
    id: ScenarioId
    status: ScenarioStatus
    duration_ms: int | None = None
    error_detail: str = ""
    classification: Classification | None = None


class Results(Part, frozen=True, kw_only=True):
    iteration: int
    timestamp: datetime
    strategy: Strategy
    layers: Layers
    overall_pass_rate: float | None = None
    scenarios: tuple[ScenarioResult, ...] = ()


def tally_rows(rows: Sequence[Row], layer: Layer | None = None) -> Tally:
    """The counts of a layer, or of all."""
    return tally(
        Standing(row.life.status, row.life.classification)
        for row in rows
        if layer is None or row.scenario.layer is layer
    )


def layer_result(counts: Tally) -> LayerResult:
    """`failed` are all that are red, whoever is to blame."""
    return LayerResult(
        total=counts.total,
        passed=counts.passed,
        failed=counts.failed + counts.code_defects + counts.env_issues,
        blocked=counts.blocked,
        pass_rate=counts.rate,
        raw_pass_rate=counts.raw_rate,
    )


def layers_of(rows: Sequence[Row], causes: Sequence[str] = ()) -> Layers:
    gate = GateResult(status="failed" if causes else "passed", errors=tuple(causes))
    return Layers(L0=gate, **{each.value: layer_result(tally_rows(rows, each)) for each in Layer})


def results_of(
    iteration: int,
    strategy: Strategy,
    rows: Sequence[Row],
    now: datetime,
    durations_ms: Mapping[ScenarioId, int] | None = None,
) -> Results:
    """The results of an iteration, from the master."""
    times = durations_ms or {}
    return Results(
        iteration=iteration,
        timestamp=now,
        strategy=strategy,
        layers=layers_of(rows),
        overall_pass_rate=tally_rows(rows).rate,
        scenarios=tuple(
            ScenarioResult(
                id=row.id,
                status=row.life.status,
                duration_ms=times.get(row.id),
                error_detail=row.life.error,
                classification=row.life.classification,
            )
            for row in rows
        ),
    )


def load(path: Path) -> Document[Results] | None:
    return json_file.load(path, Results, HINT)


def save(path: Path, results: Results) -> None:
    json_file.save(path, results)
