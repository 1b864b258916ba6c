"""A row of the master: a scenario and what became of it.

The scenario is what a writer may see; the lifecycle is the coordinator's own. Invariant: a result
is merged by `merged` alone, so that the master says the same whichever way and however often a
result arrives. Leaves out the file (`records/suite/scenarios.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from contract.identity import ScenarioId
from contract.scenario import MAX_FINDINGS, Answer, Scenario
from contract.vocabulary import (
    Classification,
    RedResult,
    ResultStatus,
    ScenarioStatus,
    Source,
)

_WRITTEN = {
    ResultStatus.COMPLETED: ScenarioStatus.WRITTEN,
    ResultStatus.FAILED: ScenarioStatus.FAILED,
    ResultStatus.BLOCKED: ScenarioStatus.BLOCKED,
}


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The columns that only the master has."""

    status: ScenarioStatus = ScenarioStatus.PENDING
    red_result: RedResult | None = None
    findings: str = ""
    error: str = ""
    classification: Classification | None = None
    fix_code: str = ""
    evidence: str = ""
    files_modified: tuple[str, ...] = ()
    source: Source | None = None
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """`more`: the cells of columns that are not ours, by name."""

    scenario: Scenario
    life: Lifecycle = field(default_factory=Lifecycle)
    more: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> ScenarioId:
        return self.scenario.id


def merged(row: Row, answer: Answer, attempt: int) -> Row:
    """The row after a writer's answer. An empty field of the answer leaves its column alone."""
    life = replace(
        _noted(row.life, answer), status=_WRITTEN[answer.result_status], attempts=attempt
    )
    return replace(row, life=replace(life, red_result=answer.red_result or life.red_result))


def diagnosed(row: Row, answer: Answer) -> Row:
    """The row after a diagnosis, which says whose fault a failure is and moves no status."""
    return replace(row, life=_noted(row.life, answer))


def _noted(life: Lifecycle, answer: Answer) -> Lifecycle:
    return replace(
        life,
        findings=shortened(answer.findings) or life.findings,
        error=answer.error or life.error,
        classification=answer.classification or life.classification,
        fix_code=answer.fix_code or life.fix_code,
        evidence=answer.evidence or life.evidence,
        files_modified=answer.files_modified or life.files_modified,
    )


def ran(row: Row, *, passed: bool, error: str = "") -> Row:
    """The row after its layer ran. A test that passes has no error and no fault any more."""
    if passed:
        life = replace(
            row.life, status=ScenarioStatus.PASSED, error="", classification=None, fix_code=""
        )
        return replace(row, life=life)
    return replace(row, life=replace(row.life, status=ScenarioStatus.FAILED, error=error))


def shortened(findings: str) -> str:
    """Findings as the format allows them; an ellipsis says that something is missing."""
    if len(findings) <= MAX_FINDINGS:
        return findings
    return findings[: MAX_FINDINGS - 1] + "…"


def next_id(rows: Iterable[Row]) -> ScenarioId:
    """The first number after all that were given."""
    numbers = [int(row.id.removeprefix("AT-")) for row in rows]
    return scenario_id(max(numbers, default=0) + 1)


def scenario_id(number: int) -> ScenarioId:
    return ScenarioId(f"AT-{number:03d}")
