"""scenarios.csv, the master: each scenario and what became of it.

The file always has our columns first, in the order of the format, then whatever others somebody
added, which are kept. A file that ends at `error` is read too, and is written with the rest.
Invariant: `parse(render(master)) == master`, and the same master gives the same bytes. A cell that
makes no sense is a `RequestError` that names line and column. Leaves out who changes a row
(`planning/suite/row.py`).
"""

from dataclasses import dataclass
from pathlib import Path

from contract.identity import ScenarioId
from contract.scenario import Scenario
from contract.vocabulary import (
    Category,
    Classification,
    Layer,
    Priority,
    RedResult,
    ScenarioStatus,
    Source,
)
from coordinator.planning.suite.row import Lifecycle, Row
from coordinator.records.atomic import write_atomic
from coordinator.records.suite import csv_text
from coordinator.records.suite.csv_text import Cells

FILE_NAME = "scenarios.csv"
INPUT = tuple(Scenario.__struct_fields__)
"""The columns of a job: the input columns and `prev_context`."""
SHORT = (*INPUT, "status", "red_result", "findings", "error")
LATER = ("classification", "fix_code", "evidence", "files_modified", "source", "attempts")
COLUMNS = SHORT + LATER


@dataclass(frozen=True, slots=True)
class Master:
    """All rows, in the order of the file; `columns`: those that are not ours."""

    rows: tuple[Row, ...] = ()
    columns: tuple[str, ...] = ()


def load(path: Path) -> Master | None:
    """The master at `path`, or None if there is none."""
    text = csv_text.read_file(path)
    return None if text is None else parse(text, path.name)


def save(path: Path, master: Master) -> None:
    write_atomic(path, render(master))


def render(master: Master) -> bytes:
    """The bytes of the file."""
    return csv_text.write(
        (*COLUMNS, *master.columns), (_cells(row, master.columns) for row in master.rows)
    )


def parse(text: str, name: str = FILE_NAME) -> Master:
    """The master that `text` holds."""
    header, rows = csv_text.read(text, name, _problem)
    columns = tuple(column for column in header if column not in COLUMNS)
    return Master(rows=tuple(_row(cells, columns) for cells in _each_once(rows)), columns=columns)


def _problem(header: list[str]) -> str | None:
    for place, column in enumerate(SHORT):
        if place >= len(header) or header[place] != column:
            return f"column {place + 1} must be {column}"
    return None


def _each_once(rows: list[Cells]) -> list[Cells]:
    lines: dict[str, int] = {}
    for cells in rows:
        scenario = cells.text("id")
        if scenario in lines:
            cells.fail("id", f"{scenario} stands in line {lines[scenario]} already")
        lines[scenario] = cells.line
    return rows


def input_cells(scenario: Scenario) -> list[str]:
    """The cells of a job, in the order of the columns."""
    values = (getattr(scenario, column) for column in INPUT)
    return [csv_text.join(value) if isinstance(value, tuple) else str(value) for value in values]


def scenario_of(cells: Cells) -> Scenario:
    """The part of a row that a job carries."""
    return Scenario(
        id=ScenarioId(cells.matching("id", r"AT-[0-9]{3,9}", "AT-001")),
        name=cells.text("name"),
        layer=cells.word("layer", Layer),
        priority=cells.word("priority", Priority),
        category=cells.word("category", Category),
        target_file=cells.text("target_file"),
        test_file=_inside(cells, "test_file"),
        description=cells.text("description"),
        test_cases=cells.items("test_cases"),
        fixtures=cells.items("fixtures"),
        req_ref=cells.text("req_ref"),
        infrastructure_hints=cells.text("infrastructure_hints"),
        prev_context=cells.text("prev_context"),
    )


def _inside(cells: Cells, column: str) -> str:
    """A file that will be written must stay within the project."""
    path = cells.text(column)
    parts = path.replace("\\", "/").split("/")
    if parts[0].endswith(":") or (path and not parts[0]) or ".." in parts:
        cells.fail(column, f"{path!r} leads out of the project", "name a path within the project")
    return path


def _row(cells: Cells, columns: tuple[str, ...]) -> Row:
    life = Lifecycle(
        status=cells.maybe("status", ScenarioStatus) or ScenarioStatus.PENDING,
        red_result=cells.maybe("red_result", RedResult),
        findings=cells.text("findings"),
        error=cells.text("error"),
        classification=cells.maybe("classification", Classification),
        fix_code=cells.text("fix_code"),
        evidence=cells.text("evidence"),
        files_modified=cells.items("files_modified"),
        source=cells.maybe("source", Source),
        attempts=cells.number("attempts"),
    )
    more = tuple((column, cells.text(column)) for column in columns)
    return Row(scenario=scenario_of(cells), life=life, more=more)


def _cells(row: Row, columns: tuple[str, ...]) -> list[str]:
    life = row.life
    ours = [
        *input_cells(row.scenario),
        life.status,
        life.red_result or "",
        life.findings,
        life.error,
        life.classification or "",
        life.fix_code,
        life.evidence,
        csv_text.join(life.files_modified),
        life.source or "",
        str(life.attempts or ""),
    ]
    more = dict(row.more)
    return ours + [more.get(column, "") for column in columns]
