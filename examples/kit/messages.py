"""Request and response as the example apps see them.

A response is either bytes, a stream that owns the connection until it returns, or a reset.
Leaves out sockets and threads (`server`) and which path means what (`routes`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from io import BufferedIOBase
from urllib.parse import parse_qsl

Stream = Callable[[BufferedIOBase], None]
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request, its path without the query."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def cookie(self, name: str) -> str:
        """The cookie's value, empty when there is none."""
        morsel = SimpleCookie(self.headers.get("cookie", "")).get(name)
        return morsel.value if morsel else ""

    def form(self) -> dict[str, str]:
        """The fields of a urlencoded body."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    def json(self) -> dict[str, object]:
        """The object in a JSON body; anything else counts as an empty object."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True, kw_only=True)
class Response:
    """One answer. `reset` drops the connection without a byte; `stream` writes its own body."""

    status: int = 200
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    headers: Headers = ()
    stream: Stream | None = None
    reset: bool = False


def html(text: str, status: int = 200, headers: Headers = ()) -> Response:
    """A page."""
    return Response(status=status, body=text.encode(), headers=headers)


def plain(text: str, status: int = 200, headers: Headers = ()) -> Response:
    """A text without markup."""
    kind = "text/plain; charset=utf-8"
    return Response(status=status, body=text.encode(), content_type=kind, headers=headers)


def as_json(value: object, status: int = 200) -> Response:
    """A JSON document."""
    return Response(status=status, body=json.dumps(value).encode(), content_type="application/json")


def redirect(location: str, headers: Headers = ()) -> Response:
    """A 302 to a place of this site."""
    return Response(status=302, headers=(("Location", location), *headers))


def attachment(name: str, text: str, content_type: str = "text/csv; charset=utf-8") -> Response:
    """A download that the browser saves under `name`."""
    headers = (("Content-Disposition", f'attachment; filename="{name}"'),)
    return Response(body=text.encode(), content_type=content_type, headers=headers)
