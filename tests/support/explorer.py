"""One route explored in a real Chromium, without a queue: for tests of what the explorer sees."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

import pytest

from contract.action_tree import Node, RouteReport
from contract.jobs import Limits, Safety, Waits
from contract.login import LoginRecipe
from workers.browser.atlas import Atlas, Entry
from workers.browser.brief import Brief
from workers.browser.harvest import gather
from workers.browser.lifecycle import BrowserMissing, Host
from workers.browser.page import ChromiumPage
from workers.browser.page_port import Sight, Standing, Traffic
from workers.browser.policy import Rules
from workers.browser.session import follow, logged_in, opens
from workers.browser.walk import Walk


class Explorer:
    """A browser and an event loop that outlive single tests."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.host = Host(os.environ.get("MAZEWAVE_BROWSER", ""))
        self.pictures: dict[str, bytes] = {}

    def close(self) -> None:
        self._runner.run(self.host.close())
        self._runner.close()

    def run(self, work: Callable[[], Awaitable[Any]]) -> Any:
        async def awaited() -> Any:
            return await work()

        return self._runner.run(awaited())

    def explore(
        self,
        base_url: str,
        route: str,
        *,
        safety: Safety | None = None,
        limits: Limits | None = None,
        recipe: LoginRecipe | None = None,
        on_page: Callable[[ChromiumPage], Awaitable[None]] | None = None,
    ) -> RouteReport:
        """The report of a route, as a browser worker would send it."""
        report: RouteReport = self.run(
            lambda: self._explore(base_url, route, safety, limits, recipe, on_page)
        )
        return report

    async def _explore(
        self,
        base_url: str,
        route: str,
        safety: Safety | None,
        limits: Limits | None,
        recipe: LoginRecipe | None,
        on_page: Callable[[ChromiumPage], Awaitable[None]] | None,
    ) -> RouteReport:
        rules = Rules(safety or Safety(), base_url)
        held: dict[str, Any] = {}

        async def log_in() -> None:
            if recipe is not None:
                context = await logged_in(self.host, {}, Limits())
                held.update(await follow(context, recipe, base_url))
                await context.close()

        landings: set[str] = set()

        async def session_lost(sight: Sight, traffic: Traffic) -> Standing:
            refused = any(answer.status == 401 for answer in traffic.bad_answers)
            if recipe is None or not (sight.health.asks_password or refused):
                return Standing.FINE
            if sight.url in landings:
                context = await logged_in(self.host, held, Limits())
                if await opens(context, urljoin(base_url, route)):
                    return Standing.GOOD
            landings.add(sight.url)
            await log_in()
            return Standing.RENEWED

        await log_in()
        page = ChromiumPage(
            url=urljoin(base_url, route),
            new_context=lambda: logged_in(self.host, held, limits or Limits()),
            rules=rules,
            limits=limits or Limits(),
            waits=Waits(),
            store=self._store,
            session_lost=session_lost,
        )
        try:
            if on_page is not None:
                await on_page(page)
            atlas = Atlas()
            brief = Brief(route=route, base_url=base_url, limits=limits or Limits())
            walk = Walk(page, brief, rules, atlas, _forget)
            await walk.explore()
            final = await page.picture()
        finally:
            await page.close()
        harvest = gather(
            atlas,
            route=route,
            slug=route.strip("/"),
            tested_at=datetime.now(UTC),
            final_shot=final,
            note=walk.note,
        )
        return harvest.report

    async def _store(self, png: bytes) -> str:
        name = f"{len(self.pictures):04}"
        self.pictures[name] = png
        return name


async def _forget(_: tuple[Entry, ...]) -> None:
    """Checkpoints are not looked at here."""


def outline(report: RouteReport) -> str:
    """The tree as the practice site writes it: `label · type · action_result [· outcome]`."""
    lines: list[str] = []
    for area, nodes in report.action_tree.areas().items():
        if nodes:
            lines.append(area.value)
            lines += _lines(nodes, 1)
    return "".join(f"{line}\n" for line in lines)


def _lines(nodes: Sequence[Node], depth: int) -> list[str]:
    lines = []
    for node in nodes:
        words = [node.label, node.type.value, node.action_result.value]
        if node.outcome is not None:
            words.append(node.outcome.value)
        lines.append("  " * depth + " · ".join(words))
        lines += _lines(node.children, depth + 1)
    return lines


@pytest.fixture(scope="session")
def explorer() -> Iterator[Explorer]:
    """Skips on a machine without a browser, fails in CI."""
    found = Explorer()
    try:
        found.run(found.host.context)
    except BrowserMissing as missing:
        found.close()
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))
    yield found
    found.close()
