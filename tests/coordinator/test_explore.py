"""`mazewave explore` as a process: stopped, killed, blocked, started twice, and gone on with."""

import json
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coordinator.driver.workspace import Workspace
from coordinator.errors import ExitCode
from coordinator.records import route_map, state_file
from coordinator.records.state import State


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Project:
    """A folder with a map, and an app's port that stays the same."""

    def __init__(self, folder: Path, *routes: str) -> None:
        self.folder = folder
        self.port = free_port()
        entries = tuple(route_map.MapRoute(route=route) for route in routes)
        if routes:
            route_map.save(folder / "ROUTE_MAP.md", route_map.RouteMap(routes=entries))

    def start(self, *words: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "tests.support.fake_explore", str(self.folder), self.port]
        return subprocess.Popen(
            [*command, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    def run(self, *words: str) -> tuple[int, str, str]:
        with self.start(*words) as process:
            out, err = process.communicate(timeout=120)
            return process.returncode, out, err

    def state(self) -> State:
        loaded = state_file.load(self.folder)
        assert loaded is not None
        return loaded.state

    def wait_for_reports(self, count: int, process: "subprocess.Popen[str]") -> None:
        reports = self.folder / "monkey-test-reports"
        while process.poll() is None and len(list(reports.glob("*.json"))) < count:
            time.sleep(0.01)

    def check_pairs(self) -> None:
        """Reports and screenshots match, and the state knows them all."""
        state = self.state()
        slugs = {path.stem for path in (self.folder / "monkey-test-reports").glob("*.json")}
        shots = {path.name for path in (self.folder / "monkey-test-screenshots").iterdir()}
        assert slugs == shots == {state.slugs[route] for route in state.completed}


def test_a_run_ends_with_a_summary_on_stdout_and_its_page_on_disk(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", "/bug/1", "/crash")
    code, out, err = project.run()
    assert code == ExitCode.REMAINS
    assert "2 of 3 routes tested, 1 bug (1 major), 1 could not be tested" in out
    assert "try the failed ones again with: mazewave explore" in out
    assert "--retry-failed" in out
    assert "Plan: 3 routes to test" in err
    page = (tmp_path / "monkey-test-reports/final-report.html").read_text()
    assert "Save &lt;b&gt;does&lt;/b&gt; nothing" in page
    assert "<b>does" not in page
    project.check_pairs()


def test_without_bugs_the_exit_code_is_zero_and_again_there_is_nothing_to_do(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path, "/", "/a")
    assert project.run()[0] == ExitCode.OK
    code, out, err = project.run()
    assert code == ExitCode.OK
    assert "2 of 2 routes tested" in out
    assert "starting" not in err


def test_without_a_map_the_routes_are_found_first(tmp_path: Path) -> None:
    project = Project(tmp_path)
    code, out, _ = project.run()
    assert code == ExitCode.REMAINS
    assert "3 of 3 routes tested" in out
    assert "/users/1" in (tmp_path / "ROUTE_MAP.md").read_text()


def test_failed_routes_are_tried_again_when_asked(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", "/crash")
    project.run()
    code, out, _ = project.run("--retry-failed")
    assert code == ExitCode.REMAINS
    assert "1 could not be tested" in out
    assert project.state().failed["/crash"].retry_count == 1
    assert project.state().ours.attempts["/crash"].attempt == 4


def test_an_app_that_dies_half_way_blocks_the_run_and_fails_no_route(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", "/down", "/a")
    code, out, _ = project.run()
    assert code == ExitCode.BLOCKED
    assert "Blocked: app_unreachable: connection refused" in out
    state = project.state()
    assert state.status == "blocked"
    assert "/down" in state.pending
    assert not state.failed


def test_a_job_that_kills_its_worker_twice_is_failed_and_the_run_goes_on(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", "/die", "/a")
    code, out, _ = project.run()
    assert code == ExitCode.REMAINS
    assert "worker_lost_twice" in out
    assert set(project.state().completed) == {"/", "/a"}


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, ExitCode.INTERRUPTED), (signal.SIGTERM, ExitCode.TERMINATED)],
)
def test_a_signal_lets_what_runs_finish_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals, code: ExitCode
) -> None:
    project = Project(tmp_path, "/", *(f"/slow/{n}" for n in range(8)))
    with project.start() as process:
        project.wait_for_reports(1, process)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "go on with: mazewave explore" in out
    assert "stopping" in err
    project.check_pairs()
    assert 0 < len(project.state().completed) < 9


def test_a_second_signal_leaves_at_once_and_the_files_are_whole(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", *(f"/slow/{n}" for n in range(8)))
    with project.start() as process:
        project.wait_for_reports(1, process)
        process.send_signal(signal.SIGINT)
        while "stopping" not in (process.stderr.readline() if process.stderr else "stopping"):
            pass
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert project.state().pending


def test_killed_at_any_moment_it_goes_on_where_it_was(tmp_path: Path) -> None:
    routes = ("/", *(f"/page/{n}" for n in range(60)))
    project = Project(tmp_path, *routes)
    chance = random.Random(7)
    for _ in range(5):
        with project.start() as process:
            done = len(list((tmp_path / "monkey-test-reports").glob("*.json")))
            project.wait_for_reports(min(60, done + chance.randrange(12)), process)
            time.sleep(chance.random() / 10)
            process.kill()
            process.communicate()
        json.loads((tmp_path / state_file.FILE_NAME).read_text() or "{}")
    code, out, err = project.run()
    assert code == ExitCode.OK, err
    assert "61 of 61 routes tested" in out
    project.check_pairs()
    assert not (tmp_path / ".mazewave/live.json").exists()


def test_killed_while_it_starts_it_leaves_nobody_in_office(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", *(f"/slow/{n}" for n in range(3)))
    with project.start() as process:
        project.wait_for_reports(1, process)
        process.kill()
        process.communicate()
    with Workspace(tmp_path):
        pass
    code, out, err = project.run()
    assert code == ExitCode.OK, err
    assert "4 of 4 routes tested" in out


def test_tested_anew_the_run_before_is_kept_and_compared_with(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", "/bug/1")
    project.run()
    code, out, err = project.run("--anew", "-y")
    assert code == ExitCode.REMAINS
    earlier = project.state().ours.earlier
    assert f"the run before is kept in {earlier}" in err
    assert {path.name for path in (tmp_path / earlier).iterdir()} == {
        ".monkey-test-state.json",
        "monkey-test-reports",
        "monkey-test-screenshots",
    }
    assert set(project.state().completed) == {"/", "/bug/1"}
    assert "1 still there" in out


def test_a_run_that_was_half_put_away_is_put_away_whole(tmp_path: Path) -> None:
    project = Project(tmp_path, "/")
    project.run()
    stage = tmp_path / "monkey-test-history" / ".unfinished"
    stage.mkdir(parents=True)
    (tmp_path / ".monkey-test-state.json").rename(stage / ".monkey-test-state.json")
    code, _, _ = project.run("-y")
    assert code == ExitCode.OK
    (kept,) = (tmp_path / "monkey-test-history").iterdir()
    assert (kept / "monkey-test-reports" / "_root.json").is_file()
    project.check_pairs()


def test_a_state_that_was_rebuilt_is_saved_though_nothing_is_left_to_do(tmp_path: Path) -> None:
    project = Project(tmp_path, "/")
    project.run()
    (tmp_path / state_file.FILE_NAME).write_text("{")
    code, _, err = project.run()
    assert code == ExitCode.OK, err
    assert "was corrupt" in err
    assert set(project.state().completed) == {"/"}


def test_a_completed_run_leaves_its_logs_and_nothing_else(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", "/a")
    project.run()
    ours = tmp_path / ".mazewave"
    assert {path.name for path in ours.iterdir() if path.is_dir()} == {"logs"}
    (tmp_path / state_file.FILE_NAME).unlink()
    assert project.run()[0] == ExitCode.OK


def test_a_run_that_stopped_after_it_found_its_routes_keeps_what_the_next_one_needs(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path)
    with project.start() as process:
        project.wait_for_reports(1, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    if project.state().pending:
        assert (tmp_path / ".mazewave/broker").is_dir()
    code, out, err = project.run()
    assert code == ExitCode.REMAINS, err
    assert "3 of 3 routes tested" in out


def test_what_a_fresh_run_finds_in_the_folder_is_not_its_own(tmp_path: Path) -> None:
    project = Project(tmp_path, "/", *(f"/slow/{n}" for n in range(4)))
    with project.start() as process:
        project.wait_for_reports(1, process)
        process.kill()
        process.communicate()
    (tmp_path / state_file.FILE_NAME).unlink()
    old = tmp_path / ".mazewave/blobs/old"
    old.write_text("")
    code, out, err = project.run()
    assert code == ExitCode.OK, err
    assert "5 of 5 routes tested" in out
    assert not old.exists()


def test_a_second_run_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    project = Project(tmp_path, "/")
    with Workspace(tmp_path):
        code, _, err = project.run()
    assert code == ExitCode.REQUEST
    assert "is going on already (process" in err
    assert "mazewave status" in err
