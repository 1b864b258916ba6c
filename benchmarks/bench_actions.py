"""Actions per second of a walk, against a loop of the usual shape on the same page in the same run.

The walk is the real one, put together as for a job: the worker's browser, its page, its rules, its
screenshots in a blob store. The usual loop reloads the page for each control, waits 250 ms, clicks
with `locator.click` and takes a PNG. Both get one untimed turn to warm the browser.
"""

import asyncio
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from playwright.async_api import BrowserContext

from benchmarks.kit import serving, show
from contract.jobs import Limits, Safety, Waits
from workers.browser.atlas import Atlas, Entry
from workers.browser.brief import Brief
from workers.browser.evidence import storing
from workers.browser.lifecycle import Host
from workers.browser.page import ChromiumPage
from workers.browser.policy import Rules
from workers.browser.walk import Walk
from workers.kit.blobs import Blobs

PAGES = {"light": 10.0, "mixed": 4.0}
"""A page and the ratio to reach on it."""

SAMPLE = 24
WAIT_MS = 250
CONTROLS = "button:visible, summary:visible, input:visible, select:visible, a[href]:visible"


class Figure(msgspec.Struct, frozen=True):
    """How much was done in how long."""

    actions: int
    seconds: float
    states: int = 0
    slow: tuple[tuple[str, int], ...] = ()
    rungs: tuple[tuple[str, int], ...] = ()

    @property
    def rate(self) -> float:
        return self.actions / self.seconds


async def walk(host: Host, base: str, route: str, folder: Path) -> Figure:
    """Explore one page to its end."""
    limits, rules, atlas = Limits(), Rules(Safety(), base), Atlas()
    page = ChromiumPage(
        url=base + route,
        new_context=lambda: fresh_context(host),
        rules=rules,
        limits=limits,
        waits=Waits(),
        store=storing(Blobs(str(folder)).put),
    )
    brief = Brief(route=route, base_url=base, limits=limits)
    walker = Walk(page, brief, rules, atlas, _unwritten)
    began = time.perf_counter()
    try:
        await walker.explore()
        seconds = time.perf_counter() - began
    finally:
        await page.close()
    drafts = [tried.draft for tries in atlas.tried.values() for tried in tries]
    by_result: Counter[str] = Counter()
    for draft in drafts:
        by_result[draft.action_result.value] += draft.duration_ms
    return Figure(
        actions=atlas.actions,
        seconds=seconds,
        states=len(atlas.states),
        slow=tuple(by_result.most_common()),
        rungs=tuple(walker.reach.rungs_used.items()),
    )


async def usual_loop(host: Host, base: str, route: str) -> Figure:
    """Reload, wait, click, PNG: for an even sample of the controls that show at first."""
    context = await fresh_context(host)
    try:
        page = await context.new_page()
        await page.goto(base + route)
        count = await page.locator(CONTROLS).count()
        chosen = range(0, count, max(1, count // SAMPLE))
        began = time.perf_counter()
        for number in chosen:
            await page.goto(base + route)
            await page.wait_for_timeout(WAIT_MS)
            await page.locator(CONTROLS).nth(number).click(timeout=3000)
            await page.screenshot()
        return Figure(actions=len(chosen), seconds=time.perf_counter() - began)
    finally:
        await context.close()


async def fresh_context(host: Host) -> BrowserContext:
    return await host.context(
        viewport={"width": 1280, "height": 800}, service_workers="block", reduced_motion="reduce"
    )


async def _unwritten(_: tuple[Entry, ...]) -> None:
    """Checkpoints are one round trip to Redis; `bench_fanout.py` pays for those."""


async def measure() -> None:
    host = Host()
    rows: list[tuple[object, ...]] = []
    details: list[tuple[object, ...]] = []
    with TemporaryDirectory() as folder, serving() as base:
        try:
            await usual_loop_warm(host, base)
            for name, target in PAGES.items():
                route = f"/{name}.html"
                ours = await walk(host, base, route, Path(folder))
                usual = await usual_loop(host, base, route)
                for who, found in (("walk", ours), ("usual loop", usual)):
                    rows.append(
                        (
                            f"{name}: {who}",
                            found.actions,
                            f"{found.seconds:.1f}",
                            f"{found.rate:.1f}",
                        )
                    )
                ratio = ours.rate / usual.rate
                rows.append((f"{name}: ratio", "", f"target {target:.0f}", f"{ratio:.1f}"))
                details.append((name, ours.states, _told(ours.slow, " ms"), _told(ours.rungs)))
        finally:
            await host.close()
    show("Actions per second", ("page", "actions", "seconds", "actions/s"), rows)
    show("Where the walk was", ("page", "states", "time by result", "ways back"), details)


async def usual_loop_warm(host: Host, base: str) -> None:
    context = await fresh_context(host)
    page = await context.new_page()
    for name in PAGES:
        await page.goto(f"{base}/{name}.html")
    await context.close()


def _told(pairs: tuple[tuple[str, int], ...], unit: str = "") -> str:
    return ", ".join(f"{name} {value}{unit}" for name, value in pairs)


if __name__ == "__main__":
    asyncio.run(measure())
