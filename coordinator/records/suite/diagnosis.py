"""diagnosis.csv: each failure that was looked at in an iteration, and whose fault it is.

The columns up to `source_context` are what a diagnostician is given; the others come back.
Invariant: `parse(render(rows)) == rows`. `fix_code` stands only with a `test_defect`: production
source is never touched. Leaves out the rules of the diagnosis.
"""

from pathlib import Path

import msgspec

from contract.identity import ScenarioId
from contract.vocabulary import Classification, Layer
from coordinator.records.atomic import write_atomic
from coordinator.records.suite import csv_text
from coordinator.records.suite.csv_text import Cells

COLUMNS = (
    *("id", "scenario_id", "layer", "test_file", "error_detail", "expected", "actual"),
    *("target_file", "source_context", "classification", "fix_code", "evidence", "error"),
)


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """One failure; ids count from `DX-001` in each iteration."""

    id: str
    scenario_id: ScenarioId
    layer: Layer
    test_file: str = ""
    error_detail: str = ""
    expected: str = ""
    actual: str = ""
    target_file: str = ""
    source_context: str = ""
    classification: Classification | None = None
    fix_code: str = ""
    evidence: str = ""
    error: str = ""


def diagnosis_id(number: int) -> str:
    return f"DX-{number:03d}"


def load(path: Path) -> tuple[Diagnosis, ...]:
    """The diagnoses at `path`; none if there is no such file."""
    text = csv_text.read_file(path)
    return () if text is None else parse(text, path.name)


def save(path: Path, rows: tuple[Diagnosis, ...]) -> None:
    write_atomic(path, render(rows))


def render(rows: tuple[Diagnosis, ...]) -> bytes:
    """The bytes of the file."""
    return csv_text.write(
        COLUMNS, ([str(getattr(row, name) or "") for name in COLUMNS] for row in rows)
    )


def parse(text: str, name: str) -> tuple[Diagnosis, ...]:
    """The diagnoses that `text` holds."""
    _, rows = csv_text.read(text, name, csv_text.exactly(COLUMNS))
    return tuple(map(_row, rows))


def _row(cells: Cells) -> Diagnosis:
    texts = {name: cells.text(name) for name in (*COLUMNS[3:9], "fix_code", "evidence", "error")}
    classification = cells.maybe("classification", Classification)
    if texts["fix_code"] and classification is not Classification.TEST_DEFECT:
        cells.fail("fix_code", "only a test_defect has a fix", "empty that cell")
    return Diagnosis(
        id=cells.matching("id", r"DX-[0-9]{3,9}", "DX-001"),
        scenario_id=ScenarioId(cells.matching("scenario_id", r"AT-[0-9]{3,9}", "AT-001")),
        layer=cells.word("layer", Layer),
        classification=classification,
        **texts,
    )
