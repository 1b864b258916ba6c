"""What a suite run leaves for people and for other tools: pages, issues, the registry."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.vocabulary import Layer, Priority, ScenarioStatus, Strategy
from coordinator.errors import RequestError
from coordinator.judging.confidence import Measured, Part, confidence
from coordinator.judging.requirement_coverage import Asked, Shown, criterion, requirement
from coordinator.records.suite import issues, reflection, registry, traceability
from coordinator.records.suite.iteration import LayerResult
from coordinator.records.suite.reflection import Reflection
from coordinator.records.suite.traceability import Trace

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ASKED = Asked("AC-1", "adds", Priority.CRITICAL)


def trace(status: ScenarioStatus, title: str = "Sums") -> Trace:
    covered = requirement("REQ-001", title, [criterion(ASKED, [Shown("t", status)])])
    return Trace(
        completed_at=NOW,
        requirements=[covered],
        layers={"L1": LayerResult(total=2, passed=1, failed=1, pass_rate=50.0)},
        failures=["AF-001: 1 | 2"],
        phase=3,
    )


def test_the_traceability_page_is_that_of_the_format() -> None:
    assert traceability.render(trace(ScenarioStatus.PASSED)) == (
        "---\n"
        "phase: 3\n"
        "blueprint_ref: null\n"
        "completed_at: 2026-01-02T03:04:05Z\n"
        "verdict: passed\n"
        "---\n\n"
        "## Requirement Coverage\n\n"
        "| REQ | Title | AC Total | Passed | Failed | Coverage | Verdict |\n"
        "|---|---|---|---|---|---|---|\n"
        "| REQ-001 | Sums | 1 | 1 | 0 | 100% | verified |\n\n"
        "## Layer Results\n\n"
        "| Layer | Total | Passed | Failed | Blocked | Pass Rate |\n"
        "|---|---|---|---|---|---|\n"
        "| L1 | 2 | 1 | 1 | 0 | 50% |\n\n"
        "## Failures\n\n"
        "- AF-001: 1 \\| 2\n\n"
        "## Next Steps\n\n"
        "None\n"
    )


@pytest.mark.parametrize("status", [ScenarioStatus.FAILED, ScenarioStatus.PENDING])
def test_a_criterion_that_did_not_pass_is_a_gap(status: ScenarioStatus) -> None:
    assert trace(status).verdict == "gaps_found"


@given(st.text(max_size=40))
def test_no_title_can_break_the_table(title: str) -> None:
    page = traceability.render(trace(ScenarioStatus.PASSED, title))
    plain = traceability.render(trace(ScenarioStatus.PASSED))
    assert page.count("\n") == plain.count("\n")


def told(number: int, rate: float | None = 80.0, previous: float | None = None) -> Reflection:
    return Reflection(
        iteration=number,
        strategy=Strategy.CONSERVATIVE,
        rate=rate,
        previous=previous,
        confidence=confidence(
            Measured(kills=Part("mutants killed", 45, 50), jobs=Part("jobs", 1, 1))
        ),
        failed=[("test_a", "1 != 2\n## Iteration 9")],
        following=Strategy.SURGICAL,
        reason="a test that was green is red",
    )


def test_a_section_of_the_log_shows_its_arithmetic() -> None:
    log = reflection.with_section(reflection.head(None, NOW), told(1))
    assert log.startswith(
        "# Auto-Test Reflection Log\n\nPhase: none\nStarted: 2026-01-02T03:04:05Z"
    )
    assert "Pass rate: 80% (previous: –)\nDelta: –\n" in log
    assert "- Recommendation: switch_to_surgical (a test that was green is red)" in log
    assert "| test_quality | mutants killed 45/50 | 90.0 · 0.67 = 60.0 |" in log
    assert "| scenario_coverage | no data; its weight is shared out | no data |" in log
    assert "| overall | 60.0 + 33.3 | 93.3 |" in log


def test_an_iteration_has_one_section_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "reflection-log.md"
    for number in (1, 3, 2):
        reflection.write(path, told(number), None, NOW)
    noted = path.read_text(encoding="utf-8").replace(
        "### Pattern", "A word of mine.\n\n### Pattern"
    )
    path.write_text(noted, encoding="utf-8")
    reflection.write(path, told(2, rate=100.0, previous=80.0), None, NOW)
    log = path.read_text(encoding="utf-8")
    heads = [line for line in log.splitlines() if line.startswith("## ")]
    assert heads == ["## Iteration 1", "## Iteration 2", "## Iteration 3"]
    assert log.count("A word of mine.") == 2
    assert "Delta: +20%" in log


def test_writing_a_section_twice_gives_the_same_log() -> None:
    once = reflection.with_section(reflection.head(1, NOW), told(1))
    assert reflection.with_section(once, told(1)) == once


@pytest.mark.parametrize(
    ("rate", "previous", "assessment"),
    [
        (80.0, 70.0, "effective"),
        (80.0, 80.0, "partially_effective"),
        (70.0, 80.0, "ineffective"),
        (None, 80.0, "partially_effective"),
    ],
)
def test_a_strategy_is_assessed_by_what_it_brought(
    rate: float | None, previous: float | None, assessment: str
) -> None:
    assert told(1, rate, previous).assessment == assessment


DEFECT = issues.Defect(
    req_ref="REQ-001:AC-1",
    description="the total is wrong",
    layer=Layer.L1,
    severity=Priority.CRITICAL,
    expected="5",
    actual="4",
    file="src/cart.py",
    line=12,
)


def records(folder: Path) -> list[dict[str, object]]:
    lines = (folder / issues.FILE_NAME).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def test_an_issue_has_the_fields_of_the_format(tmp_path: Path) -> None:
    assert issues.file_defects(tmp_path, [DEFECT], NOW) == ("ISS-20260102-001",)
    (issue,) = records(tmp_path)
    assert list(issue) == [
        *("id", "title", "status", "priority", "severity", "source", "phase_ref", "gap_ref"),
        *("description", "fix_direction", "context", "tags", "affected_components", "feedback"),
        *("issue_history", "created_at", "updated_at", "resolved_at", "resolution"),
    ]
    assert issue["title"] == "Auto-Test: REQ-001:AC-1 - the total is wrong"
    assert issue["description"] == "Expected: 5 Actual: 4"
    assert issue["tags"] == ["auto-test", "L1"]
    assert issue["context"] == {"location": "src/cart.py:12", "suggested_fix": "", "notes": ""}


def test_the_same_defect_is_not_filed_twice_even_if_its_line_moved(tmp_path: Path) -> None:
    issues.file_defects(tmp_path, [DEFECT, DEFECT], NOW)
    moved = msgspec.structs.replace(DEFECT, line=40, actual="3")
    other = msgspec.structs.replace(DEFECT, description="the tax is wrong")
    ids = issues.file_defects(tmp_path, [moved, other], NOW)
    assert ids == ("ISS-20260102-001", "ISS-20260102-002")
    assert [issue["id"] for issue in records(tmp_path)] == list(ids)


def test_a_defect_that_was_resolved_and_is_back_is_filed_again(tmp_path: Path) -> None:
    issues.file_defects(tmp_path, [DEFECT], NOW)
    path = tmp_path / issues.FILE_NAME
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"resolved_at":null', '"resolved_at":"2026-01-03"'), "utf-8")
    assert issues.file_defects(tmp_path, [DEFECT], NOW) == ("ISS-20260102-002",)


def test_a_number_is_free_in_the_history_too(tmp_path: Path) -> None:
    (tmp_path / issues.HISTORY).write_text('{"id": "ISS-20260102-007"}\n', encoding="utf-8")
    assert issues.file_defects(tmp_path, [DEFECT], NOW) == ("ISS-20260102-008",)
    assert issues.next_number([b'{"id":"ISS-20250101-009"}'], date(2026, 1, 2)) == 1


def test_what_others_wrote_stays_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / issues.FILE_NAME
    before = b'{"id":  "X-1", "context": 7}\nnot json\n{"title": "torn'
    path.write_bytes(before)
    issues.file_defects(tmp_path, [DEFECT], NOW)
    assert path.read_bytes().startswith(before + b'\n{"id":"ISS-')


OUTCOME = registry.Outcome(
    phase=2, path="scratch/20260102-auto-test-P2-cart", defects=0, created_at=NOW, completed_at=NOW
)
REGISTRY = {
    "version": "1.2",
    "artifacts": [
        {"id": "EXC-001", "type": "execute", "phase": 2, "path": "phases/02", "milestone": "M1"},
        {"id": "TST-004", "type": "test", "phase": 1, "path": "scratch/old", "mine": [1.50, None]},
    ],
    "current": {"phase": 2},
}


def test_one_artifact_is_added_and_all_else_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(REGISTRY), encoding="utf-8")
    assert registry.add(path, OUTCOME) == "TST-005"
    written = json.loads(path.read_text(encoding="utf-8"))
    added = written["artifacts"].pop()
    assert written == REGISTRY
    assert list(written) == list(REGISTRY)
    assert added == {
        "id": "TST-005",
        "type": "test",
        "milestone": "M1",
        "phase": 2,
        "scope": "phase",
        "path": "scratch/20260102-auto-test-P2-cart",
        "status": "completed",
        "depends_on": "EXC-001",
        "harvested": False,
        "created_at": "2026-01-02T03:04:05Z",
        "completed_at": "2026-01-02T03:04:05Z",
    }


def test_a_run_that_reports_twice_has_one_artifact(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(REGISTRY), encoding="utf-8")
    registry.add(path, OUTCOME)
    again = registry.Outcome(2, OUTCOME.path, defects=1, created_at=NOW, completed_at=NOW)
    assert registry.add(path, again) == "TST-005"
    written = json.loads(path.read_text(encoding="utf-8"))["artifacts"]
    assert [each.get("status") for each in written] == [None, None, "failed"]


def test_a_project_without_a_registry_gets_none(tmp_path: Path) -> None:
    assert registry.add(tmp_path / "state.json", OUTCOME) is None
    assert not list(tmp_path.iterdir())


def test_a_registry_that_makes_no_sense_names_the_field(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"artifacts": [{"id": 7}]}', encoding="utf-8")
    with pytest.raises(RequestError, match=r"state.json, field artifacts\[0\]\.id"):
        registry.read(path)


def test_the_folder_of_a_phase_is_that_of_its_last_execution(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(REGISTRY), encoding="utf-8")
    document = registry.read(path)
    assert document is not None
    found = registry.execute_of(document.value, 2)
    assert found is not None
    assert found.path == "phases/02"
    assert registry.execute_of(document.value, 9) is None
