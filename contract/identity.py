"""Names that both sides must derive alike: run, job, and a route's slug.

Invariant: slugs are file names. One never is `.` or `..`, never starts with a dot, never holds a
separator, and no two routes of a run share one, even on a file system that ignores case.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import NewType

RunId = NewType("RunId", str)
JobId = NewType("JobId", str)
ScenarioId = NewType("ScenarioId", str)
"""`AT-NNN`."""

MAX_SLUG = 120
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def _escape(match: re.Match[str]) -> str:
    return "".join(f"~{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


def plain_slug(route: str) -> str:
    """The slug of a route before clashes: `/settings/general` becomes `settings_general`.

    The first `/` is dropped, every other one becomes `_`; what is not `[A-Za-z0-9._-]` is
    percent-encoded with `~` for `%`; a leading dot is encoded too. `/` is `_root`.
    """
    body = route.removeprefix("/").replace("/", "_")
    slug = _UNSAFE.sub(_escape, body)
    if slug.startswith("."):
        slug = "~2E" + slug[1:]
    return slug or "_root"


def _with_digest(slug: str, route: str, used: set[str]) -> str:
    """Eight hex digits tell routes apart; more of them when another slug looks just like it."""
    digest = hashlib.sha256(route.encode("utf-8", "surrogatepass")).hexdigest()
    for size in range(8, len(digest) + 1):
        found = f"{slug[: MAX_SLUG - size - 1]}-{digest[:size]}"
        if found.casefold() not in used:
            return found
    raise ValueError(f"no slug is left for {route!r}")


def slugs_for(routes: Iterable[str], taken: dict[str, str] | None = None) -> dict[str, str]:
    """A slug for each route, in sorted order of the routes.

    `taken` maps routes to the slugs that an earlier selection gave them; those never change. Of
    routes selected together the first in sorted order keeps the plain slug; one that is too long,
    or equals another's but for case, gets `-` and eight hex digits of the route's SHA-256.
    """
    known = dict(taken or {})
    used = {slug.casefold() for slug in known.values()}
    for route in sorted(set(routes) - known.keys()):
        slug = plain_slug(route)
        if len(slug) > MAX_SLUG or slug.casefold() in used:
            slug = _with_digest(slug, route, used)
        used.add(slug.casefold())
        known[route] = slug
    return known


def explore_job(slug: str) -> JobId:
    """The job that explores the route with this slug."""
    return JobId(f"explore:{slug}")


def review_job(slug: str) -> JobId:
    """The job that reviews the bugs of the route with this slug."""
    return JobId(f"review:{slug}")


DISCOVER_JOB = JobId("discover")
