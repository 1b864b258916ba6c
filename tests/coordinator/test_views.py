"""What watchers make of a run: the views, the summary, the metrics."""

import io
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import generate_latest
from rich.console import Console, Group
from rich.text import Text

from contract.results import Tally
from contract.vocabulary import BugKind, RouteStatus, RunStatus, Severity, Verdict
from coordinator.cli import paint
from coordinator.cli.again import again
from coordinator.cli.ending import exit_code
from coordinator.cli.live import LiveView
from coordinator.cli.view import PlainView
from coordinator.driver.happenings import (
    THE_SEARCH,
    Answered,
    Began,
    Dropped,
    Ended,
    GoesOn,
    Note,
    Paused,
    Progress,
    Published,
    RouteDone,
    RouteFailed,
    RouteRetried,
    RoutesFound,
    Running,
    Saved,
    Stopping,
)
from coordinator.errors import ExitCode
from coordinator.machines.exploration import Step
from coordinator.metrics import Metrics
from coordinator.records.state import State
from coordinator.reporting import summary
from coordinator.reporting.findings import gather
from coordinator.settings import load
from tests.support.fake_browser import report_of
from tests.support.reported import bug, project, report

EVIL = "/x\x1b[2J\n| <script>alert(1)</script>"
RUN = (
    Began(3, 0, 0),
    Published("/a", 1),
    Progress((Running(EVIL, "w", Tally(actions=3, bugs=1), "press\x1b[0m"),), 1, 3, 2),
    Answered("done", 0.1, 2.0, waited_s=0.7, skew_s=-3.0),
    RouteDone("/a", RouteStatus.PARTIAL, ((Severity.MAJOR, BugKind.HTTP_5XX),), Tally(actions=9)),
    RouteRetried("/b", "the worker was lost"),
    RouteFailed(EVIL, "crashed"),
    RoutesFound(3, 1),
    Dropped("duplicate"),
    Paused("no room"),
    GoesOn(),
    Stopping(1),
    Note("note"),
    Saved(0.01),
    Progress((), 0, 0, 0),
    Ended(Step.COMPLETED),
)


def test_the_plain_view_is_lines_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    view = PlainView()
    for happening in RUN:
        view.show(happening)
    out, err = capsys.readouterr()
    assert out == ""
    assert "[1/3] ! /a  9 actions, 1 bug" in err
    assert "\x1b" not in err
    assert len(err.splitlines()) == 8


def test_the_live_view_fits_into_forty_columns() -> None:
    view = LiveView("Exploring")
    screen = io.StringIO()
    console = Console(file=screen, width=40, force_terminal=True, color_system=None)
    view._console = console
    for happening in RUN:
        view.show(happening)
        console.print(view._picture())
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    assert max(len(line) for line in plain.splitlines()) <= 40
    assert "2/3 1 bug" in plain
    assert "Ctrl-C again leaves now" in " ".join(plain.split())
    assert "waiting for workers" in plain


def completed_in(folder: Path, *routes: str) -> State:
    """A state whose routes are completed and reviewed, with their reports on disk."""
    return project(folder, [report_of(route) for route in routes], name="<p>")


def shown(state: State, folder: Path) -> str:
    screen = io.StringIO()
    found, page = gather(state, folder), folder / "final-report.html"
    steps = summary.next_steps(found, page, "mazewave explore", "mazewave explore --retry-failed")
    picture = summary.render(found, folder, page, steps)
    Console(file=screen, width=200).print(picture)
    return screen.getvalue()


def test_the_summary_counts_and_names_the_next_step(tmp_path: Path) -> None:
    state = completed_in(tmp_path, "/", "/bug/1")
    state.pending["/later"] = None
    text = shown(state, tmp_path)
    assert "2 of 3 routes tested, 1 bug (1 major), 1 pending" in text
    assert "Next:    go on with: mazewave explore" in text


@pytest.mark.parametrize(
    ("reason", "step", "code"),
    [
        ("app_unreachable: refused", "start the app, then go on", ExitCode.BLOCKED),
        ("login_failed: no", "put the login right, then go on", ExitCode.BLOCKED),
        ("auth_lost: it asks", "log in with --login FILE or --storage-state", ExitCode.BLOCKED),
        ("browser_missing: none", "do what mazewave doctor says, then go on", ExitCode.HOST),
        ("something else", "put that right, then go on", ExitCode.BLOCKED),
    ],
)
def test_a_blocked_run_names_its_remedy(
    tmp_path: Path, reason: str, step: str, code: ExitCode
) -> None:
    state = completed_in(tmp_path, "/")
    state.pending["/later"] = None
    state.status, state.blocked_reason = RunStatus.BLOCKED, reason
    assert step in shown(state, tmp_path)
    assert exit_code(gather(state, tmp_path), ExitCode.OK) is code


def test_the_next_command_has_the_flags_that_were_given(tmp_path: Path) -> None:
    flags = {
        "url": "http://x",
        "project": tmp_path / "a b",
        "login": Path("login.toml"),
        "broker": "redis://:hunter2@host/0",
    }
    found = again(load(flags, {"MAZEWAVE_PRESET": "fast"}))
    line = f"mazewave explore --project '{tmp_path}/a b' --login login.toml --broker"
    assert found.go_on == f"{line} 'redis://:…@host/0'"
    assert found.retry == f"{found.go_on} --retry-failed"


def test_what_goes_to_a_pipe_is_never_broken_into_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    paint.result(Group(Text("word " * 100)))
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_long_reason_is_cut_in_the_view(capsys: pytest.CaptureFixture[str]) -> None:
    PlainView().show(RouteRetried("/a", "crashed: ValueError " + "workers/x.py:1 f " * 50))
    PlainView().show(RouteRetried("/a", "timeout: " + "so slow " * 50))
    crash, slow = capsys.readouterr().err.splitlines()
    assert crash == "↻ /a is tried again: crashed: ValueError"
    assert slow.endswith("…")


def test_a_search_is_no_route(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainView()
    view.show(RouteRetried(THE_SEARCH, "the worker was lost"))
    view.show(RouteFailed(THE_SEARCH, "the worker was lost"))
    assert capsys.readouterr().err == "↻ the search is begun again: the worker was lost\n"


def test_nothing_from_a_page_reaches_the_terminal_uncleaned(tmp_path: Path) -> None:
    state = completed_in(tmp_path, "/a")
    state.fail(EVIL, "e", "x\x1b]0;title\x07", datetime.now(UTC))
    assert "\x1b" not in shown(state, tmp_path)


def test_a_bug_on_many_routes_is_one_line_and_a_doubtful_one_says_so(tmp_path: Path) -> None:
    menu = bug(signature="dead_control|menu", verdict=Verdict.FLAKY, seen=1)
    state = project(tmp_path, [report(route, menu) for route in ("/a", "/b", "/c")])
    text = shown(state, tmp_path)
    assert "1 bug (1 major) in 3 places" in text
    assert text.count("Pressing “Save” does nothing") == 1
    assert "and on 2 more routes (flaky)" in text


@pytest.mark.parametrize(
    ("routes", "failed", "pending", "code"),
    [
        (("/a",), (), (), ExitCode.OK),
        (("/bug/1",), (), (), ExitCode.REMAINS),
        (("/a",), ("/f",), (), ExitCode.REMAINS),
        (("/a",), (), ("/p",), ExitCode.INTERRUPTED),
    ],
)
def test_the_exit_code_says_what_remains(
    tmp_path: Path,
    routes: tuple[str, ...],
    failed: tuple[str, ...],
    pending: tuple[str, ...],
    code: ExitCode,
) -> None:
    state = completed_in(tmp_path, *routes)
    for route in failed:
        state.fail(route, "e", "e", datetime.now(UTC))
    state.pending.update(dict.fromkeys(pending))
    interrupted = ExitCode.INTERRUPTED if pending else ExitCode.OK
    assert exit_code(gather(state, tmp_path), interrupted) == code


def test_metrics_count_what_happened_and_name_no_route() -> None:
    metrics = Metrics(about={"policy": "read-only"})
    for happening in RUN:
        metrics.show(happening)
    text = generate_latest(metrics.registry).decode()
    assert 'mazewave_routes{status="pending"} 1.0' in text
    assert 'mazewave_bugs_total{kind="http_5xx",severity="major"} 1.0' in text
    assert 'mazewave_job_lease_expired_total{queue="browser"} 1.0' in text
    assert 'mazewave_run_state{step="completed"} 1.0' in text
    assert 'mazewave_job_duplicates_dropped_total{reason="duplicate"} 1.0' in text
    assert 'mazewave_run_info{policy="read-only"} 1.0' in text
    assert "mazewave_queue_wait_seconds_sum 0.7" in text
    assert "mazewave_clock_skew_seconds -3.0" in text
    assert "mazewave_results_lag_seconds_count 1.0" in text
    assert "/a" not in text
