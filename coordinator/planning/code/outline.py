"""From declared paths to the routes of a map: which are pages, what kind, below which.

A path that is declared twice is a page if one of its declarations is. A path with a parameter is a
page only if a route that is known already serves as its sample.
"""

import re
from collections.abc import Iterable

import msgspec

from contract.vocabulary import PageType
from coordinator.planning.code import paths
from coordinator.planning.code.model import Found
from coordinator.planning.routes import normalise_path, reason_to_exclude

_CREATE = frozenset(("new", "create", "add"))
_SETTINGS = re.compile(r"settings?|preferences?|config(?:uration)?")
_OWN = (["profile"], ["account"])
_DASHBOARD = frozenset(("dashboard", "overview", "home", "index"))


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A route to explore. `pattern` differs from it where a known route serves as a sample."""

    route: str
    pattern: str
    page_type: PageType | None = None
    parent: str = ""


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    pages: tuple[Page, ...]
    excluded: tuple[tuple[str, str], ...]


def outline(found: Iterable[Found], known: Iterable[str]) -> Outline:
    """The pages among what was found, and the rest with reasons; `/` first, else in order."""
    pages: dict[str, str] = {}
    excluded: dict[str, str] = {}
    patterns: list[str] = []
    for item in found:
        reason = item.reason or _reason(item.path)
        route = paths.openable(item.path)
        if reason:
            excluded.setdefault(item.path if route is None else normalise_path(route), reason)
        elif route is None:
            patterns.append(item.path)
        else:
            pages.setdefault(normalise_path(route), item.path)
    others = [path for path in dict.fromkeys(map(normalise_path, known)) if path not in pages]
    for pattern in dict.fromkeys(patterns):
        sample = paths.sample_of(pattern, others)
        if sample is None:
            excluded.setdefault(pattern, paths.NEEDS_SAMPLE)
        else:
            pages.setdefault(sample, pattern)
    ordered = sorted(pages.items(), key=lambda page: page[0] != "/")
    every = [*pages.values(), *patterns]
    return Outline(
        pages=tuple(_page(route, pattern, every, pages) for route, pattern in ordered),
        excluded=tuple((r, why) for r, why in excluded.items() if r not in pages),
    )


def _reason(path: str) -> str:
    if paths.wildcard(path):
        return paths.WILDCARD
    return paths.address_reason(path) or reason_to_exclude(path) or ""


def _page(route: str, pattern: str, every: list[str], pages: dict[str, str]) -> Page:
    return Page(
        route=route,
        pattern=pattern,
        page_type=page_type(route, pattern, every),
        parent=_parent(route, pages),
    )


def page_type(route: str, pattern: str, every: Iterable[str]) -> PageType | None:
    """A guess from the address and its neighbours; None where they say nothing."""
    parts = [part.lower() for part in route.split("/") if part not in {"", "#"}]
    if parts and parts[-1] in _CREATE:
        return PageType.CREATE
    if paths.openable(pattern) is None:
        return PageType.DETAIL
    if any(_SETTINGS.fullmatch(part) for part in parts) or parts[-1:] in _OWN:
        return PageType.SETTINGS
    if not parts or parts[-1] in _DASHBOARD:
        return PageType.DASHBOARD
    below = [other.rpartition("/") for other in every]
    here = [last for before, _, last in below if before == pattern.rstrip("/")]
    if any(paths.is_parameter(last) for last in here):
        return PageType.LIST_DETAIL
    return PageType.LIST if _CREATE & set(here) else None


def _parent(route: str, pages: dict[str, str]) -> str:
    """The nearest page above."""
    above = route.rpartition("/")[0]
    while above:
        if above in pages:
            return above
        above = above.rpartition("/")[0]
    return ""
