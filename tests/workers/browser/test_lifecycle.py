"""The worker's browser: recycled in time, replaced when it dies, never left behind."""

import asyncio
from collections.abc import Iterator

import psutil
import pytest

from contract.vocabulary import ActionResult
from examples import practice
from tests.support.explorer import Explorer, outline
from workers.browser.lifecycle import Host, Recycling
from workers.browser.page import ChromiumPage


@pytest.fixture
def runner(explorer: Explorer) -> Iterator[asyncio.Runner]:
    """A loop of its own; asking for the explorer skips where there is no browser."""
    with asyncio.Runner() as loop:
        yield loop


def alive(pids: frozenset[int]) -> list[int]:
    return [
        pid
        for pid in pids
        if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    ]


async def open_and_close(host: Host, times: int) -> set[frozenset[int]]:
    """The process ids of the browsers that served so many contexts."""
    seen = set()
    for _ in range(times):
        context = await host.context()
        seen.add(host.pids)
        await context.close()
    return seen


def test_a_browser_is_replaced_after_its_share_of_contexts(runner: asyncio.Runner) -> None:
    host = Host(recycling=Recycling(contexts=3))

    browsers = runner.run(open_and_close(host, 7))
    runner.run(host.close())

    assert len(browsers) == 3
    assert host.restarts == {"contexts": 2}


def test_a_browser_that_grew_too_large_is_replaced(runner: asyncio.Runner) -> None:
    host = Host(recycling=Recycling(rss_bytes=1))

    runner.run(open_and_close(host, 2))
    runner.run(host.close())

    assert host.restarts == {"memory": 1}


def test_after_two_failed_pages_the_browser_is_replaced(runner: asyncio.Runner) -> None:
    host = Host()

    runner.run(open_and_close(host, 1))
    host.failed()
    host.failed()
    runner.run(open_and_close(host, 1))
    runner.run(host.close())

    assert host.restarts == {"failures": 1}


def test_closes_that_never_came_to_an_end_replace_the_browser(runner: asyncio.Runner) -> None:
    async def leave_open(host: Host, times: int) -> None:
        for _ in range(times):
            await host.context()

    host = Host()

    runner.run(leave_open(host, 4))
    runner.run(host.close())

    assert host.restarts == {"hung_close": 1}


def test_twenty_killed_browsers_leave_no_process(runner: asyncio.Runner) -> None:
    host = Host()
    pids: set[int] = set()
    for _ in range(20):
        pids |= set().union(*runner.run(open_and_close(host, 1)))
        host.kill()
    runner.run(host.close())

    assert len(pids) >= 20
    assert alive(frozenset(pids)) == []


def test_five_hundred_contexts_stay_under_the_limit_of_memory(runner: asyncio.Runner) -> None:
    host = Host()

    runner.run(open_and_close(host, 500))
    held = host.rss_bytes()
    runner.run(host.close())

    assert host.restarts == {"contexts": 4}
    assert 0 < held < Recycling().rss_bytes


def test_closing_leaves_no_process(runner: asyncio.Runner) -> None:
    host = Host()
    runner.run(open_and_close(host, 1))
    pids = host.pids

    runner.run(host.close())

    assert pids
    assert alive(pids) == []


def test_a_killed_browser_is_replaced_at_the_next_context(runner: asyncio.Runner) -> None:
    host = Host()
    runner.run(open_and_close(host, 1))

    host.kill()
    after = runner.run(open_and_close(host, 1))
    runner.run(host.close())

    assert all(after)
    assert sum(host.restarts.values()) == 1


def test_a_browser_killed_in_the_middle_of_a_route_costs_one_action(explorer: Explorer) -> None:
    """The action is done again in a new browser, and the tree is that of a quiet run."""

    async def kill_at_the_first_press(page: ChromiumPage) -> None:
        tab = await page.tab.page()
        tab.on("response", lambda answer: explorer.host.kill() if answer.url == poison else None)

    with practice.serve() as site:
        poison = f"{site.url}/console-errors/missing"
        quiet = explorer.explore(site.url, "/console-errors")
        shaken = explorer.explore(site.url, "/console-errors", on_page=kill_at_the_first_press)

    assert outline(shaken) == outline(quiet)
    assert ActionResult.ERROR in {node.action_result for node in shaken.action_tree.toolbar}
