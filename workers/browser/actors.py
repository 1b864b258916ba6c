"""The browser worker as a service of the kit: which jobs it takes, and its browser's life around
them.

Dramatiq calls a handler in the worker thread; the event loop and the browser live in that thread
from the first job to the last. The watchdog calls `Host.kill` from its own thread when a job is
over time.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping

from contract.jobs import AnyJob, DiscoverRoutes, ExploreRoute, ReviewRoute
from contract.vocabulary import FailureReason
from workers.browser.discover import discover_routes
from workers.browser.explore import explore_route
from workers.browser.lifecycle import BrowserMissing, Host
from workers.browser.review import review_route
from workers.kit.duty import Duty, Handler


class BrowserService:
    """Explores, reviews and discovers routes with one browser."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None
        self._host: Host | None = None

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {
            "explore_route": self._explore,
            "review_route": self._review,
            "discover_routes": self._discover,
        }

    def open(self) -> None:
        self._runner = asyncio.Runner()
        self._host = Host(os.environ.get("MAZEWAVE_BROWSER", ""))

    def close(self) -> None:
        if self._runner is not None and self._host is not None:
            self._runner.run(self._host.close())
            self._runner.close()

    def _explore(self, job: AnyJob, duty: Duty) -> None:
        if isinstance(job, ExploreRoute):
            self._run(lambda host: explore_route(job, duty, host), duty)

    def _review(self, job: AnyJob, duty: Duty) -> None:
        if isinstance(job, ReviewRoute):
            self._run(lambda host: review_route(job, duty, host), duty)

    def _discover(self, job: AnyJob, duty: Duty) -> None:
        if isinstance(job, DiscoverRoutes):
            self._run(lambda host: discover_routes(job, duty, host), duty)

    def _run(self, work: Callable[[Host], Awaitable[None]], duty: Duty) -> None:
        runner, host = self._runner, self._host
        if runner is None or host is None:
            raise RuntimeError("the service is not open")
        duty.on_overtime(host.kill)
        restarts = dict(host.restarts)
        try:
            runner.run(_awaited(work(host)))
        except BrowserMissing as error:
            duty.fail(FailureReason.BROWSER_MISSING, retryable=False, detail=str(error))
        finally:
            for reason, times in host.restarts.items():
                duty.metrics.browser_restarts.labels(reason=reason).inc(
                    times - restarts.get(reason, 0)
                )
            duty.metrics.browser_rss.set(host.rss_bytes())


async def _awaited(work: Awaitable[None]) -> None:
    await work
