"""The browser that every journey needs, and the apps that several of them share."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.stage import App, Place, app


@pytest.fixture(scope="session", autouse=True)
def _a_browser() -> None:
    """Skips on a machine without a browser, fails in CI."""
    done = subprocess.run(
        [sys.executable, "-m", "workers.browser.chromium", "--json"],
        capture_output=True,
        check=False,
    )
    found = json.loads(done.stdout)
    if not found.get("version"):
        if os.environ.get("CI"):
            raise RuntimeError(found)
        pytest.skip(str(found.get("problem")))


@pytest.fixture(scope="session")
def login() -> str:
    """The recipe that opens the shop."""
    import examples.shop

    return str(Path(examples.shop.__file__).parent / "login.toml")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with app("examples.shop", tmp_path_factory.mktemp("shop")) as found:
        yield found


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with app("examples.practice", tmp_path_factory.mktemp("practice")) as found:
        yield found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "project")
