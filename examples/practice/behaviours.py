"""What the practice site answers beyond files: downloads, failures, sessions, writes.

Each row belongs to the page whose name its path begins with. Leaves out connections that stay
open (`streams`).
"""

from __future__ import annotations

import threading
import time
from functools import partial
from io import BufferedIOBase
from itertools import count

from examples.kit.messages import (
    Request,
    Response,
    as_json,
    attachment,
    html,
    plain,
    redirect,
)
from examples.kit.routes import Routes
from examples.practice import streams

_SESSION = "practice_session"
_FIRST_SESSION = 4
_BIG = 100 * 1024 * 1024
_CHUNK = 64 * 1024
_LATE_S = 3.3


def add_behaviours(routes: Routes, closing: threading.Event) -> None:
    """Put every row into the table; `closing` ends what is held open."""
    _add_downloads(routes, closing)
    _add_failures(routes)
    _add_writes(routes)
    _add_moods(routes)
    Sessions().add_to(routes)
    streams.add_streams(routes, closing)


def _add_downloads(routes: Routes, closing: threading.Event) -> None:
    routes.add("GET", "/downloads/report.csv", lambda _: attachment("report.csv", "a,b\n1,2\n"))
    routes.add("GET", "/downloads/notes.txt", lambda _: plain("Some notes\n"))
    length = ("Content-Length", str(_BIG))
    disposition = ("Content-Disposition", 'attachment; filename="big.bin"')
    big = Response(headers=(length, disposition), stream=partial(_big, closing))
    routes.add("GET", "/downloads/big.bin", lambda _: big)


def _big(closing: threading.Event, out: BufferedIOBase) -> None:
    """A hundred megabytes, for as long as the other side takes them."""
    for _ in range(_BIG // _CHUNK):
        if closing.is_set():
            return
        out.write(bytes(_CHUNK))


def _add_failures(routes: Routes) -> None:
    failures = {
        "missing": plain("Not found\n", 404),
        "fail": as_json({"error": "Internal server error"}, 500),
        "reset": Response(reset=True),
    }
    for name, response in failures.items():
        routes.add("GET", f"/console-errors/{name}", partial(_always, response))
    not_an_image = Response(body=b"not an image", content_type="image/png")
    routes.add("GET", "/broken-images/damaged.png", partial(_always, not_an_image))


def _add_writes(routes: Routes) -> None:
    done = as_json({"done": True})
    for method, path in (
        ("POST", "/writes/item"),
        ("PUT", "/writes/item"),
        ("DELETE", "/writes/item"),
        ("POST", "/writes/beacon"),
    ):
        routes.add(method, path, partial(_always, done))
    for name in ("strict", "careless", "fragile"):
        routes.add("POST", f"/form-passes/{name}", partial(_form, name))
    routes.add("POST", "/writes/form", partial(_always, plain("Stored\n")))
    routes.add("POST", "/search", partial(_always, as_json({"hits": ["one", "two"]})))
    for name in ("session-storage-token", "indexeddb-token"):
        routes.add("GET", f"/{name}/items", _items)


def _add_moods(routes: Routes) -> None:
    """Answers that waver, come late, or refuse who is let in everywhere else."""
    turns = count()
    firsts = count()
    routes.add(
        "GET", "/inconsistent-button/turn", lambda _: as_json({"open": next(turns) % 2 == 0})
    )
    routes.add("GET", "/inconsistent-button/first", lambda _: as_json({"first": not next(firsts)}))
    routes.add("GET", "/slow-action/forecast", _late)
    routes.add("GET", "/slow-action/quick", partial(_always, plain("Sunny\n")))
    routes.add("GET", "/broken-resources/menu.js", partial(_always, html("<p>Home</p>")))
    routes.add("GET", "/unexpected-login/birthdays", lambda _: redirect("/unexpected-login/login"))
    refused = as_json({"error": "Not logged in"}, 401)
    routes.add("GET", "/unexpected-login/names", partial(_always, refused))
    welcome = redirect("/unexpected-login", (("Set-Cookie", f"{_SESSION}=kept; Path=/"),))
    routes.add("POST", "/unexpected-login/login", partial(_always, welcome))


def _form(name: str, request: Request) -> Response:
    """A server that refuses what is wrong, one that takes it, one that breaks at it."""
    given = request.form()
    wrong = not given.get("name") or "@" not in given.get("mail", "@")
    if not wrong or name == "careless":
        return plain("Saved\n")
    return plain("Not like this\n", 422) if name == "strict" else plain("Oops\n", 500)


def _late(request: Request) -> Response:
    """A server that thinks for a while."""
    time.sleep(_LATE_S)
    return plain("Rain\n")


def _always(response: Response, request: Request) -> Response:
    return response


def _items(request: Request) -> Response:
    """Data only for who brings the token that the browser keeps."""
    if request.headers.get("authorization") != "Bearer practice":
        return as_json({"error": "Not logged in"}, 401)
    return as_json(["First", "Second", "Third"])


class Sessions:
    """The first session of a server is good for four requests, later ones do not expire."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        self._lock = threading.Lock()

    def add_to(self, routes: Routes) -> None:
        """Data and log-in of the page `session-expiry`; the page itself is a file."""
        routes.add("GET", "/session-expiry/data", self._data)
        routes.add("POST", "/session-expiry/login", self._login)

    def _data(self, request: Request) -> Response:
        with self._lock:
            left = self._left.get(request.cookie(_SESSION), 0)
            if left == 0:
                return as_json({"error": "Session expired"}, 401)
            self._left[request.cookie(_SESSION)] = left - 1
        return as_json({"value": request.query.get("part", "")})

    def _login(self, request: Request) -> Response:
        with self._lock:
            token = f"s{len(self._left) + 1}"
            self._left[token] = -1 if self._left else _FIRST_SESSION
        cookie = f"{_SESSION}={token}; Path=/; SameSite=Lax"
        return redirect("/session-expiry", (("Set-Cookie", cookie),))
