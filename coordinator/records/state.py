"""What `.monkey-test-state.json` holds, in memory, and the eight rules that it obeys.

Counters are derived from the three arrays each time they are asked for. Completed entries are kept
as the bytes that stand in the file, so that a write of 100,000 routes makes no Python object per
route, and so that unknown fields in them are kept. Owned by one run: nobody else changes it. Leaves
out the disk (`state_file`) and what to do next (`machines`).
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from contract import wire
from contract.identity import RunId, plain_slug, slugs_for
from contract.vocabulary import ReviewStatus, RouteStatus, RunStatus

VERSION = 1


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the file."""


class Operations(Part, frozen=True, kw_only=True):
    total: int = 0
    passed: int = 0
    failed: int = 0
    disabled: int = 0


class Completed(Part, frozen=True, kw_only=True):
    """An entry of `completed`; it enters as `review_pending`, without a bug report."""

    route: str
    tested_at: datetime
    status: RouteStatus
    bugs_count: int = 0
    operations_count: Operations = Operations()
    screenshots_dir: str = ""
    report_file: str
    summary: str = ""
    review_status: ReviewStatus = ReviewStatus.PENDING
    bug_report_file: str | None = None


class Failed(Part, frozen=True, kw_only=True):
    """An entry of `failed`. `retry_count`: how often the user had it tried again."""

    route: str
    failed_at: datetime
    error: str = ""
    retry_count: int = 0
    last_error: str = ""


class Attempt(Part, frozen=True, kw_only=True):
    """The last attempt at a pending route; `out` says that its result is still awaited.

    `tries` counts the attempts that failed through the route's own fault or their worker's loss.
    """

    attempt: int
    epoch: int
    tries: int = 0
    out: bool = True
    error: str = ""


class Shared(Part, frozen=True, kw_only=True):
    """Site-wide controls and the route that explored them."""

    route: str
    keys: tuple[str, ...] = ()


class Ours(Part, frozen=True, kw_only=True):
    """`meta.mazewave`: what a resumed run needs and the specification has no place for.

    `slugs` names only those that differ from the plain rule; `retries` only pending routes;
    `denied` are keys of controls that cost the session; `earlier` is the folder of the run before
    this one, relative to the project.
    """

    version: int = VERSION
    run_id: RunId
    epoch: int = 0
    cursor: str = "0-0"
    attempts: dict[str, Attempt] = {}
    review_attempts: dict[str, Attempt] = {}
    selection: tuple[str, ...] = ()
    policy: str = ""
    slugs: dict[str, str] = {}
    retries: dict[str, int] = {}
    shared: Shared | None = None
    discovered: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    earlier: str = ""


class Extras(Part, frozen=True, kw_only=True):
    """Fields that we do not know, to be written back as they are."""

    top: dict[str, msgspec.Raw] = {}
    meta: dict[str, msgspec.Raw] = {}
    ours: dict[str, msgspec.Raw] = {}


class State:
    """The file's content; `touched` names the entries that changed since the last write."""

    def __init__(self, *, project: str, base_url: str, created_at: datetime, ours: Ours) -> None:
        self.project = project
        self.base_url = base_url
        self.created_at = created_at
        self.last_updated = created_at
        self.status = RunStatus.RUNNING
        self.blocked_reason: str | None = None
        self.completed: dict[str, msgspec.Raw] = {}
        self.reviews: dict[str, ReviewStatus] = {}
        self.failed: dict[str, Failed] = {}
        self.pending: dict[str, None] = {}
        self.ours = ours
        self.extras = Extras()
        self.touched: dict[str, Completed] = {}
        self.slugs: dict[str, str] = {}

    def add_routes(self, routes: Iterable[str]) -> int:
        """Put routes that are not there yet into `pending`; says how many were new."""
        new = [route for route in dict.fromkeys(routes) if not self.knows(route)]
        self.pending.update(dict.fromkeys(new))
        self.slugs = slugs_for(new, self.slugs)
        odd = {route: slug for route, slug in self.slugs.items() if slug != plain_slug(route)}
        self.ours = msgspec.structs.replace(self.ours, slugs=odd)
        return len(new)

    def knows(self, route: str) -> bool:
        return route in self.pending or route in self.completed or route in self.failed

    def complete(self, entry: Completed) -> None:
        """A valid report is on disk: the route is done, whatever the report says."""
        self.pending.pop(entry.route, None)
        self.failed.pop(entry.route, None)
        self.completed[entry.route] = msgspec.Raw(wire.dumps(entry))
        self.reviews[entry.route] = entry.review_status
        self.touched[entry.route] = entry

    def review(self, route: str, review: ReviewStatus, **changes: object) -> None:
        """The review of a completed route is over; `changes` are further fields of its entry.

        Fields of the entry that we do not know stay as they are.
        """
        fields = wire.loads(bytes(self.completed[route]), dict[str, msgspec.Raw])
        known = wire.loads(bytes(self.completed[route]), Completed)
        entry = msgspec.structs.replace(known, review_status=review, **changes)
        fields |= wire.loads(wire.dumps(entry), dict[str, msgspec.Raw])
        self.completed[route] = msgspec.Raw(wire.dumps(fields))
        self.reviews[route] = review
        self.touched[route] = entry

    def review_again(self) -> int:
        """Have every review that failed tried again; says how many."""
        failed = [r for r, status in self.reviews.items() if status is ReviewStatus.FAILED]
        for route in failed:
            self.review(route, ReviewStatus.PENDING, bug_report_file=None)
        return len(failed)

    def awaits_review(self) -> list[str]:
        """The tested routes whose bugs nobody has looked at again."""
        return [r for r, status in self.reviews.items() if status is ReviewStatus.PENDING]

    def fail(self, route: str, error: str, last_error: str, now: datetime) -> None:
        """The attempts are used up."""
        self.pending.pop(route, None)
        self.failed[route] = Failed(
            route=route,
            failed_at=whole_seconds(now),
            error=error,
            retry_count=self.ours.retries.get(route, 0),
            last_error=last_error,
        )

    def reopen(self, route: str) -> None:
        """A completed route whose report is gone is pending again."""
        self.completed.pop(route, None)
        self.reviews.pop(route, None)
        self.touched.pop(route, None)
        self.pending[route] = None

    def retry_failed(self) -> int:
        """Move every failed route back to pending and count the retry; says how many."""
        retries = dict(self.ours.retries)
        for route, entry in self.failed.items():
            retries[route] = entry.retry_count + 1
            self.pending[route] = None
        moved = len(self.failed)
        self.failed.clear()
        self.ours = msgspec.structs.replace(self.ours, retries=retries)
        return moved

    def update(self, **changes: object) -> None:
        """Replace fields of `meta.mazewave`."""
        self.ours = msgspec.structs.replace(self.ours, **changes)

    def counters(self) -> dict[str, int]:
        """Every counter of `meta`, from the arrays alone."""
        reviews = Counter(self.reviews.values())
        done, failed, pending = len(self.completed), len(self.failed), len(self.pending)
        return {
            "total_routes": done + failed + pending,
            "tested": done,
            "pending": pending,
            "failed": failed,
            "review_pending": reviews[ReviewStatus.PENDING],
            "review_complete": reviews[ReviewStatus.COMPLETE],
            "review_failed": reviews[ReviewStatus.FAILED],
        }

    def entries(self) -> Iterable[Completed]:
        """The completed entries, decoded one at a time."""
        return (wire.loads(bytes(raw), Completed) for raw in self.completed.values())

    def touch(self, now: datetime) -> None:
        """Set `last_updated`; a worker's clock may be ahead of ours, an entry never is."""
        times = [entry.tested_at for entry in self.touched.values()]
        times += [entry.failed_at for entry in self.failed.values()]
        self.last_updated = max([self.last_updated, whole_seconds(now), *times])


def violations(state: State) -> list[str]:
    """Which of the rules that need no disk are broken, in words; empty when all hold."""
    broken: list[str] = []
    for first, second, words in (
        (state.pending, state.completed, "pending and completed"),
        (state.pending, state.failed, "pending and failed"),
        (state.failed, state.completed, "failed and completed"),
    ):
        if both := first.keys() & second.keys():
            broken.append(f"rule 1: {min(both)} is in both {words}")
    if len(state.reviews) != len(state.completed):
        broken.append("rule 6: the review counters do not add up to the completed routes")
    for entry in state.touched.values():
        if entry.tested_at > state.last_updated:
            broken.append(f"rule 5: {entry.route} is newer than last_updated")
        if entry.review_status is ReviewStatus.PENDING and entry.bug_report_file is not None:
            broken.append(f"rule 8: {entry.route} awaits its review but has a bug report")
        if entry.review_status is ReviewStatus.COMPLETE and entry.bug_report_file is None:
            broken.append(f"rule 7: {entry.route} is reviewed but names no bug report")
    return broken


def whole_seconds(moment: datetime) -> datetime:
    """An instant as the file holds it: UTC, without fractions."""
    return moment.astimezone(UTC).replace(microsecond=0)
