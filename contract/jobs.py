"""What the coordinator asks of workers: one tagged union, a struct per kind of job.

A job carries all that a stateless worker needs, or a key to it. Bulk and secrets (the login recipe,
the storage state, the route list) go by blob key: Dramatiq logs the arguments of a failed message.
"""

from datetime import datetime

import msgspec

from contract.identity import JobId, RunId
from contract.vocabulary import Policy

REVISION = 1
"""Grows when a field changes its meaning; adding a field with a default does not count."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a job."""


class Limits(Part, frozen=True, kw_only=True):
    """How much of one route a job may explore. The defaults are the preset `balanced`."""

    depth: int = 6
    states_per_template: int = 60
    rows: int = 3
    actions: int = 400
    seconds: float = 300.0
    wizard_steps: int = 8
    native_dialogs: int = 5
    viewport_width: int = 1280
    viewport_height: int = 800


class Waits(Part, frozen=True, kw_only=True):
    """Milliseconds that the worker waits inside the page; see `workers/browser/js/settle.js`."""

    grace_ms: int = 12
    quiet_ms: int = 25
    cap_ms: int = 3000
    recheck_ms: int = 250


class Safety(Part, frozen=True, kw_only=True):
    """What the worker must not do. `allow_requests`: `METHOD /path/prefix` that read-only lets
    through.
    """

    policy: Policy = Policy.READ_ONLY
    allow_requests: tuple[str, ...] = ()
    deny_requests: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()


class Before(Part, frozen=True, kw_only=True):
    """What an earlier run met on a route: `state key` of each control, and the keys of those that
    were wrong.
    """

    met: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


class Site(Part, frozen=True, kw_only=True):
    """The app under test. `recipe_key` names the blob with the login recipe, if there is one."""

    base_url: str
    recipe_key: str | None = None
    safety: Safety = Safety()


class Job(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What every job has.

    `epoch` is the coordinator's term of office, `attempt` counts from 1, `budget_s` bounds the
    work, and after `deadline` nobody waits for a result any more: a later attempt has been sent.
    """

    run_id: RunId
    job_id: JobId
    attempt: int
    epoch: int
    deadline: datetime
    budget_s: float
    revision: int = REVISION


class ExploreRoute(Job, frozen=True, kw_only=True, tag="explore_route"):
    """Explore one route depth first.

    `routes_key` names the blob (JSON array of strings) with all routes of the map: a page that
    belongs to another one is not entered. `shared_key` names the blob (JSON object, action key to
    route) of the site-wide controls that another route already explored. `before_key` names the
    blob with what an earlier run met here (`Before`): what is new or was wrong is tried first.
    `noise` holds regular expressions; a console line or URL that matches one is no bug. `denied`:
    keys of controls that cost the session before, and are left alone.
    """

    site: Site
    route: str
    slug: str
    routes_key: str | None = None
    shared_key: str | None = None
    before_key: str | None = None
    limits: Limits = Limits()
    waits: Waits = Waits()
    noise: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


class ReviewRoute(Job, frozen=True, kw_only=True, tag="review_route"):
    """Look at the bugs of a tested route again, each along its path in `runs` fresh contexts.

    `report_key` names the blob with the route's `RouteReport`; nothing else is known of it.
    `routes_key` and `denied` as in `ExploreRoute`: a page of another route answers for its bugs.
    """

    site: Site
    route: str
    slug: str
    report_key: str
    routes_key: str | None = None
    runs: int = 3
    limits: Limits = Limits()
    waits: Waits = Waits()
    noise: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()


class DiscoverRoutes(Job, frozen=True, kw_only=True, tag="discover_routes"):
    """Log in if need be, collect navigation links recursively, expand every menu."""

    site: Site
    start: str = "/"
    depth: int = 3
    max_routes: int = 500
    waits: Waits = Waits()


AnyJob = ExploreRoute | ReviewRoute | DiscoverRoutes
