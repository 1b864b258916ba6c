"""The desk of a run that only looks for routes: one job, and ROUTE_MAP.md at the end.

It has no state file: a search that is interrupted is begun again. Invariant: the map is written
only from a result that named routes. Leaves out testing them.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from contract.identity import DISCOVER_JOB, JobId, RunId
from contract.jobs import AnyJob, DiscoverRoutes
from contract.results import Finding, FoundRoute, RoutesDiscovered
from contract.vocabulary import FailureReason
from coordinator.driver.desk import Brief
from coordinator.driver.happenings import THE_SEARCH, Happening, Note, RouteFailed, RoutesFound
from coordinator.machines.book import JobBook
from coordinator.machines.effects import FailJob, MergeResult, PublishJob
from coordinator.machines.events import Merged, Refused
from coordinator.machines.exploration import Ledger
from coordinator.planning.routes import section_of, sort_out
from coordinator.records import route_map
from coordinator.records.route_map import Category, Excluded, MapRoute, RouteMap

AUTH = "auth flow"
"""How a worker says that a page asks for a password."""


class DiscoveryDesk:
    """Finds routes, beginning at the path of the app's address; `target` is the file to write."""

    def __init__(self, *, run_id: RunId, brief: Brief, depth: int, target: Path) -> None:
        self.run_id = run_id
        self._brief = brief
        self._depth = depth
        self._target = target

    def open(self, epoch: int) -> Ledger:
        return Ledger(book=JobBook((DISCOVER_JOB,)), epoch=epoch, discovers=True)

    def cursor(self) -> str:
        return "0-0"

    def route_of(self, job_id: JobId) -> str | None:
        return THE_SEARCH if job_id == DISCOVER_JOB else None

    def job(self, order: PublishJob, ledger: Ledger) -> AnyJob:
        return DiscoverRoutes(
            run_id=self.run_id,
            job_id=DISCOVER_JOB,
            attempt=order.attempt,
            epoch=order.epoch,
            deadline=order.deadline,
            budget_s=self._brief.budget_s,
            site=self._brief.site,
            start=urlsplit(self._brief.site.base_url).path or "/",
            depth=self._depth,
            waits=self._brief.waits,
        )

    def merge(self, order: MergeResult, now: datetime) -> tuple[Merged | Refused, list[Happening]]:
        result = order.result
        if not isinstance(result, RoutesDiscovered):
            return Refused(order.job_id, "it names no routes"), []
        entries = {item.route: (_entry(item), item.category) for item in result.routes}
        found = map_of(entries, self._brief.site.base_url, now, "browser")
        if not found.routes:
            return _nothing(order.job_id, result), []
        left_out = [Excluded(route=item.route, reason=item.reason) for item in result.excluded]
        excluded = {item.route: item for item in (*left_out, *found.excluded)}
        found = msgspec.structs.replace(found, excluded=tuple(excluded.values()))
        route_map.save(self._target, found)
        told: list[Happening] = [RoutesFound(len(found.routes), len(excluded))]
        if result.truncated:
            told.append(Note("the search met its limit; there may be more routes"))
        return Merged(order.job_id), told

    def spent(self, result: Finding) -> tuple[str, ...]:
        return ()

    def fail(self, order: FailJob, now: datetime) -> Happening:
        """Nothing is kept."""
        return RouteFailed(THE_SEARCH, order.last_error)

    def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
        """Nothing is kept."""

    def publish_pages(self) -> None:
        """The map is the page."""


def _nothing(job: JobId, result: RoutesDiscovered) -> Refused:
    if any(item.reason.casefold() == AUTH for item in result.excluded):
        why = f"{FailureReason.AUTH_LOST}: every page leads to a login"
        return Refused(job, why, final=True)
    return Refused(job, "no page was found on this site")


def _entry(item: FoundRoute) -> MapRoute:
    return MapRoute(
        route=item.route, page_type=item.page_type, parent=item.parent, actions=item.actions
    )


def map_of(
    entries: Mapping[str, tuple[MapRoute, str]], base_url: str, now: datetime, source: str
) -> RouteMap:
    """A map of what a browser or a list named: normalised, folded, grouped into categories.

    `entries`: what was met, what is known of it, and the name of its category, if it has one.
    """
    sorted_out = sort_out(entries, base_url)
    routes: list[MapRoute] = []
    sections: dict[str, list[str]] = {}
    folded: list[tuple[str, str]] = []
    for kept in sorted_out.kept:
        known, category = entries.get(kept.sample, (MapRoute(route=kept.sample), ""))
        routes.append(msgspec.structs.replace(known, route=kept.sample))
        sections.setdefault(category or section_of(kept.sample), []).append(kept.sample)
        if kept.count > 1:
            folded.append((kept.pattern, f"{kept.count} alike; {kept.sample} stands for them"))
    return RouteMap(
        routes=tuple(routes),
        excluded=tuple(
            Excluded(route=route, reason=why) for route, why in (*sorted_out.excluded, *folded)
        ),
        categories=tuple(Category(name=n, routes=tuple(r)) for n, r in sections.items()),
        generated=route_map.timestamp(now),
        source=source,
    )


def map_of_list(text: str, base_url: str, now: datetime) -> RouteMap:
    """A map of a text file with a route or URL per line; `#` begins a comment."""
    lines = (line.strip() for line in text.splitlines())
    names = [line for line in lines if line and not line.startswith("#")]
    entries = {name: (MapRoute(route=name), "") for name in names}
    return map_of(entries, base_url, now, "list")
