"""Where the loop's effects meet the files: merging, failing, saving, and making jobs.

`Desk` is what the loop needs of it. `ExplorationDesk` works on a project's state file and reports;
it is the only writer of both. Invariant: a route is merged into the state only after its report and
screenshots are on disk. Leaves out Redis, the clock and every decision.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

import msgspec

from contract import wire
from contract.identity import JobId, RunId, explore_job
from contract.jobs import AnyJob, ExploreRoute, Limits, Site, Waits
from contract.results import RouteExplored
from contract.vocabulary import RunStatus
from coordinator.driver.blobs import BlobProblem, Blobs
from coordinator.driver.happenings import Happening, RouteDone
from coordinator.machines.book import Attempt, RouteBook
from coordinator.machines.effects import FailRoute, MergeReport, PublishJob
from coordinator.machines.events import Merged, Refused
from coordinator.machines.exploration import Ledger, Step
from coordinator.planning.routes import fold, pattern_of
from coordinator.records import reports, state_file
from coordinator.records.state import Attempt as SavedAttempt
from coordinator.records.state import Shared, State

MOST_DISCOVERED = 5_000
SLACK_S = 60.0
"""What a job may take beyond the exploration itself: to log in, and to walk its bugs again."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What all jobs of a run have in common."""

    site: Site
    limits: Limits = Limits()
    waits: Waits = Waits()
    noise: tuple[str, ...] = ()
    routes_key: str | None = None

    @property
    def budget_s(self) -> float:
        return self.limits.seconds + SLACK_S


class Desk(Protocol):
    """What the loop needs to know and to have done; every method may be called again."""

    run_id: RunId

    def open(self, epoch: int) -> Ledger:
        """The ledger that the files give."""
        ...

    def cursor(self) -> str: ...

    def route_of(self, job_id: JobId) -> str | None: ...

    def job_id(self, route: str) -> JobId: ...

    def job(self, order: PublishJob, ledger: Ledger) -> AnyJob: ...

    def merge(self, order: MergeReport, now: datetime) -> tuple[Merged | Refused, list[Happening]]:
        """Put a result on disk, or say why not."""
        ...

    def fail(self, order: FailRoute, now: datetime) -> None: ...

    def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
        """Make everything so far last."""
        ...

    def publish_pages(self) -> None:
        """Write the pages for the user."""
        ...


class ExplorationDesk:
    """Tests routes. `pages` writes what the user reads at the end."""

    def __init__(
        self,
        *,
        state: State,
        folder: Path,
        brief: Brief,
        blobs: Blobs,
        pages: Callable[[State, Path], object],
    ) -> None:
        self.run_id = state.ours.run_id
        self._state = state
        self._folder = folder
        self._brief = brief
        self._blobs = blobs
        self._pages = pages
        self._routes = {explore_job(slug): route for route, slug in state.slugs.items()}
        self._spent = {r: a for r, a in state.ours.attempts.items() if r not in state.pending}
        self._patterns = {pattern_of(route) for route in state.slugs}
        self._discovered = dict.fromkeys(state.ours.discovered)
        self._shared: tuple[tuple[str, ...], str] | None = None

    def open(self, epoch: int) -> Ledger:
        state = self._state
        pending = {r: a for r, a in state.ours.attempts.items() if r in state.pending}
        book = RouteBook(
            state.pending,
            out={route: _attempt(saved) for route, saved in pending.items() if saved.out},
            again={route: _attempt(saved) for route, saved in pending.items() if not saved.out},
            completed=len(state.completed),
            failed=len(state.failed),
        )
        shared = state.ours.shared
        return Ledger(
            book=book,
            epoch=epoch,
            shared=shared.keys if shared else None,
            shared_by=shared.route if shared else None,
        )

    def cursor(self) -> str:
        return self._state.ours.cursor

    def route_of(self, job_id: JobId) -> str | None:
        return self._routes.get(job_id)

    def job_id(self, route: str) -> JobId:
        return explore_job(self._state.slugs[route])

    def job(self, order: PublishJob, ledger: Ledger) -> AnyJob:
        brief = self._brief
        return ExploreRoute(
            run_id=self.run_id,
            job_id=self.job_id(order.route),
            attempt=order.attempt,
            epoch=order.epoch,
            deadline=order.deadline,
            budget_s=brief.budget_s,
            site=brief.site,
            route=order.route,
            slug=self._state.slugs[order.route],
            routes_key=brief.routes_key,
            shared_key=self._shared_key(ledger),
            limits=brief.limits,
            waits=brief.waits,
            noise=brief.noise,
        )

    def _shared_key(self, ledger: Ledger) -> str | None:
        """The blob with the site-wide controls, stored when the pilot has brought them."""
        if not ledger.shared or ledger.shared_by is None:
            return None
        if self._shared is None or self._shared[0] != ledger.shared:
            blob = wire.dumps(dict.fromkeys(ledger.shared, ledger.shared_by))
            self._shared = (ledger.shared, self._blobs.put(blob))
        return self._shared[1]

    def merge(self, order: MergeReport, now: datetime) -> tuple[Merged | Refused, list[Happening]]:
        result = order.result
        if not isinstance(result, RouteExplored):
            return Refused(order.route, "it is no report of a route"), []
        slug = self._state.slugs[order.route]
        try:
            pngs = {shot.name: self._blobs.get(shot.blob) for shot in result.screenshots}
        except BlobProblem as error:
            return Refused(order.route, str(error)), []
        if problem := reports.problem_with(result.report, order.route, slug, pngs):
            return Refused(order.route, problem), []
        reports.write(self._folder, slug, result.report, pngs)
        self._state.complete(reports.entry_for(slug, result.report))
        self._note_discovered(result.discovered)
        bugs = tuple((bug.severity, bug.kind) for bug in result.report.bugs)
        done = RouteDone(order.route, result.report.status, bugs, result.tally)
        return Merged(order.route, result.shared), [done]

    def _note_discovered(self, routes: tuple[str, ...]) -> None:
        for found in fold(routes):
            if found.pattern in self._patterns or len(self._discovered) >= MOST_DISCOVERED:
                continue
            self._patterns.add(found.pattern)
            self._discovered[found.sample] = None

    def fail(self, order: FailRoute, now: datetime) -> None:
        self._state.fail(order.route, order.error, order.last_error, now)
        self._spent[order.route] = SavedAttempt(attempt=order.attempt, epoch=0, out=False)

    def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
        book, state = ledger.book, self._state
        attempts = {r: a for r, a in self._spent.items() if r in state.failed}
        attempts |= {route: _saved(last, out=False) for route, last in book.again.items()}
        attempts |= {route: _saved(last, out=True) for route, last in book.out.items()}
        shared = None
        if ledger.shared is not None and ledger.shared_by is not None:
            shared = Shared(route=ledger.shared_by, keys=ledger.shared)
        state.update(
            epoch=ledger.epoch,
            cursor=cursor,
            attempts=attempts,
            shared=shared,
            discovered=tuple(self._discovered),
        )
        state.status = _STATUS.get(ledger.step, RunStatus.RUNNING)
        state.blocked_reason = ledger.reason
        state_file.save(state, self._folder, now)

    def publish_pages(self) -> None:
        self._pages(self._state, self._folder)


_STATUS = {Step.COMPLETED: RunStatus.COMPLETED, Step.BLOCKED: RunStatus.BLOCKED}


def _attempt(saved: SavedAttempt) -> Attempt:
    return Attempt(saved.attempt, saved.epoch, tries=saved.tries, error=saved.error)


def _saved(attempt: Attempt, *, out: bool) -> SavedAttempt:
    return SavedAttempt(
        attempt=attempt.number,
        epoch=attempt.epoch,
        tries=attempt.tries,
        out=out,
        error=attempt.error,
    )
