"""Where a browser is looked for, the best place first."""

from pathlib import Path

import pytest

from workers.browser.chromium import ARGS, Candidate, candidates, launch_options


def executable(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def only_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it but this folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_a_configured_browser_is_the_only_candidate(only_here: Path) -> None:
    executable(only_here, "chromium")

    assert [c.path for c in candidates("/opt/my-chromium")] == ["/opt/my-chromium"]


def test_playwrights_own_build_comes_first_then_shells_channels_and_the_systems_chromium(
    only_here: Path,
) -> None:
    shell = executable(only_here, "chromium-headless-shell")
    system = executable(only_here, "chromium")

    found = [
        (c.path, c.channel) for c in candidates("") if not c.path.startswith("/usr/lib/chromium")
    ]

    assert found == [("", ""), (shell, ""), ("", "chrome"), ("", "msedge"), (system, "")]


def test_what_is_not_on_the_path_is_no_candidate(only_here: Path) -> None:
    assert not list(only_here.iterdir())

    paths = [c.path for c in candidates("") if c.path]

    assert all(path.startswith("/usr/lib/chromium") for path in paths)


@pytest.mark.parametrize(
    ("candidate", "options"),
    [
        (Candidate("its own"), {}),
        (Candidate("a path", path="/x/chromium"), {"executable_path": "/x/chromium"}),
        (Candidate("a channel", channel="chrome"), {"channel": "chrome"}),
    ],
)
def test_a_candidate_is_launched_headless_by_its_path_or_channel(
    candidate: Candidate, options: dict[str, object]
) -> None:
    assert launch_options(candidate) == {"args": list(ARGS), "headless": True, **options}
