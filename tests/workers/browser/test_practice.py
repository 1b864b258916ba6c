"""The practice site: every situation comes out as its outline says.

Each page of `examples/practice/pages` begins with a comment that says what it shows; its outline in
`expected/` is the tree that a person would draw. A test here is one page in a real browser.
"""

import asyncio
from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.async_api import CDPSession, ConsoleMessage
from playwright.async_api import Error as PlaywrightError

from contract.action_tree import RouteReport, walk
from contract.jobs import Limits, Safety
from contract.login import FieldValue, LoginRecipe, Success
from contract.vocabulary import ActionResult, BugKind, RouteStatus
from examples import practice
from tests.support.explorer import Explorer, outline
from tests.workers.browser.planted import PAGES, TWINS
from workers.browser.page import ChromiumPage

SLOWEST_MS = 15_000
SESSIONS = ("session-storage-token", "indexeddb-token", "session-expiry")
ALONE = (*SESSIONS, "writes", *PAGES, *TWINS)
"""Those with bugs to be found, and their twins, are in `test_practice_bugs.py`."""


@pytest.fixture(scope="module")
def site() -> Iterator[practice.PracticeServer]:
    with practice.serve() as server:
        yield server


def expected(name: str) -> str:
    return files("examples.practice").joinpath("expected", f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in practice.names() if name not in ALONE])
def test_a_situation_comes_out_as_its_outline_says(
    name: str, site: practice.PracticeServer, explorer: Explorer
) -> None:
    report = explorer.explore(site.url, f"/{name}")

    assert outline(report) == expected(name)
    assert max((node.duration_ms for node in walk(report.action_tree)), default=0) < SLOWEST_MS


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_is_taken_over_and_renewed(name: str, explorer: Explorer) -> None:
    """A token in session storage, one in IndexedDB, and a session that expires half way."""
    recipe = LoginRecipe(
        url=f"/{name}/login",
        fields={
            "input[name=username]": FieldValue(value="ada"),
            "input[name=password]": FieldValue(value="any"),
        },
        submit="button[type=submit]",
        success=Success(url=f"/{name}"),
    )
    with practice.serve() as fresh:
        report = explorer.explore(fresh.url, f"/{name}", recipe=recipe)

    assert outline(report) == expected(name)
    assert report.bugs == ()


def test_a_crashed_renderer_does_not_end_the_route(
    site: practice.PracticeServer, explorer: Explorer
) -> None:
    report = explorer.explore(site.url, "/renderer-crash", on_page=crash_when_asked)

    assert outline(report) == expected("renderer-crash")
    assert BugKind.PAGE_CRASH in {bug.kind for bug in report.bugs}


async def crash_when_asked(page: ChromiumPage) -> None:
    """A page cannot crash itself on purpose; it asks in the console, and the test does it."""
    tab = await page.tab.page()
    cdp = await tab.context.new_cdp_session(tab)

    def listen(line: ConsoleMessage) -> None:
        if line.text == "practice: crash now":
            tasks.append(asyncio.ensure_future(crash(cdp)))

    tasks: list[asyncio.Task[None]] = []
    tab.on("console", listen)


async def crash(cdp: CDPSession) -> None:
    try:
        await cdp.send("Page.crash")
    except PlaywrightError:
        return  # it did


def test_read_only_writes_nothing_but_what_is_allowed(explorer: Explorer) -> None:
    with practice.serve() as fresh:
        safety = Safety(allow_requests=("POST /search",))
        report = explorer.explore(fresh.url, "/writes", safety=safety)
        written = [item for item in fresh.requests if item[0] not in {"GET", "HEAD"}]

    assert outline(report) == expected("writes")
    assert {path for _, path in written} == {"/search"}


def test_a_list_is_one_state_however_long_it_is(
    site: practice.PracticeServer, explorer: Explorer
) -> None:
    """25, 250 and 2,000 rows give the same tree."""
    reports = [explorer.explore(site.url, f"/long-list?rows={rows}") for rows in (25, 250, 2000)]

    assert len({outline(report) for report in reports}) == 1
    assert len({states(report) for report in reports}) == 1


def states(report: RouteReport) -> frozenset[str]:
    return frozenset(node.in_state for node in walk(report.action_tree))


def test_two_explorations_of_a_page_give_the_same_tree(
    site: practice.PracticeServer, explorer: Explorer
) -> None:
    first, second = (explorer.explore(site.url, "/wizard") for _ in range(2))

    assert [(n.key, n.in_state, n.action_result, n.outcome) for n in walk(first.action_tree)] == [
        (n.key, n.in_state, n.action_result, n.outcome) for n in walk(second.action_tree)
    ]


def test_what_the_budget_leaves_over_is_written_down(
    site: practice.PracticeServer, explorer: Explorer
) -> None:
    report = explorer.explore(site.url, "/wizard", limits=Limits(actions=3))

    left = [n for n in walk(report.action_tree) if n.action_result is ActionResult.SKIPPED]
    assert left
    assert all("budget of 3 actions" in (node.note or "") for node in left)
    assert report.status is RouteStatus.PARTIAL


def test_the_frame_of_another_origin_is_used_when_it_is_in_scope(
    site: practice.PracticeServer, explorer: Explorer
) -> None:
    safety = Safety(allow_origins=(site.other.url,))
    report = explorer.explore(site.url, "/cross-origin-frame", safety=safety)

    used = {node.label: node.action_result for node in report.action_tree.other}
    assert used["Check card"] is ActionResult.CONTENT_CHANGED
