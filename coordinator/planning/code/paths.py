"""Paths with parameters: joining, what opens without a sample, and what is no page by its address.

One notation for all frameworks: `:name`, `:name?`, `:name*`. Every function is one pass over its
text; no expression of a project is ever compiled.
"""

import re
from collections.abc import Iterable

from coordinator.planning.routes import is_id

NEEDS_SAMPLE = "needs a sample value"
WILDCARD = "Wildcard"
API = "API, not a page"
REDIRECT = "Redirect only"
NOT_TOLD = "its path is put together while the app runs"

_PARAM = re.compile(r":[A-Za-z_][A-Za-z0-9_]*[?*+]?")
_TAKES_ALL = frozenset(("*", "**"))
_API = frozenset(
    (
        "ajax",
        "api",
        "apis",
        "graphql",
        "rest",
        "rpc",
        "trpc",
        "webhook",
        "webhooks",
        "ws",
        "socket.io",
    )
)
_PROBES = frozenset(("health", "healthz", "livez", "readyz", "metrics", "ping"))
_FILE = re.compile(r"\.(?:xml|txt|json|js|css|ico|png|svg|jpe?g|webmanifest|map|ya?ml|rss|atom)\Z")
_DESTROYS = re.compile(
    r"delete|remove|destroy|clear|purge|flush|wipe|truncate|drop|erase|shutdown|restart|reboot|stop"
    r"|kill|unsubscribe|deactivate|revoke"
)
_STATIC = frozenset(("static", "media", "assets"))


def join(prefix: str, path: str) -> str:
    """One path below another; slashes meet once."""
    parts = [part for part in (prefix.strip("/"), path.strip("/")) if part]
    return "/" + "/".join(parts)


def is_parameter(segment: str) -> bool:
    return _PARAM.search(segment) is not None


def has_parameter(path: str) -> bool:
    return any(is_parameter(segment) for segment in path.split("/"))


def openable(path: str) -> str | None:
    """The path without its optional parts, or None where a value has to be known."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment.endswith("?") or (segment.endswith("*") and is_parameter(segment)):
            continue
        if is_parameter(segment) or segment in _TAKES_ALL:
            return None
        kept.append(segment)
    return "/".join(kept) or "/"


def wildcard(path: str) -> bool:
    """Whether a path takes whatever no other took."""
    return any(segment in _TAKES_ALL for segment in path.split("/"))


def address_reason(path: str) -> str:
    """Why a path is no page by its address alone, or an empty text."""
    segments = [part.lower() for part in path.split("/") if part]
    if not segments:
        return ""
    if segments[0] in _API or segments[-1] in _PROBES or segments[-1].endswith(("_json", "-json")):
        return API
    if segments[0] in _STATIC or _FILE.search(segments[-1]):
        return "File, not a page"
    if any(_DESTROYS.fullmatch(word) for word in re.split(r"[-_.]", segments[-1])):
        return "By its name opening it may destroy something"
    return ""


def sample_of(pattern: str, known: Iterable[str]) -> str | None:
    """A known path that the pattern takes, best one whose parameters look like ids."""
    fitting = [path for path in known if _takes(pattern.split("/"), path.split("/"))]
    parts = pattern.split("/")
    return min(
        fitting, key=lambda path: (_strangeness(parts, path), fitting.index(path)), default=None
    )


def _takes(pattern: list[str], path: list[str]) -> bool:
    for at, segment in enumerate(pattern):
        if segment.endswith(("*", "+")) and is_parameter(segment):
            return len(path) > at
        if segment.endswith("?") and at >= len(path):
            continue
        if at >= len(path) or (not path[at] and segment):
            return False
        if not is_parameter(segment) and segment.lower() != path[at].lower():
            return False
    return len(path) <= len(pattern)


def _strangeness(pattern: list[str], path: str) -> int:
    pairs = zip(pattern, path.split("/"), strict=False)
    return sum(is_parameter(segment) and not is_id(given) for segment, given in pairs)


def plain(path: str) -> str:
    """A path of React or Vue in the common notation: what a parameter may look like is dropped.

    `:id(\\d+)` is `:id`, `(a|b)?` is a parameter that may be missing; what takes anything is a
    wildcard.
    """
    told: list[str] = []
    depth = 0
    group = ""
    for character in path:
        if character == "(":
            depth += 1
        if depth:
            group += character
        else:
            told.append(character)
        if character == ")" and depth:
            depth -= 1
            if not depth:
                told.append(_group(group, told))
                group = ""
    segments = ["*" if "\0" in segment else segment for segment in "".join(told).split("/")]
    return "/".join(segments)


def _group(group: str, told: list[str]) -> str:
    """Nothing for what a parameter looks like; a mark for a group that takes anything."""
    if group.strip("()") in {".*", ".+", "[^]*"}:
        return "\0"
    segment = "".join(told).rpartition("/")[2]
    return "" if is_parameter(segment) else ":value"


def word(text: str) -> str:
    """The name of a parameter, made of letters that the notation allows."""
    told = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in text)
    return told if told[:1].isalpha() or told[:1] == "_" else f"p{told}"
