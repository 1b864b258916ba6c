"""From whatever names a page to a route, and which routes are worth testing.

A route is a path of the app's own origin, without query; a fragment belongs to it only where it is
a path itself (`/#/users`). Invariant: `normalise` is idempotent: two names of one page meet.
Leaves out reading maps and pages.
"""

import posixpath
import re
from collections.abc import Iterable
from urllib.parse import quote, unquote, urlsplit

import msgspec

_SAFE = "!$&'()*+,;=:@-._~"
_NUMBER = re.compile(r"[0-9]+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_TOKEN = re.compile(r"(?=.*[0-9])(?=.*[a-zA-Z])[0-9a-fA-F]{12,}|(?=.*[0-9])[0-9A-HJKMNP-TV-Z]{26}")

_AUTH = "Auth flow"
_LAST_SEGMENT: dict[str, str] = {
    **dict.fromkeys(
        ("login", "log-in", "signin", "sign-in", "logout", "log-out", "signout", "sign-out"), _AUTH
    ),
    **dict.fromkeys(
        ("401", "403", "404", "500", "502", "503", "error", "not-found", "forbidden"), "Error page"
    ),
    "unauthorized": "Error page",
}
_FIRST_SEGMENT: dict[str, str] = {
    **dict.fromkeys(("sso", "oauth", "oauth2", "saml"), _AUTH),
    **dict.fromkeys(("web-ssh", "webssh", "novnc", "vnc"), "Remote tool"),
    **dict.fromkeys(("setup", "setup-wizard", "install", "installer"), "Setup wizard"),
}


class Fold(msgspec.Struct, frozen=True, kw_only=True):
    """Routes that differ in an id only: one stands for all."""

    sample: str
    pattern: str
    count: int


class Sorted(msgspec.Struct, frozen=True, kw_only=True):
    """Routes to test, and those left out with a reason, both in the order they were met."""

    kept: tuple[Fold, ...]
    excluded: tuple[tuple[str, str], ...]


def _clean_path(path: str) -> str:
    parts = (quote(unquote(part), safe=_SAFE) for part in path.split("/"))
    cleaned = posixpath.normpath("/" + "/".join(parts))
    return "/" + cleaned.lstrip("/")


def normalise_path(path: str) -> str:
    """`/users//1/?q#x` as `/users/1`; a fragment that is a path stays."""
    body, _, fragment = path.partition("#")
    route = _clean_path(body.partition("?")[0])
    if fragment.startswith(("/", "!/")):
        bang = "!" if fragment.startswith("!") else ""
        inner = _clean_path(fragment.removeprefix("!").partition("?")[0])
        return f"{route}#{bang}{inner}"
    return route


def origin_of(url: str) -> str:
    """`scheme://host[:port]` in lower case, without a default port; empty if there is none."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return ""
    if not parts.scheme or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != default else "")


def normalise(text: str, base_url: str) -> str | None:
    """The route that a path or URL names, or None if it is not a page of this origin."""
    text = text.strip()
    if text.startswith("/") and not text.startswith("//"):
        return normalise_path(text)
    if text.startswith("//"):
        text = f"{urlsplit(base_url).scheme}:{text}"
    origin = origin_of(text)
    if not origin or origin != origin_of(base_url):
        return None
    return normalise_path(text.split("://", 1)[1].partition("/")[2].join(("/", "")))


def reason_to_exclude(route: str) -> str | None:
    """Why a route is not tested, or None."""
    segments = [part for part in re.split(r"[/#!]+", route.lower()) if part]
    if not segments:
        return None
    return _FIRST_SEGMENT.get(segments[0]) or _LAST_SEGMENT.get(segments[-1])


def is_id(segment: str) -> bool:
    """Whether a segment names one thing of many: a number, a UUID, a token."""
    return any(shape.fullmatch(segment) for shape in (_NUMBER, _UUID, _TOKEN))


def pattern_of(route: str) -> str:
    """`/users/1/edit` as `/users/{id}/edit`."""
    return "/".join("{id}" if is_id(part) else part for part in route.split("/"))


def fold(routes: Iterable[str]) -> tuple[Fold, ...]:
    """One sample for each pattern, the first that was met."""
    samples: dict[str, str] = {}
    counts: dict[str, int] = {}
    for route in dict.fromkeys(routes):
        pattern = pattern_of(route)
        samples.setdefault(pattern, route)
        counts[pattern] = counts.get(pattern, 0) + 1
    return tuple(
        Fold(sample=sample, pattern=pattern, count=counts[pattern])
        for pattern, sample in samples.items()
    )


def sort_out(texts: Iterable[str], base_url: str) -> Sorted:
    """Normalise, leave out what cannot be tested, fold ids."""
    kept: list[str] = []
    excluded: dict[str, str] = {}
    for text in texts:
        route = normalise(text, base_url)
        if route is None:
            excluded.setdefault(text.strip(), "External origin")
        elif reason := reason_to_exclude(route):
            excluded.setdefault(route, reason)
        else:
            kept.append(route)
    return Sorted(kept=fold(kept), excluded=tuple(excluded.items()))


def section_of(route: str) -> str:
    """The name of the part of the app that a route belongs to, from its first segment."""
    first = next((part for part in re.split(r"[/#!]+", route) if part), "")
    words = unquote(first).replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:] if words else "Home"
