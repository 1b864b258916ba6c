"""Reports and screenshots: always in step, and nothing that a worker sends is trusted."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from contract import wire
from contract.vocabulary import ActionResult, NodeState
from coordinator.records import reports
from tests.support.fake_browser import SHOTS, png, report_of

PNGS = {name: png(1) for name in SHOTS}


def pair(folder: Path, slug: str = "a") -> tuple[set[str], set[str]]:
    """The screenshots there are, and those that the report names or every route has."""
    report = reports.read(folder, f"monkey-test-reports/{slug}.json")
    assert report is not None
    there = {item.name for item in (folder / reports.SCREENSHOTS / slug).iterdir()}
    return there, reports._named(report) | {"01-page-load.png", "07-final-state.png"}


def test_what_is_written_is_read_back_with_its_screenshots(tmp_path: Path) -> None:
    report = report_of("/a")
    reports.write(tmp_path, "a", report, PNGS)
    assert reports.read(tmp_path, "monkey-test-reports/a.json") == report
    there, named = pair(tmp_path)
    assert there == named


def test_a_screenshot_that_nobody_names_is_left_out(tmp_path: Path) -> None:
    reports.write(tmp_path, "a", report_of("/a"), {**PNGS, "09-other.png": png(2)})
    assert "09-other.png" not in pair(tmp_path)[0]


def test_a_second_report_replaces_the_first_one_whole(tmp_path: Path) -> None:
    reports.write(tmp_path, "a", report_of("/a"), PNGS)
    node = msgspec.structs.replace(report_of("/a").action_tree.toolbar[0], screenshot="02-x.png")
    tree = msgspec.structs.replace(report_of("/a").action_tree, toolbar=(node,))
    second = msgspec.structs.replace(report_of("/a"), action_tree=tree)
    reports.write(tmp_path, "a", second, {**PNGS, "02-x.png": png(3)})
    there, named = pair(tmp_path)
    assert there == named
    assert "02-toolbar-save.png" not in there


@pytest.mark.parametrize("name", ["../x.png", "01-A.png", "1-a.png", "01-a.jpg", "01-a.png\n", ""])
def test_a_name_that_is_no_screenshot_is_refused(name: str) -> None:
    problem = reports.problem_with(report_of("/a"), "/a", "a", {**PNGS, name: png(1)})
    assert problem is not None
    assert "no name of a screenshot" in problem


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda pngs: pngs.update({"02-toolbar-save.png": b"GIF89a"}), "is no PNG"),
        (lambda pngs: pngs.pop("02-toolbar-save.png"), "did not send it"),
        (
            lambda pngs: pngs.update({"02-toolbar-save.png": png(1) + bytes(reports.MAX_PNG)}),
            "are allowed",
        ),
    ],
)
def test_bad_pictures_refuse_the_result(
    change: Callable[[dict[str, bytes]], object], says: str
) -> None:
    pngs = dict(PNGS)
    change(pngs)
    problem = reports.problem_with(report_of("/a"), "/a", "a", pngs)
    assert problem is not None
    assert says in problem


def test_a_report_of_another_route_or_slug_is_refused() -> None:
    assert reports.problem_with(report_of("/b"), "/a", "a", PNGS)
    assert reports.problem_with(report_of("/a"), "/a", "../a", PNGS)
    assert reports.problem_with(report_of("/a"), "/a", "a", PNGS) is None


def crash_before_the_swap(shots: Path) -> None:
    """The new pair was staged whole, the old one is still in place."""
    stage = shots / ".a.partial"
    stage.mkdir()
    for name, data in PNGS.items():
        (stage / name).write_bytes(data)
    (stage / "report.json").write_bytes(wire.pretty(report_of("/a")))


def crash_after_removing_the_old(shots: Path) -> None:
    crash_before_the_swap(shots)
    shutil.rmtree(shots / "a")


def crash_after_the_swap(shots: Path) -> None:
    crash_after_removing_the_old(shots)
    (shots / ".a.partial").rename(shots / "a")


def crash_while_staging(shots: Path) -> None:
    (shots / ".a.partial").mkdir()
    (shots / ".a.partial" / SHOTS[0]).write_bytes(PNGS[SHOTS[0]])


def crash_while_staging_the_report(shots: Path) -> None:
    crash_while_staging(shots)
    (shots / ".a.partial" / "report.json").write_bytes(b'{"route":')


@pytest.mark.parametrize(
    "crash",
    [
        crash_before_the_swap,
        crash_after_removing_the_old,
        crash_after_the_swap,
        crash_while_staging,
        crash_while_staging_the_report,
    ],
)
def test_a_crash_anywhere_is_put_right(tmp_path: Path, crash: Callable[[Path], None]) -> None:
    reports.write(tmp_path, "a", report_of("/a"), PNGS)
    shots = tmp_path / reports.SCREENSHOTS
    crash(shots)
    assert reports.repair(tmp_path) == 1
    there, named = pair(tmp_path)
    assert there == named
    assert [item.name for item in shots.iterdir()] == ["a"]
    assert reports.repair(tmp_path) == 0


def test_a_slug_that_ends_like_a_stage_is_not_taken_for_one(tmp_path: Path) -> None:
    reports.write(tmp_path, "a.partial", report_of("/a.partial"), PNGS)
    assert reports.repair(tmp_path) == 0
    assert (tmp_path / reports.SCREENSHOTS / "a.partial").is_dir()


def test_operations_count_what_was_tried() -> None:
    node = report_of("/a").action_tree.toolbar[0]
    change = msgspec.structs.replace
    tree = change(
        report_of("/a").action_tree,
        toolbar=(
            node,
            change(node, action_result=ActionResult.ERROR),
            change(node, action_result=ActionResult.NO_RESPONSE),
            change(node, action_result=ActionResult.SKIPPED),
            change(node, state=NodeState.DISABLED, action_result=ActionResult.NOT_CLICKABLE),
        ),
    )
    found = reports.operations(change(report_of("/a"), action_tree=tree))
    assert (found.total, found.passed, found.failed, found.disabled) == (4, 1, 2, 1)
