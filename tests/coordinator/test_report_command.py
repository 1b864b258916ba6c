"""`mazewave report`: the pages anew from what is on disk, compared, opened."""

import shutil
import webbrowser
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contract.action_tree import RouteReport
from coordinator.cli.main import main
from coordinator.errors import ExitCode
from coordinator.records import state_file
from coordinator.records.reports import REPORTS
from tests.support.reported import bug, project, report


def kept(folder: Path, *found: RouteReport) -> Path:
    """A run that is over, saved in `folder`."""
    state = project(folder, found)
    state_file.save(state, folder, datetime.now(UTC))
    return folder


def run(*words: object) -> int:
    return main(["report", *map(str, words)])


def test_all_pages_are_written_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = kept(tmp_path, report("/a", bug()))
    assert run("--project", folder) == ExitCode.REMAINS
    out = capsys.readouterr().out
    assert "1 of 1 routes tested, 1 bug (1 major)" in out
    assert f"Page:    {folder / REPORTS / 'final-report.html'}" in out
    for name in ("FINAL-REPORT.md", "final-report.html", "junit.xml", "scripts/BUG-a-M1.py"):
        assert (folder / REPORTS / name).is_file(), name


def test_without_bugs_the_exit_code_is_zero(tmp_path: Path) -> None:
    assert run("--project", kept(tmp_path, report("/a"))) == ExitCode.OK


def test_the_state_and_the_reports_stay_as_they_are(tmp_path: Path) -> None:
    folder = kept(tmp_path, report("/a", bug()))
    files = [folder / state_file.FILE_NAME, folder / REPORTS / "a.json"]
    before = [path.read_bytes() for path in files]
    run("--project", folder)
    assert [path.read_bytes() for path in files] == before


def test_a_folder_without_a_run_is_a_request_that_cannot_be_met(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--project", tmp_path) == ExitCode.REQUEST
    assert "there is no run in" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_against_an_earlier_run_the_changes_are_told_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept(tmp_path / "before", report("/a", bug("M1"), bug("M2", description="Old one")))
    now = kept(tmp_path / "now", report("/a", bug("M1"), bug("M3", description="New one")))
    assert run("--project", now, "--against", before) == ExitCode.REMAINS
    out = capsys.readouterr().out
    assert f"Compared with {before}: 1 new, 1 fixed, 1 still there, 0 gone" in out
    text = (now / REPORTS / "FINAL-REPORT.md").read_text()
    assert "## Compared with an earlier run" in text
    assert "### New: 1\n\n- major: `/a` New one" in text
    html = (now / REPORTS / "final-report.html").read_text()
    assert '<section id="compared"' in html
    assert "Old one" in html


def test_the_folder_of_the_earlier_reports_is_understood_too(tmp_path: Path) -> None:
    before = kept(tmp_path / "before", report("/a"))
    now = kept(tmp_path / "now", report("/a"))
    assert run("--project", now, "--against", before / REPORTS) == ExitCode.OK


def test_the_run_before_is_compared_with_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(tmp_path / "before", report("/a", bug("M1")))
    state = project(tmp_path, [report("/a", bug("M1"), bug("M2"))])
    state.update(earlier="before")
    state_file.save(state, tmp_path, datetime.now(UTC))
    run("--project", tmp_path)
    assert "Compared with before: 1 new, 0 fixed, 1 still there, 0 gone" in capsys.readouterr().out
    (tmp_path / "before" / state_file.FILE_NAME).write_text("{")
    assert run("--project", tmp_path) == ExitCode.REMAINS
    assert "Compared" not in capsys.readouterr().out


@pytest.mark.parametrize("there", ["nothing", "itself"])
def test_a_folder_that_holds_no_earlier_run_is_said_so(
    tmp_path: Path, there: str, capsys: pytest.CaptureFixture[str]
) -> None:
    now = kept(tmp_path / "now", report("/a"))
    against = now if there == "itself" else tmp_path / "empty"
    assert run("--project", now, "--against", against) == ExitCode.REQUEST
    said = capsys.readouterr().err
    assert "this run itself" in said if there == "itself" else "holds no earlier run" in said


def test_a_damaged_report_is_told_and_the_others_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = kept(tmp_path, report("/a", bug()), report("/b"))
    (folder / REPORTS / "b.json").write_text("{")
    assert run("--project", folder) == ExitCode.REMAINS
    out = capsys.readouterr().out
    assert "The report of /b cannot be read; the route counts as pending." in out
    assert "1 bug" in out


def test_open_shows_the_page_in_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setenv("BROWSER", "x")

    def show(url: str) -> bool:
        seen.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", show)
    folder = kept(tmp_path, report("/a"))
    run("--project", folder, "--open")
    assert seen == [(folder / REPORTS / "final-report.html").as_uri()]


@pytest.mark.parametrize("trouble", ["none here", "it fails"])
def test_without_a_browser_the_file_is_named(
    tmp_path: Path,
    trouble: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    if trouble == "it fails":
        monkeypatch.setenv("BROWSER", "x")
        monkeypatch.setattr(webbrowser, "open", lambda _url: False)
    folder = kept(tmp_path, report("/a"))
    assert run("--project", folder, "--open") == ExitCode.OK
    assert "open this file in one: " in capsys.readouterr().err


def test_a_run_that_goes_on_is_not_disturbed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from coordinator.driver.workspace import Workspace

    folder = kept(tmp_path, report("/a"))
    with Workspace(folder):
        assert run("--project", folder) == ExitCode.REQUEST
    assert "is going on already" in capsys.readouterr().err


def test_a_copy_of_a_run_is_as_good_as_the_run(tmp_path: Path) -> None:
    before = kept(tmp_path / "now", report("/a"))
    copy = tmp_path / "copy"
    shutil.copytree(before, copy)
    assert run("--project", before, "--against", copy) == ExitCode.OK
