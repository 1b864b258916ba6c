"""The desk of a run that tests routes and reviews their bugs: here results become files.

It is the only writer of the state file and the reports. Invariant: a route is merged into the state
only after its report and screenshots are on disk, and reviewed only after its bug report is. Leaves
out Redis, the clock and every decision.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from contract import wire
from contract.identity import JobId, explore_job, review_job
from contract.jobs import AnyJob, ExploreRoute, ReviewRoute
from contract.results import (
    Finding,
    RouteExplored,
    RouteReviewed,
    RoutesDiscovered,
    Screenshot,
)
from contract.vocabulary import ReviewStatus, RunStatus
from coordinator.driver.blobs import BlobProblem, Blobs
from coordinator.driver.desk import Brief
from coordinator.driver.happenings import (
    Happening,
    ReviewDone,
    ReviewFailed,
    RouteDone,
    RouteFailed,
    RoutesAdded,
)
from coordinator.judging import review
from coordinator.judging.before import before
from coordinator.machines.book import Attempt, JobBook
from coordinator.machines.effects import FailJob, MergeResult, PublishJob
from coordinator.machines.events import Merged, Refused
from coordinator.machines.exploration import Ledger, Step
from coordinator.planning.routes import fold, pattern_of, reason_to_exclude
from coordinator.records import reports, state_file
from coordinator.records.atomic import disk_trouble
from coordinator.records.state import Attempt as SavedAttempt
from coordinator.records.state import Shared, State, whole_seconds
from coordinator.reporting.bug_report import bug_report

MOST_DISCOVERED = 5_000
MOST_DENIED = 200
Answer = tuple[Merged | Refused, list[Happening]]


class ExplorationDesk:
    """Tests and reviews routes. `pages` writes what the user reads at the end."""

    def __init__(
        self,
        *,
        state: State,
        folder: Path,
        brief: Brief,
        blobs: Blobs,
        pages: Callable[[State, Path], object],
        follow: bool = False,
    ) -> None:
        self.run_id = state.ours.run_id
        self._state = state
        self._folder = folder
        self._brief = brief
        self._blobs = blobs
        self._pages = pages
        self._follow = follow
        self._explores: dict[JobId, str] = {}
        self._reviews: dict[JobId, str] = {}
        self._know(state.slugs)
        self._spent = {r: a for r, a in state.ours.attempts.items() if r not in state.pending}
        self._given: dict[JobId, str] = {}
        self._patterns = {pattern_of(route) for route in state.slugs}
        self._map: tuple[int, str] | None = None
        self._discovered = dict.fromkeys(state.ours.discovered)
        self._denied = dict.fromkeys(state.ours.denied)
        self._shared: tuple[tuple[str, ...], str] | None = None

    def _know(self, routes: Iterable[str]) -> None:
        for route in routes:
            slug = self._state.slugs[route]
            self._explores[explore_job(slug)] = route
            self._reviews[review_job(slug)] = route

    def open(self, epoch: int) -> Ledger:
        state = self._state
        shared = state.ours.shared
        reviews = not state.pending
        return Ledger(
            book=self._book_of_reviews() if reviews else self._book_of_routes(),
            epoch=epoch,
            reviews=reviews,
            shared=shared.keys if shared else None,
            shared_by=explore_job(state.slugs[shared.route]) if shared else None,
        )

    def _book_of_routes(self) -> JobBook:
        state = self._state
        tried = {r: a for r, a in state.ours.attempts.items() if r in state.pending}
        out, again = _parted({explore_job(state.slugs[r]): a for r, a in tried.items()})
        return JobBook(
            [explore_job(state.slugs[route]) for route in state.pending],
            out=out,
            again=again,
            later=self._reviews_left(),
            completed=len(state.completed),
            failed=len(state.failed),
        )

    def _book_of_reviews(self) -> JobBook:
        state = self._state
        left = self._reviews_left()
        tried = state.ours.review_attempts
        out, again = _parted({review_job(state.slugs[r]): a for r, a in tried.items()})
        counts = state.counters()
        return JobBook(
            left,
            out={job: attempt for job, attempt in out.items() if job in left},
            again={job: attempt for job, attempt in again.items() if job in left},
            completed=counts["review_complete"],
            failed=counts["review_failed"],
        )

    def _reviews_left(self) -> dict[JobId, Attempt | None]:
        """What awaits its review, with the last attempt at it."""
        state = self._state
        tried = {r: _attempt(saved) for r, saved in state.ours.review_attempts.items()}
        return {review_job(state.slugs[r]): tried.get(r) for r in state.awaits_review()}

    def cursor(self) -> str:
        return self._state.ours.cursor

    def route_of(self, job_id: JobId) -> str | None:
        return self._explores.get(job_id) or self._reviews.get(job_id)

    def job(self, order: PublishJob, ledger: Ledger) -> AnyJob:
        if order.job_id in self._reviews:
            return self._review(order)
        route = self._explores[order.job_id]
        return ExploreRoute(
            **self._fields(order, route),
            shared_key=self._shared_key(ledger),
            before_key=self._before_key(order.job_id, route),
        )

    def _review(self, order: PublishJob) -> ReviewRoute:
        fields = self._fields(order, self._reviews[order.job_id])
        path = self._folder / reports.report_file(fields["slug"])
        with disk_trouble(path):
            report = path.read_bytes()
        return ReviewRoute(**fields, report_key=self._give(order.job_id, report))

    def _give(self, job: JobId, data: bytes) -> str:
        """Store what one job alone needs; it is dropped when the job is done."""
        self._given[job] = self._blobs.put(data)
        return self._given[job]

    def _fields(self, order: PublishJob, route: str) -> dict[str, Any]:
        """What a job on a route has, whatever is to be done there."""
        brief = self._brief
        return {
            "run_id": self.run_id,
            "job_id": order.job_id,
            "attempt": order.attempt,
            "epoch": order.epoch,
            "deadline": order.deadline,
            "budget_s": brief.budget_s,
            "site": brief.site,
            "route": route,
            "slug": self._state.slugs[route],
            "routes_key": self._routes_key(),
            "limits": brief.limits,
            "waits": brief.waits,
            "noise": brief.noise,
            "denied": tuple(self._denied),
        }

    def _routes_key(self) -> str:
        """The blob with the routes of the map, stored again when there are more."""
        count = len(self._state.slugs)
        if self._map is None or self._map[0] != count:
            self._map = (count, self._blobs.put(wire.dumps(sorted(self._state.slugs))))
        return self._map[1]

    def _before_key(self, job: JobId, route: str) -> str | None:
        """The blob with what the run before this one met on the route, if there was one."""
        if not self._state.ours.earlier:
            return None
        folder = self._folder / self._state.ours.earlier
        report = reports.read(folder, reports.report_file(self._state.slugs[route]))
        return None if report is None else self._give(job, wire.dumps(before(report)))

    def _shared_key(self, ledger: Ledger) -> str | None:
        """The blob with the site-wide controls, stored when the pilot has brought them."""
        if not ledger.shared or ledger.shared_by is None:
            return None
        if self._shared is None or self._shared[0] != ledger.shared:
            route = self._explores[ledger.shared_by]
            blob = wire.dumps(dict.fromkeys(ledger.shared, route))
            self._shared = (ledger.shared, self._blobs.put(blob))
        return self._shared[1]

    def merge(self, order: MergeResult, now: datetime) -> Answer:
        result = order.result
        try:
            if isinstance(result, RouteExplored) and order.job_id in self._explores:
                return self._merge_report(order.job_id, result)
            if isinstance(result, RouteReviewed) and order.job_id in self._reviews:
                return self._merge_review(order.job_id, result, now)
        except BlobProblem as error:
            return Refused(order.job_id, str(error)), []
        return Refused(order.job_id, f"a {type(result).__name__} answers another kind of job"), []

    def _pngs(self, shots: Iterable[Screenshot]) -> Mapping[str, bytes]:
        return {shot.name: self._blobs.get(shot.blob) for shot in shots}

    def _merge_report(self, job: JobId, result: RouteExplored) -> Answer:
        route = self._explores[job]
        slug, pngs = self._state.slugs[route], self._pngs(result.screenshots)
        if problem := reports.problem_with(result.report, route, slug, pngs):
            return Refused(job, problem), []
        reports.write(self._folder, slug, result.report, pngs)
        self._state.complete(reports.entry_for(slug, result.report))
        more = self._note_discovered(result.discovered)
        self._deny(result.denied)
        bugs = tuple((bug.severity, bug.kind) for bug in result.report.bugs)
        done = RouteDone(route, result.report.status, bugs, result.tally)
        told: list[Happening] = [done, RoutesAdded(len(more))] if more else [done]
        return Merged(job, result.shared, review_job(slug), more), told

    def _merge_review(self, job: JobId, result: RouteReviewed, now: datetime) -> Answer:
        """A report that says it was reviewed was merged before a crash; it stays as it is."""
        route = self._reviews[job]
        slug = self._state.slugs[route]
        report = reports.read(self._folder, reports.report_file(slug))
        if report is None:
            return Refused(job, f"{reports.report_file(slug)} does not parse any more"), []
        if report.reviewed_at is None:
            pngs = self._pngs(result.screenshots)
            if problem := review.problem_with(report, result):
                return Refused(job, problem), []
            report = review.reviewed(report, result, slug, whole_seconds(now))
            if problem := reports.review_problem(report, slug, pngs, self._folder):
                return Refused(job, problem), []
            reports.write_review(self._folder, slug, report, pngs, bug_report(report))
        self._state.review(
            route,
            ReviewStatus.COMPLETE,
            bug_report_file=reports.bug_report_file(slug),
            bugs_count=len(report.bugs),
            status=report.status,
            summary=report.summary,
        )
        return Merged(job), [_review_done(route, review.outcomes(report.bugs, report.refuted))]

    def _deny(self, keys: Iterable[str]) -> None:
        """No later job uses what cost the session of an earlier one."""
        room = MOST_DENIED - len(self._denied)
        self._denied.update(dict.fromkeys(list(keys)[: max(0, room)]))

    def _note_discovered(self, routes: tuple[str, ...]) -> tuple[JobId, ...]:
        """Write down pages outside the map; where they are followed, the jobs for them."""
        new = [
            found.sample
            for found in fold(routes)
            if found.pattern not in self._patterns and len(self._discovered) < MOST_DISCOVERED
        ]
        self._patterns.update(pattern_of(route) for route in new)
        self._discovered.update(dict.fromkeys(new))
        if not self._follow:
            return ()
        new = [route for route in new if reason_to_exclude(route) is None]
        self._state.add_routes(new)
        self._know(new)
        return tuple(explore_job(self._state.slugs[route]) for route in new)

    def spent(self, result: Finding) -> tuple[str, ...]:
        given = self._given.pop(result.job_id, None)
        shots = () if isinstance(result, RoutesDiscovered) else result.screenshots
        return (*(shot.blob for shot in shots), *([given] if given else []))

    def fail(self, order: FailJob, now: datetime) -> Happening:
        if route := self._reviews.get(order.job_id):
            self._state.review(route, ReviewStatus.FAILED, bug_report_file=None)
            return ReviewFailed(route, order.last_error)
        route = self._explores[order.job_id]
        self._state.fail(route, order.error, order.last_error, now)
        self._spent[route] = SavedAttempt(attempt=order.attempt, epoch=0, out=False)
        return RouteFailed(route, order.last_error)

    def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
        state = self._state
        attempts = {r: a for r, a in self._spent.items() if r in state.failed}
        shared = None
        if ledger.shared is not None and ledger.shared_by is not None:
            shared = Shared(route=self._explores[ledger.shared_by], keys=ledger.shared)
        state.update(
            epoch=ledger.epoch,
            cursor=cursor,
            attempts=attempts | _by_route(ledger.book, self._explores),
            review_attempts=_by_route(ledger.book, self._reviews),
            shared=shared,
            discovered=tuple(self._discovered),
            denied=tuple(self._denied),
        )
        state.status = _STATUS.get(ledger.step, RunStatus.RUNNING)
        state.blocked_reason = ledger.reason
        state_file.save(state, self._folder, now)

    def publish_pages(self) -> None:
        self._pages(self._state, self._folder)


_STATUS = {Step.COMPLETED: RunStatus.COMPLETED, Step.BLOCKED: RunStatus.BLOCKED}


def _review_done(route: str, counts: review.Outcomes) -> ReviewDone:
    return ReviewDone(
        route, counts.confirmed, counts.flaky, counts.refuted, counts.unchecked, counts.found
    )


def _by_route(book: JobBook, routes: Mapping[JobId, str]) -> dict[str, SavedAttempt]:
    """The attempts in a book at the jobs of one kind."""
    kept = {job: attempt for job, attempt in book.later.items() if attempt is not None}
    idle = {job: _saved(last, out=False) for job, last in (kept | book.again).items()}
    out = {job: _saved(last, out=True) for job, last in book.out.items()}
    return {routes[job]: saved for job, saved in (idle | out).items() if job in routes}


def _parted(
    tried: Mapping[JobId, SavedAttempt],
) -> tuple[dict[JobId, Attempt], dict[JobId, Attempt]]:
    """Attempts whose result is still awaited, and the others."""
    out = {job: _attempt(saved) for job, saved in tried.items() if saved.out}
    again = {job: _attempt(saved) for job, saved in tried.items() if not saved.out}
    return out, again


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
