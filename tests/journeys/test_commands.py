"""The small commands, as they are installed."""

import json
import shutil
import subprocess

import pytest

from coordinator.cli.main import COMMANDS
from coordinator.errors import ExitCode
from tests.journeys.stage import Place


def test_the_version_and_the_way_to_begin(place: Place) -> None:
    version = place.run("--version")
    assert (version.code, version.err) == (ExitCode.OK, "")
    assert version.out.startswith("mazewave ")
    alone = place.run()
    assert alone.code == ExitCode.OK
    assert "mazewave explore http://" in alone.out


@pytest.mark.parametrize("name", list(COMMANDS))
def test_each_command_explains_itself_in_eighty_columns(name: str, place: Place) -> None:
    told = place.run(name, "--help", COLUMNS="80")
    assert (told.code, told.err) == (ExitCode.OK, "")
    assert told.out.startswith(f"Usage: mazewave {name}")
    assert max(len(line) for line in told.out.splitlines()) <= 80


def test_doctor_finds_all_that_a_run_needs(place: Place) -> None:
    told = place.run("doctor")
    assert told.code == ExitCode.OK, told
    lines = told.out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["✓", name] for name in ("python", "packages", "broker", "folder", "browser")
    ]
    found = json.loads(place.run("doctor", "--json").out)
    assert found["fine"]


def test_config_names_each_setting_with_its_origin(place: Place) -> None:
    (place.folder / "mazewave.toml").write_text('preset = "fast"\n')
    told = place.run("config", MAZEWAVE_POLICY="safe")
    assert told.code == ExitCode.OK
    lines = [line.split() for line in told.out.splitlines()]
    assert ["preset", "fast", "preset", "in", "mazewave.toml"] in [line[:5] for line in lines]
    assert ["policy", "safe", "MAZEWAVE_POLICY"] in [line[:3] for line in lines]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_understands_its_completion(shell: str, place: Place) -> None:
    told = place.run("completion", shell)
    assert (told.code, told.err) == (ExitCode.OK, "")
    assert "_MAZEWAVE_COMPLETE" in told.out
    if found := shutil.which(shell):
        done = subprocess.run(
            [found, "-n"], input=told.out, text=True, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
