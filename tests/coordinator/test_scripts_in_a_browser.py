"""The scripts at work: each shows its bug on the app that has it, and none on its clean twin."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from contract.action_tree import Bug, Step
from contract.vocabulary import BugKind
from coordinator.reporting.distinct import FoundBug, distinct
from coordinator.reporting.scripts import file_names, script
from examples import shop
from tests.support import faulty
from tests.support.chromium import chromium, found_browser
from tests.support.faulty import FAULTS, Fault
from tests.support.reported import bug

LONG_S = 120

SHOP: list[tuple[str, Bug]] = [
    (
        "/",
        bug(
            kind=BugKind.PAGE_ERROR,
            path=(Step(action="open", label="/"),),
            actual="TypeError: Cannot read properties of undefined (reading 'today')",
        ),
    ),
    (
        "/customers/301",
        bug(
            kind=BugKind.CONSOLE_ERROR,
            path=(Step(action="press", label="Orders", locator="#tab-orders"),),
            actual="orders: schema version 7 expected, got 9",
        ),
    ),
    (
        "/orders/5001",
        bug(
            kind=BugKind.HTTP_5XX,
            path=(
                Step(action="press", label="Track parcel", locator="no-such-element"),
                Step(action="press", label="Show events", locator='button:text-is("Show events")'),
            ),
            actual="GET /api/orders/5001/parcel answered 500",
        ),
    ),
    (
        "/discounts",
        bug(
            kind=BugKind.HTTP_4XX,
            path=(
                Step(action="fill", label="Code", locator='input[aria-label="Code"]', value="x-1"),
                Step(action="press", label="Check code", locator='button:text-is("Check code")'),
            ),
            actual="GET /api/discounts/check answered 404, and the page says nothing",
        ),
    ),
    (
        "/orders",
        bug(
            kind=BugKind.REQUEST_FAILED,
            path=(Step(action="press", label="Refresh", locator='button:text-is("Refresh")'),),
            actual="GET /api/orders net::ERR_CONNECTION_RESET",
        ),
    ),
    (
        "/products/101",
        bug(
            kind=BugKind.DEAD_CONTROL,
            path=(Step(action="press", label="Preview in shop", locator=""),),
        ),
    ),
    (
        "/customers",
        bug(
            kind=BugKind.BLANK_PAGE,
            path=(Step(action="press", label="Segments", locator='a:text-is("Segments")'),),
        ),
    ),
    (
        "/help",
        bug(
            kind=BugKind.ERROR_PAGE,
            path=(Step(action="press", label="Tour of the shop", locator="a[href='/help/tour']"),),
        ),
    ),
    (
        "/discounts",
        bug(
            kind=BugKind.PAGE_HANG,
            path=(
                Step(action="press", label="Count uses", locator='button:text-is("Count uses")'),
            ),
        ),
    ),
    (
        "/products/101",
        bug(
            kind=BugKind.BROKEN_IMAGE,
            path=(Step(action="open", label="/products/101"),),
            evidence=("/static/img/kitchen.svg",),
        ),
    ),
]


@dataclass(frozen=True)
class App:
    """An app that runs, and the login of somebody who may use it."""

    url: str
    storage_state: Path | None = None


def written(folder: Path, route: str, found: Bug, base_url: str = "http://x") -> Path:
    """The script of a bug, as `mazewave report` writes it."""
    (one,) = distinct([FoundBug(route, "a", found)])
    path = folder / file_names([one])[one.id]
    path.write_text(script(one, path.name, base_url, "read-only"))
    return path


def started(path: Path, app: App, *more: str) -> "subprocess.Popen[str]":
    words = [sys.executable, str(path), "--base-url", app.url, *more]
    if app.storage_state is not None:
        words += ["--storage-state", str(app.storage_state)]
    found = found_browser()
    env = {**os.environ, "MAZEWAVE_BROWSER": found.path}
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=path.parent, env=env)


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    out, _ = process.communicate(timeout=LONG_S)
    return process.returncode, out


def side_by_side(path: Path, with_fault: App, without: App) -> tuple[str, str]:
    """What the script says of both apps; checks that it tells them apart."""
    processes = [started(path, app) for app in (with_fault, without)]
    (code, said), (clean_code, clean_said) = map(ended, processes)
    assert (code, clean_code) == (0, 1), (said, clean_said)
    return said, clean_said


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, App]]:
    """The shop with its faults, and its clean twin, both logged in to."""
    folder = tmp_path_factory.mktemp("login")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOP_PASSWORD", "corner")
        with shop.serve() as planted, shop.serve(clean=True) as clean:
            apps: list[App] = []
            with chromium() as browser:
                for server in (planted, clean):
                    page = browser.new_page(base_url=server.url)
                    page.goto("/login")
                    page.fill("input[name=username]", "admin")
                    page.fill("input[name=password]", "corner")
                    page.click("button[type=submit]")
                    page.wait_for_selector("nav")
                    path = folder / f"{len(apps)}.json"
                    page.context.storage_state(path=path)
                    apps.append(App(server.url, path))
            yield apps[0], apps[1]


@pytest.fixture(scope="module")
def apps() -> Iterator[tuple[App, App]]:
    found_browser()
    with faulty.serve(faulty=True) as with_faults, faulty.serve(faulty=False) as without:
        yield App(with_faults), App(without)


@pytest.mark.parametrize(("route", "found"), SHOP, ids=[found.kind.value for _, found in SHOP])
def test_a_planted_fault_of_the_shop_is_shown_and_missed_in_its_twin(
    route: str, found: Bug, shops: tuple[App, App], tmp_path: Path
) -> None:
    said, clean_said = side_by_side(written(tmp_path, route, found), *shops)
    assert said.splitlines()[-1].startswith("reproduced: ")
    assert clean_said.splitlines()[-1].startswith("not reproduced: ")
    assert (tmp_path / "BUG-a-M1.png").is_file()


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.kind.value for fault in FAULTS])
def test_every_other_kind_is_shown_where_it_is(
    fault: Fault, apps: tuple[App, App], tmp_path: Path
) -> None:
    side_by_side(written(tmp_path, f"/{fault.kind.value}", fault.bug), *apps)


def test_what_a_script_cannot_look_at_is_left_to_a_person(
    apps: tuple[App, App], tmp_path: Path
) -> None:
    found = bug(kind=BugKind.A11Y, path=(), actual="Colours (color-contrast)", expected="Better")
    code, said = ended(started(written(tmp_path, "/other", found), apps[0]))
    assert code == 3
    assert "expected: Better" in said
    assert "a person has to look" in said


def test_steps_that_cannot_be_followed_end_it_with_a_sentence(
    apps: tuple[App, App], tmp_path: Path
) -> None:
    gone = bug(path=(Step(action="press", label="Gone\x1b[2J", locator="#gone"),))
    code, said = ended(started(written(tmp_path, "/other", gone), apps[0]))
    assert code == 2
    assert "cannot follow the steps: there is no “Gone [2J” (#gone)" in said
    nowhere = App("http://127.0.0.1:9")
    code, said = ended(started(written(tmp_path, "/other", bug()), nowhere))
    assert code == 2
    assert "does not open" in said


def test_a_hostile_locator_is_only_ever_a_locator(apps: tuple[App, App], tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    words = f"\"); open({json.dumps(str(mark))}, 'w'); (\""
    steps = (Step(action="press", label=words, locator=words),)
    code, _ = ended(started(written(tmp_path, "/other", bug(path=steps)), apps[0]))
    assert code == 2
    assert not mark.exists()


def test_a_script_that_stands_alone_writes_nothing_to_the_app(tmp_path: Path) -> None:
    """What a read-only run did not send, its scripts do not send either."""
    page = "<button id=go onclick=\"fetch('/save', {method: 'POST'})\">Go</button>"
    fault = Fault(BugKind.HTTP_5XX, page, page, actual="GET /x answered 500", path=faulty.GO)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faulty, "FAULTS", (fault,))
        with faulty.serve(faulty=True) as url:
            path = written(tmp_path, "/http_5xx", fault.bug)
            code, said = ended(started(path, App(url)))
            assert (code, "not reproduced" in said) == (1, True)
            _, said = ended(started(path, App(url), "--allow-writes"))
            assert "POST /save answered 501" in said
