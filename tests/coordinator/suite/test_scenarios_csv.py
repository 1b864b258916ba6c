"""scenarios.csv: what is written is read back, by a spreadsheet's user or by us."""

import csv
import io
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.identity import ScenarioId
from contract.scenario import MAX_FINDINGS, Answer, Scenario
from contract.vocabulary import (
    Category,
    Classification,
    Layer,
    Priority,
    RedResult,
    ResultStatus,
    ScenarioStatus,
    Source,
)
from coordinator.errors import RequestError
from coordinator.planning.suite.row import Lifecycle, Row, diagnosed, merged, next_id, ran
from coordinator.records.suite import csv_text
from coordinator.records.suite.scenarios import COLUMNS, SHORT, Master, load, parse, render, save

E = TypeVar("E", bound=StrEnum)

texts = st.text(st.characters(codec="utf-8"), max_size=30)
items = st.lists(texts.map(str.strip).filter(bool), max_size=4).map(tuple)
PLAIN = Scenario(
    id=ScenarioId("AT-001"),
    name="adds",
    layer=Layer.L1,
    priority=Priority.HIGH,
    category=Category.UNIT,
    test_file="tests/test_at_001.py",
)


def maybe(words: type[E]) -> st.SearchStrategy[E | None]:
    return st.none() | st.sampled_from(list(words))


@st.composite
def masters(draw: st.DrawFn) -> Master:
    columns = draw(st.sampled_from([(), ("owner",), ("owner", "note")]))
    numbers = draw(st.lists(st.integers(1, 9999), max_size=4, unique=True))
    return Master(rows=tuple(draw(rows(number, columns)) for number in numbers), columns=columns)


@st.composite
def rows(draw: st.DrawFn, number: int, columns: tuple[str, ...]) -> Row:
    scenario = Scenario(
        id=ScenarioId(f"AT-{number:03d}"),
        layer=draw(st.sampled_from(Layer)),
        priority=draw(st.sampled_from(Priority)),
        category=draw(st.sampled_from(Category)),
        test_file="tests/test_a.py",
        test_cases=draw(items),
        fixtures=draw(items),
        **{
            name: draw(texts)
            for name in ("name", "target_file", "description", "req_ref", "prev_context")
        },
    )
    life = Lifecycle(
        status=draw(st.sampled_from(ScenarioStatus)),
        red_result=draw(maybe(RedResult)),
        classification=draw(maybe(Classification)),
        source=draw(maybe(Source)),
        files_modified=draw(items),
        attempts=draw(st.integers(0, 9)),
        **{name: draw(texts) for name in ("findings", "error", "fix_code", "evidence")},
    )
    return Row(scenario, life, tuple((column, draw(texts)) for column in columns))


@given(masters())
def test_what_is_written_is_read_back(master: Master) -> None:
    assert parse(render(master).decode()) == master


@given(masters())
def test_the_same_master_gives_the_same_bytes(master: Master) -> None:
    data = render(master)
    assert render(parse(data.decode())) == data


@given(masters())
def test_any_reader_of_csv_sees_one_record_per_scenario(master: Master) -> None:
    found = list(csv.reader(io.StringIO(render(master).decode(), newline=""), strict=True))
    assert [len(record) for record in found] == [len(found[0])] * (len(master.rows) + 1)


@given(st.lists(texts.map(str.strip).filter(bool), max_size=5).map(tuple))
def test_a_list_is_the_same_after_its_cell(entries: tuple[str, ...]) -> None:
    assert csv_text.split(csv_text.join(entries)) == entries


@pytest.mark.parametrize(
    ("entries", "cell"),
    [
        (("a", "b"), "a;b"),
        (("a; b", "c"), r"a\; b;c"),
        ((r"C:\dir\file", "b"), r"C:\dir\file;b"),
        (("ends in \\", "b"), r"ends in \\;b"),
    ],
)
def test_only_a_semicolon_needs_a_backslash(entries: tuple[str, ...], cell: str) -> None:
    assert csv_text.join(entries) == cell
    assert csv_text.split(cell) == entries


@given(texts)
def test_no_cell_begins_with_what_a_spreadsheet_would_run(text: str) -> None:
    assert not csv_text.guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert csv_text.unguarded(csv_text.guarded(text)) == text


def test_the_header_is_that_of_the_format() -> None:
    first = render(Master()).decode()
    assert first == ",".join(f'"{column}"' for column in COLUMNS) + "\r\n"


def test_a_file_that_ends_at_error_is_read_and_written_with_the_rest() -> None:
    short = csv_text.write(
        SHORT, [["AT-001", "a", "L1", "high", "unit", *[""] * 8, "passed", "", "", ""]]
    )
    master = parse(short.decode())
    assert master.rows[0].life.status is ScenarioStatus.PASSED
    assert parse(render(master).decode()) == master


def test_columns_of_others_are_kept() -> None:
    master = Master((Row(PLAIN, more=(("owner", "ann"),)),), ("owner",))
    header, line, _ = render(master).decode().split("\r\n")
    assert header.endswith('"owner"')
    assert line.endswith('"ann"')


def edited(**cells: str) -> str:
    """A file with one scenario, some cells of which were changed by hand."""
    row = dict.fromkeys(COLUMNS, "") | {
        "id": "AT-001",
        "layer": "L1",
        "priority": "high",
        "category": "unit",
        **cells,
    }
    return csv_text.write(COLUMNS, [[row[column] for column in COLUMNS]]).decode()


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"layer": "L9"}, "line 2, column layer: 'L9'"),
        ({"priority": ""}, "line 2, column priority: ''"),
        ({"status": "done"}, "line 2, column status: 'done'"),
        ({"id": "7"}, "line 2, column id: '7'"),
        ({"attempts": "many"}, "line 2, column attempts: 'many'"),
        ({"test_file": "../up.py"}, "line 2, column test_file: '../up.py' leads out"),
        ({"test_file": "/etc/passwd"}, "line 2, column test_file"),
    ],
)
def test_a_cell_that_makes_no_sense_is_named(cells: dict[str, str], words: str) -> None:
    with pytest.raises(RequestError, match=r"scenarios\.csv") as caught:
        parse(edited(**cells))
    assert words in caught.value.sentence
    assert caught.value.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: column 1 must be id"),
        (edited().replace('"name"', '"title"', 1), "line 1: column 2 must be name"),
        (edited() + "AT-002,b\r\n", "line 3 has 2 cells where 23"),
        (edited() + edited().split("\r\n")[1], "line 3, column id: AT-001 stands in line 2"),
        (edited() + '"AT-002', "line 3 is not CSV"),
        (edited().replace('"attempts"', '"error"', 1), "the column error stands there twice"),
    ],
)
def test_a_file_that_makes_no_sense_says_where(text: str, words: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse(text)
    assert words in caught.value.sentence


def test_the_line_is_right_after_a_cell_with_line_breaks() -> None:
    first = edited(description="one\ntwo\nthree")
    second = edited(id="AT-002", layer="L9").split("\r\n", 1)[1]
    with pytest.raises(RequestError, match="line 5, column layer"):
        parse(first + second)


def test_a_file_from_a_spreadsheet_has_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "scenarios.csv"
    path.write_bytes(b"\xef\xbb\xbf" + edited().encode())
    assert load(path) == parse(edited())


def test_a_master_that_is_not_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "session" / "scenarios.csv"
    assert load(path) is None
    save(path, Master())
    assert load(path) == Master()


def answer(status: ResultStatus, **fields: object) -> Answer:
    return Answer(id="AT-001", result_status=status, findings="", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (ResultStatus.COMPLETED, ScenarioStatus.WRITTEN),
        (ResultStatus.FAILED, ScenarioStatus.FAILED),
        (ResultStatus.BLOCKED, ScenarioStatus.BLOCKED),
    ],
)
def test_a_writers_answer_moves_its_row(said: ResultStatus, status: ScenarioStatus) -> None:
    row = merged(Row(PLAIN), answer(said, red_result=RedResult.EXPECTED_FAIL), attempt=1)
    assert row.life.attempts == 1
    assert (row.life.status, row.life.red_result) == (status, RedResult.EXPECTED_FAIL)
    assert merged(row, answer(said), attempt=1) == row


def test_findings_are_cut_where_the_format_says() -> None:
    long = Answer(id="AT-001", result_status=ResultStatus.COMPLETED, findings="x" * 900)
    findings = merged(Row(PLAIN), long, attempt=1).life.findings
    assert (len(findings), findings[-1]) == (MAX_FINDINGS, "…")


def test_a_diagnosis_moves_no_status_and_a_green_run_clears_the_fault() -> None:
    red = ran(Row(PLAIN), passed=False, error="1 != 2")
    row = diagnosed(red, answer(ResultStatus.COMPLETED, classification=Classification.TEST_DEFECT))
    assert row.life.status is ScenarioStatus.FAILED
    green = ran(row, passed=True)
    assert (green.life.classification, green.life.error) == (None, "")


def test_ids_go_on_after_the_highest() -> None:
    assert next_id([Row(PLAIN)]) == "AT-002"
    assert next_id([]) == "AT-001"
