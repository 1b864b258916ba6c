"""The shop as one application: log-in, then faults if planted, then API and pages.

Without a session, pages lead to `/login?next=…` and the API answers 401. Leaves out what pages
show (`views`) and what the API does (`api`).
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import quote

from examples.kit import files
from examples.kit.messages import Request, Response, as_json, html, redirect
from examples.kit.routes import Routes
from examples.kit.server import App, Server
from examples.shop import faults
from examples.shop.api import add_api
from examples.shop.store import fresh
from examples.shop.views import PAGES, STATIC, add_pages

COOKIE = "corner_session"
USER = "admin"


def serve(port: int = 0, clean: bool = False, log: Path | None = None) -> Server:
    """The shop in a thread; `clean` serves the twin without the planted faults."""
    return Server(make_app(clean=clean), port=port, log=log)


def make_app(*, clean: bool) -> App:
    """A shop with a memory of its own."""
    routes = Routes()
    if not clean:
        faults.add_faults(routes)
    store = fresh()
    add_api(routes, store)
    add_pages(routes, store, planted=not clean)
    return _Door(routes).answer


class _Door:
    """Lets in who has a session, and gives one to who knows the password."""

    def __init__(self, inside: Routes) -> None:
        self._inside = inside
        self._sessions: set[str] = set()
        self._password = os.environ.get("SHOP_PASSWORD", "corner")
        self._outside = Routes()
        self._outside.add("GET", "/login", self._form)
        self._outside.add("POST", "/login", self._enter)
        self._outside.add("GET", "/logout", self._leave)

    def answer(self, request: Request) -> Response:
        """Public paths first, then the session, then the shop."""
        if request.path == "/favicon.ico":
            return files.static(STATIC, "favicon.svg")
        if self._outside.find(request.method, request.path):
            return self._outside.answer(request)
        if _public(request.path) or request.cookie(COOKIE) in self._sessions:
            return self._inside.answer(request)
        if request.path.startswith("/api/"):
            return as_json({"error": "Not logged in"}, 401)
        return redirect(f"/login?next={quote(request.path)}")

    def _form(self, request: Request) -> Response:
        return _login_page(request.query.get("next", "/"), "")

    def _enter(self, request: Request) -> Response:
        form = request.form()
        given = form.get("password", "").encode()
        right = secrets.compare_digest(given, self._password.encode())
        if form.get("username") != USER or not right:
            return _login_page(form.get("next", "/"), "Wrong name or password.", 401)
        token = secrets.token_hex(16)
        self._sessions.add(token)
        cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax"
        return redirect(_local(form.get("next", "/")), (("Set-Cookie", cookie),))

    def _leave(self, request: Request) -> Response:
        self._sessions.discard(request.cookie(COOKIE))
        return redirect("/login", (("Set-Cookie", f"{COOKIE}=; Path=/; Max-Age=0"),))


def _login_page(target: str, error: str, status: int = 200) -> Response:
    page = files.fill(PAGES / "login.html", next=target, error=error, hidden=_hidden(error))
    return html(page, status)


def _hidden(error: str) -> files.Safe:
    return files.Safe("" if error else "hidden")


def _local(target: str) -> str:
    """Only a path of this site, so that a link cannot send people elsewhere after log-in."""
    inside = target.startswith("/") and not target.startswith(("//", "/\\"))
    return quote(target, safe="/?=&") if inside else "/"


def _public(path: str) -> bool:
    return path.startswith("/static/")
