"""What workers answer: one tagged union, and exactly one result per attempt of a job."""

from datetime import datetime

import msgspec

from contract.action_tree import Bug, RouteReport
from contract.identity import JobId, RunId
from contract.jobs import REVISION
from contract.vocabulary import FailureReason, PageType


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a result."""


class Result(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every result has; `(run_id, job_id, attempt)` is its identity."""

    run_id: RunId
    job_id: JobId
    attempt: int
    epoch: int
    worker: str
    started_at: datetime
    finished_at: datetime
    revision: int = REVISION


class Screenshot(Part, frozen=True, kw_only=True):
    """A PNG: its file name in the route's folder and the blob that holds it."""

    name: str
    blob: str


class Tally(Part, frozen=True, kw_only=True):
    """How the work went, for the live view and the metrics."""

    actions: int = 0
    states: int = 0
    bugs: int = 0


class RouteExplored(Result, frozen=True, kw_only=True, tag="route_explored"):
    """`discovered`: same-origin routes outside the map. `shared`: keys of site-wide controls.
    `denied`: keys of controls that cost the session.
    """

    report: RouteReport
    screenshots: tuple[Screenshot, ...] = ()
    discovered: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    tally: Tally = Tally()


class Replayed(Part, frozen=True, kw_only=True):
    """A bug of the report showed in `seen` of `runs` fresh runs. `note`: why there were none."""

    id: str
    seen: int = 0
    runs: int = 0
    note: str = ""


class RouteReviewed(Result, frozen=True, kw_only=True, tag="route_reviewed"):
    """`found`: bugs that the tester did not file, but whose nodes imply them or that showed on the
    way; with the pictures that they name.
    """

    replayed: tuple[Replayed, ...]
    found: tuple[Bug, ...] = ()
    screenshots: tuple[Screenshot, ...] = ()
    tally: Tally = Tally()


class FoundRoute(Part, frozen=True, kw_only=True):
    route: str
    page_type: PageType
    parent: str = ""
    category: str = ""
    actions: tuple[str, ...] = ()


class ExcludedRoute(Part, frozen=True, kw_only=True):
    route: str
    reason: str


class RoutesDiscovered(Result, frozen=True, kw_only=True, tag="routes_discovered"):
    """`truncated` says that the limit of routes or depth was met before the links ran out."""

    routes: tuple[FoundRoute, ...]
    excluded: tuple[ExcludedRoute, ...] = ()
    truncated: bool = False


class JobFailed(Result, frozen=True, kw_only=True, tag="job_failed"):
    """`detail` is for people: a class name and a short traceback, never page content or secrets."""

    reason: FailureReason
    retryable: bool
    detail: str


Finding = RouteExplored | RouteReviewed | RoutesDiscovered
AnyResult = Finding | JobFailed


class Beat(Part, frozen=True, kw_only=True):
    """What a worker says while it works: the job is alive, and how far it is.

    `worker` and `attempt` tell whose beat it is; the key expires when the worker is gone.
    """

    attempt: int
    worker: str
    tally: Tally = Tally()
    doing: str = ""
