"""The other files of a suite run: waves, diagnoses, the board, state, plan, results, report."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.discoveries import Convention, FixtureSeen, Shared, Style
from contract.identity import ScenarioId
from contract.scenario import Answer, Scenario
from contract.vocabulary import (
    Classification,
    Layer,
    ResultStatus,
    ScenarioStatus,
    SourceRoute,
    Strategy,
    SuiteStatus,
)
from coordinator.errors import RequestError
from coordinator.judging.confidence import Measured, Part, confidence
from coordinator.machines.suite_ledger import Ledger, Step
from coordinator.planning.suite.row import Row, ran
from coordinator.records.suite import board, diagnosis, iteration, json_file, plan, report, state
from coordinator.records.suite.places import Places, scratch, session_id
from coordinator.records.suite.wave import Filed, file_results, load_results, load_wave, save_wave
from tests.coordinator.suite.test_scenarios_csv import PLAIN
from tests.support.suite import World, run, upto

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SESSION = state.Session(session_id="auto-test-20260102-030405", started_at=NOW)


def test_the_places_are_those_of_the_format() -> None:
    places = Places(Path("p"))
    assert places.scenarios == Path("p/.tests/auto-test/.csv-session/scenarios.csv")
    assert places.wave_results(Layer.L2).name == "layer-L2-write-results.csv"
    assert places.iteration(3) == Path("p/.tests/auto-test/results-iter-3.json")
    assert session_id(NOW) == "auto-test-20260102-030405"


@pytest.mark.parametrize(
    ("phase", "title", "folder"),
    [
        (3, "User Login", "scratch/20260102-auto-test-P3-user-login"),
        (None, "shop/../etc", "scratch/20260102-auto-test-adhoc-shop-etc"),
        (None, "…", "scratch/20260102-auto-test-adhoc-run"),
    ],
)
def test_a_published_folder_cannot_lead_elsewhere(
    phase: int | None, title: str, folder: str
) -> None:
    assert scratch(date(2026, 1, 2), phase, title) == folder


def test_a_wave_holds_what_a_job_carries_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "layer-L1-write.csv"
    save_wave(path, [PLAIN])
    header = path.read_text(encoding="utf-8").splitlines()[0].replace('"', "").split(",")
    assert header == list(Scenario.__struct_fields__)
    assert load_wave(path) == (PLAIN,)


def filed(attempt: int = 1, findings: str = "ok") -> Filed:
    said = Answer(id="AT-001", result_status=ResultStatus.COMPLETED, findings=findings)
    return Filed("write:AT-001", attempt, "w1", said, NOW)


def test_answers_are_kept_as_they_came_and_each_attempt_once(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    file_results(path, [filed()])
    file_results(path, [filed(findings="again"), filed(attempt=2)])
    assert load_results(path) == (filed(), filed(attempt=2))


def test_an_answer_that_was_edited_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    file_results(path, [filed()])
    path.write_text(path.read_text(encoding="utf-8").replace("completed", "done"), "utf-8")
    with pytest.raises(RequestError, match=r"results.csv line 2, column result_json"):
        load_results(path)


def test_diagnoses_are_read_back(tmp_path: Path) -> None:
    rows = (
        diagnosis.Diagnosis(
            id=diagnosis.diagnosis_id(1),
            scenario_id=ScenarioId("AT-001"),
            layer=Layer.L1,
            error_detail="-1 != 1",
            classification=Classification.TEST_DEFECT,
            fix_code="a → b",
        ),
        diagnosis.Diagnosis(id="DX-002", scenario_id=ScenarioId("AT-002"), layer=Layer.L2),
    )
    path = tmp_path / "diagnosis-iter-1.csv"
    diagnosis.save(path, rows)
    assert diagnosis.load(path) == rows


def test_a_fix_for_the_product_is_refused() -> None:
    row = diagnosis.Diagnosis(
        id="DX-001",
        scenario_id=ScenarioId("AT-001"),
        layer=Layer.L1,
        classification=Classification.CODE_DEFECT,
        fix_code="a → b",
    )
    with pytest.raises(RequestError, match="line 2, column fix_code: only a test_defect"):
        diagnosis.parse(diagnosis.render((row,)).decode(), "diagnosis-iter-1.csv")


def fixture(name: str, worker: str = "w") -> FixtureSeen:
    return FixtureSeen(ts=NOW, worker=worker, data=Shared(name=name))


def test_the_board_only_grows_and_skips_what_is_malformed(tmp_path: Path) -> None:
    path = tmp_path / "discoveries.ndjson"
    before = b'{"ts": nonsense}\n{"type": "gossip"}'
    path.write_bytes(before)
    assert board.append(path, [fixture("client"), fixture("client", "other")]) == 1
    assert board.append(path, [fixture("client"), fixture("db")]) == 1
    assert path.read_bytes().startswith(before + b"\n")
    found = board.load(path)
    assert (found.records, found.skipped) == ((fixture("client"), fixture("db")), 2)


def test_a_line_of_the_board_has_the_keys_of_the_format(tmp_path: Path) -> None:
    path = tmp_path / "discoveries.ndjson"
    board.append(path, [Convention(ts=NOW, worker="w", data=Style(quotes="double"))])
    assert list(json.loads(path.read_text(encoding="utf-8"))) == ["ts", "worker", "type", "data"]


@given(st.binary(max_size=80))
def test_no_bytes_break_the_board(data: bytes) -> None:
    found = board.parse(data)
    assert found.skipped + len(found.records) <= data.count(b"\n") + 1


def test_the_state_has_the_keys_of_the_format_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state.save(path, SESSION, upto(Step.LAYER_EXEC), NOW)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert list(written) == [
        *("session_id", "phase", "phase_dir", "source_route", "blueprint_ref", "spec_mode"),
        *("status", "flags", "iteration", "strategy", "strategy_history", "threshold"),
        *("current_layer", "layer_state", "pass_rate_history", "scenario_count"),
        *("infrastructure", "step", "started_at", "updated_at", "mazewave"),
    ]
    assert written["step"] == "layer_exec"
    assert written["current_layer"] == "L1"
    assert written["layer_state"]["L0"]["status"] == "passed"


def test_what_decides_stands_in_one_place_of_the_state(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state.save(path, SESSION, upto(Step.LAYER_EXEC), NOW)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert not written["mazewave"]["ledger"].keys() & {"step", "iteration", "status", "flags"}


def test_fields_of_others_in_the_state_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state.save(path, SESSION, Ledger(), NOW)
    written = json.loads(path.read_text(encoding="utf-8"))
    written["dashboard"] = {"colour": "green"}
    written["flags"]["verbose"] = True
    path.write_text(json.dumps(written), encoding="utf-8")
    saved = state.load(path)
    assert saved is not None
    state.save(path, saved.session, saved.ledger, NOW, saved.raw)
    again = json.loads(path.read_text(encoding="utf-8"))
    assert again["dashboard"] == {"colour": "green"}
    assert again["flags"]["verbose"] is True


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"iteration": "two"}, "state.json, field iteration"),
        ({"step": "dancing"}, "state.json, field step"),
        ({"mazewave": {"ledger": {"turn": "x"}}}, "mazewave.ledger, field turn"),
        ({"mazewave": {"version": 99, "ledger": {}}}, "a newer mazewave"),
    ],
)
def test_a_field_of_the_state_that_makes_no_sense_is_named(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    path = tmp_path / "state.json"
    state.save(path, SESSION, Ledger(), NOW)
    written = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(written | change), encoding="utf-8")
    with pytest.raises(RequestError) as caught:
        state.load(path)
    assert words in caught.value.sentence


def test_a_state_that_is_no_json_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{\n  "session_id": "a",\n  oops\n}', encoding="utf-8")
    with pytest.raises(RequestError, match=r"state.json line 3"):
        state.load(path)


def test_only_a_run_that_has_not_ended_can_be_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for ledger, running in ((upto(Step.L0), True), (run(World()), False)):
        state.save(path, SESSION, ledger, NOW)
        saved = state.load(path)
        assert saved is not None
        assert saved.running is running


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=3), plain, max_size=4)


@given(objects, objects)
def test_ours_wins_and_theirs_stays(ours: dict[str, object], theirs: dict[str, object]) -> None:
    both = json_file.with_unknown(ours, theirs)
    assert both.keys() == ours.keys() | theirs.keys()
    assert list(both)[: len(ours)] == list(ours)
    assert json_file.with_unknown(ours, {}) == ours


def test_a_plan_counts_its_layers_by_priority(tmp_path: Path) -> None:
    scenarios = (PLAIN, another(fixtures=("db",)))
    made = plan.Plan(
        source_route=SourceRoute.SPEC,
        generated_at=NOW,
        layers=plan.layers_of(scenarios, ["ruff check"]),
        scenarios=scenarios,
        fixtures=dict(plan.fixtures_of(scenarios)),
    )
    path = tmp_path / "test-plan.json"
    plan.save(path, made)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["layers"]["L0"] == {"scenario_count": 0, "commands": ["ruff check"]}
    distribution = {"critical": 0, "high": 2, "medium": 0}
    assert written["layers"]["L1"]["priority_distribution"] == distribution
    assert written["fixtures"] == {"db": ["AT-002"]}
    read = plan.load(path)
    assert read is not None
    assert read.value == made


def another(**fields: object) -> Scenario:
    return msgspec.structs.replace(PLAIN, id=ScenarioId("AT-002"), **fields)


GREEN = ran(Row(PLAIN), passed=True)
RED = ran(Row(another(target_file="src/a.py")), passed=False, error="1 != 2")
BUG = replace(RED, life=replace(RED.life, classification=Classification.CODE_DEFECT))


def test_the_results_of_an_iteration_show_both_rates(tmp_path: Path) -> None:
    made = iteration.results_of(1, Strategy.CONSERVATIVE, [GREEN, BUG], NOW)
    path = tmp_path / "results-iter-1.json"
    iteration.save(path, made)
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["layers"]["L1"] == {
        "total": 2,
        "passed": 1,
        "failed": 1,
        "blocked": 0,
        "pass_rate": 100.0,
        "raw_pass_rate": 50.0,
    }
    assert [each["status"] for each in written["scenarios"]] == ["passed", "failed"]
    read = iteration.load(path)
    assert read is not None
    assert read.value == made


def test_the_report_has_one_failure_for_each_red_scenario(tmp_path: Path) -> None:
    rows = [GREEN, BUG]
    made = report.Report(
        source_route=SourceRoute.SPEC,
        completed_at=NOW,
        convergence=report.Convergence(status=SuiteStatus.CONFIRMED_DEFECTS, iterations=1),
        layers=iteration.layers_of(rows),
        scenarios=report.outcomes_of(rows, {ScenarioId("AT-001"): 1}),
        failures=report.failures_of(rows, {}),
        summary=report.summary_of(SourceRoute.SPEC, rows, fixed=0, coverage_pct=50.0),
        confidence=report.confidence_of(confidence(Measured(kills=Part("kills", 9, 10)))),
        next_step="quality-debug",
    )
    path = tmp_path / "report.json"
    report.save(path, made)
    written = json.loads(path.read_text(encoding="utf-8"))
    (failure,) = written["failures"]
    assert (failure["id"], failure["scenario_id"]) == ("AF-001", "AT-002")
    assert failure["fix_suggestion"]["file"] == "src/a.py"
    assert written["summary"]["bugs_discovered"] == 1
    assert written["scenarios"][0]["iterations_to_pass"] == 1
    assert written["confidence"]["overall"] == 90.0
    assert written["confidence"]["dimensions"]["scenario_coverage"] is None
    assert ScenarioStatus(written["scenarios"][1]["status"]) is ScenarioStatus.FAILED
    read = report.load(path)
    assert read is not None
    assert read.value == made
