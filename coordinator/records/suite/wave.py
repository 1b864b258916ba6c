"""The CSV files of a wave: what was asked of writers, and what they answered.

`layer-L{N}-write.csv` holds what the jobs carry, the input columns and `prev_context`. The answers
are kept for audit, as they came, beside it; a diagnosis wave has such a file too. Invariant: a file
of answers holds each (id, job, attempt) once, so that a result may be filed twice. Leaves out
merging answers into the master.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from contract import wire
from contract.scenario import Answer, Scenario
from contract.vocabulary import ResultStatus
from coordinator.records.atomic import write_atomic
from coordinator.records.suite import csv_text
from coordinator.records.suite.csv_text import Cells
from coordinator.records.suite.scenarios import INPUT, input_cells, scenario_of

RESULTS = ("id", "job_id", "attempt", "worker", "result_status", "result_json", "reported_at")


@dataclass(frozen=True, slots=True)
class Filed:
    """An answer as it came."""

    job_id: str
    attempt: int
    worker: str
    answer: Answer
    reported_at: datetime

    @property
    def identity(self) -> tuple[str, str, int]:
        return (self.answer.id, self.job_id, self.attempt)


def save_wave(path: Path, scenarios: Iterable[Scenario]) -> None:
    write_atomic(path, csv_text.write(INPUT, map(input_cells, scenarios)))


def load_wave(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a wave; none if it was never sent."""
    text = csv_text.read_file(path)
    if text is None:
        return ()
    _, rows = csv_text.read(text, path.name, csv_text.exactly(INPUT))
    return tuple(map(scenario_of, rows))


def load_results(path: Path) -> tuple[Filed, ...]:
    """The answers of a wave so far."""
    text = csv_text.read_file(path)
    if text is None:
        return ()
    _, rows = csv_text.read(text, path.name, csv_text.exactly(RESULTS))
    return tuple(map(_filed, rows))


def file_results(path: Path, answers: Iterable[Filed]) -> None:
    """Add answers; one that is filed already stays as it is."""
    filed = {entry.identity: entry for entry in load_results(path)}
    for entry in answers:
        filed.setdefault(entry.identity, entry)
    write_atomic(path, csv_text.write(RESULTS, map(_cells, filed.values())))


def _cells(entry: Filed) -> list[str]:
    return [
        entry.answer.id,
        entry.job_id,
        str(entry.attempt),
        entry.worker,
        entry.answer.result_status,
        wire.dumps(entry.answer).decode(),
        wire.loads(wire.dumps(entry.reported_at), str),
    ]


def _filed(cells: Cells) -> Filed:
    try:
        answer = wire.loads(cells.text("result_json"), Answer)
        at = wire.loads(wire.dumps(cells.text("reported_at")), datetime)
    except wire.WireError as error:
        cells.fail("result_json", str(error), "remove that line; the master has what it said")
    if (cells.text("id"), cells.word("result_status", ResultStatus)) != (
        answer.id,
        answer.result_status,
    ):
        cells.fail("result_json", "it is not about this id and status", "remove that line")
    return Filed(
        job_id=cells.text("job_id"),
        attempt=cells.number("attempt"),
        worker=cells.text("worker"),
        answer=answer,
        reported_at=at,
    )
