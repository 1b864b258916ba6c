"""The scripts at work: each shows its bug on the app that has it, and none on its clean twin.

Most run in browsers that are open already, side by side; a few are started as their reader starts
them.
"""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from contract.action_tree import Bug, Step
from contract.vocabulary import BugKind
from examples import practice, shop
from tests.support import small_app
from tests.support.chromium import found_browser
from tests.support.practice_bugs import PRACTICE, QUICKER, QUIET, Shown
from tests.support.reported import bug
from tests.support.shop_bugs import SHOP
from tests.support.stage import CRASH, App, Said, Stage, loaded, open_stage, written

LONG_S = 120
HASTY = {"PATIENCE_MS": 1_500, "LOCATOR_S": 0.5}
STILL = {"QUIET_S": 0.1}
"""For pages on which nothing is awaited."""

ENDS = {0: "reproduced: ", 1: "not reproduced: ", 2: "cannot follow", 3: "a person has to look: "}
Both = tuple["Future[Said]", "Future[Said]"]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    found_browser()
    with open_stage() as opened:
        yield opened


def chosen(request: pytest.FixtureRequest, name: str) -> list[Any]:
    """The cases of this file that pytest is about to run, so that all can be begun at once."""
    mine = [item for item in request.session.items if item.path == request.path]
    specs = [getattr(item, "callspec", None) for item in mine]
    return [spec.params[name] for spec in specs if spec is not None and name in spec.params]


@pytest.fixture(scope="module")
def on_practice(
    request: pytest.FixtureRequest, stage: Stage, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[Shown, Both]]:
    """What the scripts say of the pages and of their twins."""
    with practice.serve() as site, practice.serve() as clean:
        app = App(site.url)
        twin = App(clean.url, session(clean, tmp_path_factory.mktemp("login") / "session.json"))
        begun: dict[Shown, Both] = {}
        for case in chosen(request, "case"):
            folder, quicker = tmp_path_factory.mktemp("script"), QUIET | QUICKER.get(case.kind, {})
            path = written(folder, f"/{case.page}", case.planted_bug)
            planted = stage.show(path, app, **quicker)
            path = written(tmp_path_factory.mktemp("script"), f"/{case.twin}", case.twin_bug)
            begun[case] = planted, stage.show(path, twin, **quicker)
        yield begun


def session(site: practice.PracticeServer, path: Path) -> Path:
    """A login of the page `session-expiry`; the cookie is in the answer that leads back to it."""
    cookies = urllib.request.HTTPCookieProcessor()
    opener = urllib.request.build_opener(cookies)
    for _ in range(2):  # the first session of a site is a short one
        opener.open(f"{site.url}/session-expiry/login", data=b"username=ada&password=any").close()
    kept = [
        {"name": one.name, "value": one.value, "domain": "127.0.0.1", "path": "/", "expires": -1}
        | {"httpOnly": False, "secure": False, "sameSite": "Lax"}
        for one in cookies.cookiejar
    ]
    path.write_text(json.dumps({"cookies": kept, "origins": []}))
    return path


@pytest.mark.parametrize("case", PRACTICE, ids=[case.name for case in PRACTICE])
def test_what_is_planted_is_shown_and_missed_in_its_twin(
    case: Shown, on_practice: dict[Shown, Both]
) -> None:
    said, clean = (future.result(LONG_S) for future in on_practice[case])
    assert (said.code, clean.code) == (0, case.clean), (said, clean)
    assert said.words.startswith(ENDS[0])
    assert clean.words.startswith(ENDS[case.clean])


def test_every_kind_is_shown() -> None:
    assert {case.kind for case in PRACTICE} == set(BugKind)


@pytest.fixture(scope="module")
def shops(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, App]]:
    """The shop with its faults, and its clean twin, both logged in to."""
    folder = tmp_path_factory.mktemp("login")

    def logged_in(browser: Browser, url: str, name: str) -> App:
        page = browser.new_page(base_url=url)
        page.goto("/login")
        page.fill("input[name=username]", "admin")
        page.fill("input[name=password]", "corner")
        page.click("button[type=submit]")
        page.wait_for_selector("nav")
        page.context.storage_state(path=folder / name)
        page.close()
        return App(url, folder / name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOP_PASSWORD", "corner")
        with shop.serve() as planted, shop.serve(clean=True) as clean:
            first = stage.submit(lambda browser: logged_in(browser, planted.url, "planted"))
            second = stage.submit(lambda browser: logged_in(browser, clean.url, "clean"))
            yield first.result(LONG_S), second.result(LONG_S)


@pytest.fixture(scope="module")
def in_the_shop(
    request: pytest.FixtureRequest,
    stage: Stage,
    shops: tuple[App, App],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[BugKind, Both]:
    """What the scripts say of both shops."""
    begun: dict[BugKind, Both] = {}
    for route, found in chosen(request, "fault"):
        path = written(tmp_path_factory.mktemp("script"), route, found)
        quicker = QUICKER.get(found.kind, {})
        planted, clean = (stage.show(path, app, **quicker) for app in shops)
        begun[found.kind] = planted, clean
    return begun


@pytest.mark.parametrize("fault", SHOP, ids=[found.kind.value for _, found in SHOP])
def test_a_planted_fault_of_the_shop_is_shown_and_missed_in_its_twin(
    fault: tuple[str, Bug], in_the_shop: dict[BugKind, Both]
) -> None:
    said, clean = (future.result(LONG_S) for future in in_the_shop[fault[1].kind])
    assert (said.code, clean.code) == (0, 1), (said, clean)


def started(path: Path, app: App) -> "subprocess.Popen[str]":
    """A script as its reader starts it."""
    env = {**os.environ, "MAZEWAVE_BROWSER": found_browser().path}
    words = [sys.executable, str(path), *app.words]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=path.parent, env=env)


def ended(process: "subprocess.Popen[str]") -> tuple[int, list[str]]:
    out, _ = process.communicate(timeout=LONG_S)
    return process.returncode, out.splitlines()


def test_a_script_is_run_as_any_program_is(shops: tuple[App, App], tmp_path: Path) -> None:
    route, found = SHOP[0]
    path = written(tmp_path, route, found)
    (code, said), (clean_code, clean_said) = map(ended, [started(path, app) for app in shops])
    assert (code, clean_code) == (0, 1), (said, clean_said)
    assert said[:3] == [
        f"{found.id}: {found.description}",
        f"expected: {found.expected}",
        f"reported: {found.actual}",
    ]
    assert said[-1].startswith(ENDS[0])
    assert clean_said[-1].startswith(ENDS[1])
    assert path.with_suffix(".png").is_file()


def on(stage: Stage, tmp_path: Path, page: str, found: Bug, *more: str, **quicker: float) -> Said:
    """What a script says of a page that is all of its app."""
    path = written(tmp_path, "/", found)
    with small_app.serve({"/": page}) as url:
        return stage.show(path, App(url), *more, **STILL, **quicker).result(LONG_S)


def logs(words: str, *path: Step) -> Bug:
    return bug(kind=BugKind.CONSOLE_ERROR, actual=words, path=path)


def test_what_a_script_cannot_look_at_is_left_to_a_person(stage: Stage, tmp_path: Path) -> None:
    found = bug(kind=BugKind.A11Y, path=(), actual="Colours (color-contrast)")
    assert on(stage, tmp_path, "<p>Pale</p>", found).code == 3


def test_steps_that_cannot_be_followed_end_it_with_a_sentence(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = bug(path=(Step(action="press", label="Gone\x1b[2J", locator="#gone"),))
    said = on(stage, tmp_path, "<p>Page</p>", found, **HASTY)
    assert said.code == 2
    loaded(written(tmp_path, "/", found)).say(said.words)
    assert "cannot follow the steps: there is no “Gone [2J” (#gone)\n" in capsys.readouterr().out


def test_an_app_that_does_not_answer_ends_it_with_a_sentence(stage: Stage, tmp_path: Path) -> None:
    nowhere = App("http://127.0.0.1:9")
    said = stage.show(written(tmp_path, "/other", bug()), nowhere).result(LONG_S)
    assert said.code == 2
    assert "does not open" in said.words


def test_a_hostile_locator_is_only_ever_a_locator(stage: Stage, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    words = f"\"); open({json.dumps(str(mark))}, 'w'); (\""
    found = bug(path=(Step(action="press", label=words, locator=words),))
    assert on(stage, tmp_path, "<p>Page</p>", found, **HASTY).code == 2
    assert not mark.exists()


def test_a_script_that_stands_alone_writes_nothing_to_the_app(stage: Stage, tmp_path: Path) -> None:
    """What a read-only run did not send, its scripts do not send either."""
    page = "<button id=go onclick=\"fetch('/save', {method: 'POST'})\">Go</button>"
    path = (Step(action="press", label="Go", locator="#go"),)
    found = bug(kind=BugKind.HTTP_5XX, actual="GET /x answered 500", path=path)
    said = on(stage, tmp_path, page, found)
    assert (said.code, said.words) == (1, "not reproduced: every such request was answered")
    assert "POST /save answered 501" in on(stage, tmp_path, page, found, "--allow-writes").words


ASKS = """<script>const said = []</script>
<button id=one onclick="said.push(confirm('One?'))">One</button>
<button id=two onclick="said.push(confirm('Two?'))">Two</button>
<button id=three onclick="setTimeout(() => said.push(prompt('Three?', 'Ada'), prompt('?')), 50)">
Three</button>
<button id=four onclick="alert(4); console.error(said.map(String).join())">Four</button>"""


@pytest.mark.parametrize(
    ("yes", "words"), [("one three", "true,false,Ada,Maze test"), ("two", "false,true,null,null")]
)
def test_a_native_dialog_is_said_yes_to_only_where_the_step_says_so(
    yes: str, words: str, stage: Stage, tmp_path: Path
) -> None:
    path = [
        Step(action="press", label=name, locator=f"#{name}", accepts=name in yes.split())
        for name in ("one", "two", "three", "four")
    ]
    said = on(stage, tmp_path, ASKS, logs(words, *path))
    assert said == Said(0, f"reproduced: {words}")


FORM = """<input id=who value=Ada><textarea id=note>Old</textarea>
<select id=size><option value="">Any</option><option value=s selected>Small</option></select>
<input id=terms type=checkbox><input id=mail type=checkbox checked>
<button id=save onclick="console.error([who.value, note.value, size.value, terms.checked,
mail.checked].join())">Save</button>"""


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"who": "", "note": "", "size": "", "mail": ""}, ",,,false,false"),
        ({"who": "Bo", "size": "s", "terms": "on", "mail": "on"}, "Bo,Old,s,true,true"),
    ],
)
def test_a_field_is_filled_with_what_the_step_says_also_with_nothing(
    values: dict[str, str], words: str, stage: Stage, tmp_path: Path
) -> None:
    fills = [
        Step(action="fill", label=name, locator=f"#{name}", value=value)
        for name, value in values.items()
    ]
    save = Step(action="press", label="Save", locator="#save")
    said = on(stage, tmp_path, FORM, logs(words, *fills, save))
    assert said == Said(0, f"reproduced: {words}")


@pytest.mark.parametrize("path", [(), (Step(action="press", label="Go", locator="#go"),)])
def test_a_page_that_dies_on_the_way_is_shown_by_a_crash_alone(
    path: tuple[Step, ...], stage: Stage, tmp_path: Path
) -> None:
    page = f"<button id=go>Go</button><script>console.debug('{CRASH}')</script>"
    found = bug(kind=BugKind.PAGE_CRASH, path=path)
    assert on(stage, tmp_path, page, found) == Said(0, "reproduced: the page crashed")
    other = on(stage, tmp_path, page, bug(kind=BugKind.TEXT_LEAK, path=path))
    assert other.code == 2
