"""One browser per worker: started when first needed, recycled in time, and never left behind.

Its processes are ours by pid: the watchdog ends them from its own thread when a job is over time,
whatever the event loop is waiting for.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import msgspec
import psutil
from playwright.async_api import Browser, BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from workers.browser.chromium import Candidate, candidates, installed, launch_options

_CLOSE_S = 5.0
_LEFT_OPEN = 3
"""A job has one context, two while it logs in anew; more are closes that never came to an end."""

_LAUNCH_MS = 20_000


class BrowserMissing(Exception):
    """No Chromium starts on this machine."""


class Recycling(msgspec.Struct, frozen=True, kw_only=True):
    """When a browser is replaced: after so many contexts, bytes, seconds or failed pages."""

    contexts: int = 100
    rss_bytes: int = 1_500_000_000
    age_s: float = 3600.0
    failures: int = 2


class Host:
    """The worker's browser. Not safe for two tasks at once: a worker does one job at a time."""

    def __init__(self, configured: str = "", recycling: Recycling | None = None) -> None:
        self._configured = configured
        self._recycling = recycling or Recycling()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._candidate: Candidate | None = None
        self._contexts = 0
        self._failures = 0
        self._started = 0.0
        self.pids: frozenset[int] = frozenset()
        self.restarts: dict[str, int] = {}

    async def context(self, **options: Any) -> BrowserContext:
        """A fresh context, in a fresh browser when the old one has served its time."""
        reason = self._worn()
        if reason:
            await self._recycle(reason)
        for attempt in (1, 2):
            browser = await self._ready()
            try:
                context = await asyncio.wait_for(browser.new_context(**options), _CLOSE_S * 2)
            except (PlaywrightError, TimeoutError):
                if attempt == 2:
                    raise
                await self._recycle("failed_context")
            else:
                self._contexts += 1
                return context
        raise BrowserMissing("no browser context could be opened")

    def failed(self) -> None:
        """A page could not be opened; after two of those the browser is replaced."""
        self._failures += 1

    def rss_bytes(self) -> int:
        """The resident memory of the browser's processes."""
        total = 0
        for process in self._processes():
            with contextlib.suppress(psutil.Error):
                total += process.memory_info().rss
        return total

    def kill(self) -> None:
        """End the browser's processes now. May be called from any thread."""
        for process in self._processes():
            with contextlib.suppress(psutil.Error):
                process.kill()

    async def close(self) -> None:
        await self._close_browser()
        if self._playwright is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(self._playwright.stop(), _CLOSE_S)
            self._playwright = None

    def _processes(self) -> list[psutil.Process]:
        found = []
        for pid in self.pids:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(pid)
                found += [process, *process.children(recursive=True)]
        return found

    def _worn(self) -> str:
        """Why the browser has to be replaced, or nothing."""
        browser, limits = self._browser, self._recycling
        if browser is None:
            return ""
        reasons: dict[str, Callable[[], bool]] = {
            "gone": lambda: not browser.is_connected(),
            "failures": lambda: self._failures >= limits.failures,
            "hung_close": lambda: len(browser.contexts) >= _LEFT_OPEN,
            "contexts": lambda: self._contexts >= limits.contexts,
            "age": lambda: time.monotonic() - self._started > limits.age_s,
            "memory": lambda: self.rss_bytes() > limits.rss_bytes,
        }
        return next((reason for reason, holds in reasons.items() if holds()), "")

    async def _recycle(self, reason: str) -> None:
        self.restarts[reason] = self.restarts.get(reason, 0) + 1
        await self._close_browser()

    async def _close_browser(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(browser.close(), _CLOSE_S)
        self.kill()
        self.pids = frozenset()

    async def _ready(self) -> Browser:
        if self._browser is not None and self._browser.is_connected():
            return self._browser
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        before = _descendants()
        tried = []
        for candidate in [self._candidate] if self._candidate else candidates(self._configured):
            if not installed(self._playwright.chromium.executable_path, candidate):
                tried.append(f"{candidate.source}: not installed")
                continue
            try:
                options: Any = launch_options(candidate)
                self._browser = await self._playwright.chromium.launch(
                    timeout=_LAUNCH_MS,
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                    **options,
                )
            except PlaywrightError as error:
                tried.append(f"{candidate.source}: {error.message.splitlines()[0]}")
                continue
            self._candidate = candidate
            self._contexts = self._failures = 0
            self._started = time.monotonic()
            self.pids = frozenset(_descendants() - before)
            return self._browser
        self._candidate = None
        raise BrowserMissing("no Chromium starts here: " + "; ".join(tried)[:500])


def _descendants() -> set[int]:
    return {
        process.pid
        for process in psutil.Process().children(recursive=True)
        if "node" not in _name(process)
    }


def _name(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.Error:
        return ""
