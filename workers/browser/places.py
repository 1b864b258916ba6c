"""URLs as places: which route a URL belongs to, and which states are one.

Pure. Identifiers and query values vary from visit to visit; a template does not.
"""

import hashlib
import re
from urllib.parse import parse_qsl, urlsplit

_ID = re.compile(
    r"^(\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|(?=[^/]*\d)[A-Za-z0-9_-]{20,})$", re.IGNORECASE
)


def mask_path(path: str) -> str:
    """`/users/17/edit` becomes `/users/{id}/edit`."""
    return "/".join("{id}" if _ID.match(part) else part for part in path.split("/"))


def hash_route(fragment: str) -> str:
    """The fragment if a single-page app uses it as a path (`#/x`, `#!/x`), else nothing."""
    return "#" + fragment if fragment.startswith(("/", "!/")) else ""


def template_of(url: str) -> str:
    """The template of a URL: masked path, names of the query fields, masked hash route."""
    parts = urlsplit(url)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    query = "?" + "&".join(names) if names else ""
    fragment = hash_route(parts.fragment)
    return mask_path(parts.path or "/") + query + mask_path(fragment.split("?")[0])


def route_of(url: str) -> str:
    """The route of a URL: its path, with the hash route of a single-page app."""
    parts = urlsplit(url)
    return (parts.path or "/") + hash_route(parts.fragment).split("?")[0]


def bare(route: str) -> str:
    """A route without query and trailing slash, to compare by."""
    head, mark, fragment = route.partition("#")
    path = head.split("?")[0]
    return (path.rstrip("/") or "/") + (mark + fragment if fragment.startswith(("/", "!/")) else "")


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def same_origin(url: str, base: str) -> bool:
    return origin_of(url) == origin_of(base)


def below(route: str, parent: str) -> bool:
    """Whether a route is a page of another one: `/users/17` of `/users`. Nothing is below `/`."""
    top = bare(parent)
    return top != "/" and bare(route).startswith(top + ("" if "#" in top else "/"))


def state_id(url: str, structure: str) -> str:
    """The identity of a state: 16 hex digits of its template and structure hash."""
    return hashlib.sha256(f"{template_of(url)}\n{structure}".encode()).hexdigest()[:16]
