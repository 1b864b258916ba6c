"""The door: every error is a sentence, a hint and an exit code, and `--help` is fast."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from coordinator.cli.main import COMMANDS, guarded, main
from coordinator.errors import BlockedError, Declined, ExitCode, HostError, RequestError
from coordinator.records import route_map


def mazewave(*arguments: str, cwd: Path, **env: str) -> "subprocess.CompletedProcess[str]":
    """The command as a user runs it."""
    return subprocess.run(
        [sys.executable, "-m", "coordinator.cli", *arguments],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RequestError("a", "b"), ExitCode.REQUEST),
        (HostError("a", "b"), ExitCode.HOST),
        (BlockedError("a", "b"), ExitCode.BLOCKED),
        (Declined("a", "b"), ExitCode.DECLINED),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
    ],
)
def test_each_error_has_its_exit_code(
    error: BaseException, code: ExitCode, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert "\n  → " in err


def test_our_own_fault_is_a_sentence_and_a_file_never_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def fail() -> None:
        raise ZeroDivisionError

    assert guarded(fail) == ExitCode.INTERNAL
    assert "Traceback" not in capsys.readouterr().err
    (log,) = (tmp_path / ".mazewave").glob("crash-*.log")
    assert "ZeroDivisionError" in log.read_text()


def test_help_lists_every_command_without_importing_any(tmp_path: Path) -> None:
    code = (
        "import sys; from coordinator.cli.main import main; main(['--help']); "
        "print(sorted(n for n in sys.modules if n in ('redis', 'rich', 'obstore', 'dramatiq')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.endswith("[]\n")
    for name in COMMANDS:
        assert name in done.stdout


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == ExitCode.OK
    out, err = capsys.readouterr()
    assert out.startswith("Usage: mazewave")
    assert err == ""


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == ExitCode.OK
    assert "Usage: mazewave" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("explor",), ExitCode.REQUEST, "did you mean explore?"),
        (("explore", "--polcy", "x"), ExitCode.REQUEST, "--polcy"),
        (("explore",), ExitCode.REQUEST, "no URL was given"),
        (("explore", "localhost:5000"), ExitCode.REQUEST, "http://localhost:5000"),
        (("explore", "http://127.0.0.1:9"), ExitCode.BLOCKED, "does not answer"),
        (("explore", "http://no.such.host.invalid"), ExitCode.BLOCKED, "does not answer"),
        (("explore", "http://x", "--login", "none.toml"), ExitCode.REQUEST, "no login recipe"),
        (("explore", "http://x", "--login", "a", "--storage-state", "b"), ExitCode.REQUEST, "both"),
        (("explore", "http://x", "--project", "file"), ExitCode.REQUEST, "file"),
        (("discover",), ExitCode.REQUEST, "no URL was given"),
        (("discover", "http://x", "--from-list", "none"), ExitCode.REQUEST, "--from-list"),
        (("status",), ExitCode.REQUEST, "there is no run in"),
        (("worker", "writer"), ExitCode.REQUEST, "'browser'"),
        (("config",), ExitCode.REQUEST, "did you mean policy?"),
    ],
)
def test_what_a_user_gets_wrong_is_said_with_the_next_step(
    tmp_path: Path, arguments: tuple[str, ...], code: ExitCode, says: str
) -> None:
    (tmp_path / "file").write_text("")
    if arguments == ("config",):
        (tmp_path / "mazewave.toml").write_text("polcy = 1")
    done = mazewave(*arguments, cwd=tmp_path)
    assert done.returncode == code
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert says in done.stderr
    assert "  → " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broker_that_does_not_answer_is_the_host_s_fault(tmp_path: Path, app: str) -> None:
    (tmp_path / "ROUTE_MAP.md").write_text("- /a\n")
    done = mazewave("explore", app, "--broker", "redis://127.0.0.1:9/0", "-y", cwd=tmp_path)
    assert done.returncode == ExitCode.HOST
    assert "broker cannot be reached" in done.stderr


def test_a_malformed_map_names_its_line(tmp_path: Path, app: str) -> None:
    (tmp_path / "ROUTE_MAP.md").write_text("| Route | Page Type |\n|--|--|\n| /a | lst |\n")
    done = mazewave("explore", app, cwd=tmp_path)
    assert done.returncode == ExitCode.REQUEST
    assert "ROUTE_MAP.md line 3" in done.stderr


def test_a_port_that_is_taken_is_named(tmp_path: Path, app: str) -> None:
    (tmp_path / "ROUTE_MAP.md").write_text("- /a\n")
    port = app.rpartition(":")[2]
    done = mazewave("explore", app, "--metrics-port", port, cwd=tmp_path)
    assert done.returncode == ExitCode.HOST
    assert f"port {port} cannot be used" in done.stderr


def test_a_list_of_routes_becomes_a_map(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(
        "# mine\n/a/\nhttp://shop.test/users/1\n/users/2\n/login\nhttp://else.test/\n"
    )
    done = mazewave("discover", "http://shop.test", "--from-list", "list.txt", cwd=tmp_path)
    assert done.returncode == ExitCode.OK
    assert "2 routes, 3 left out" in done.stdout
    found = route_map.load(tmp_path / "ROUTE_MAP.md")
    assert found.names() == ("/a", "/users/1")
    assert found.source == "list"


def test_the_demo_removes_no_other_run(tmp_path: Path) -> None:
    state = tmp_path / ".monkey-test-state.json"
    state.write_text("{}")
    done = mazewave("demo", "--project", ".", cwd=tmp_path)
    assert done.returncode == ExitCode.REQUEST
    assert "holds .monkey-test-state.json, which is of no demo" in done.stderr
    assert "--project" in done.stderr
    assert state.read_text() == "{}"


def test_config_says_where_each_value_comes_from_and_hides_passwords(tmp_path: Path) -> None:
    (tmp_path / "mazewave.toml").write_text('policy = "safe"')
    broker = "redis://user:hunter2@host:1/0"
    done = mazewave("config", "--json", cwd=tmp_path, MAZEWAVE_BROKER=broker)
    found = json.loads(done.stdout)
    assert found["policy"] == {"value": "safe", "from": "policy in mazewave.toml"}
    assert found["broker"] == {"value": "redis://user:…@host:1/0", "from": "MAZEWAVE_BROKER"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(shell: str, tmp_path: Path) -> None:
    done = mazewave("completion", shell, cwd=tmp_path)
    assert done.returncode == ExitCode.OK
    assert "_MAZEWAVE_COMPLETE" in done.stdout


def test_doctor_tells_each_finding_to_a_program(tmp_path: Path) -> None:
    done = mazewave("doctor", "--json", "--broker", "redis://127.0.0.1:9/0", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert done.returncode == ExitCode.HOST
    by_name = {finding["what"]: finding for finding in found["findings"]}
    assert set(by_name) == {"python", "packages", "broker", "folder", "browser"}
    assert not by_name["broker"]["fine"]
    assert by_name["broker"]["remedy"]
