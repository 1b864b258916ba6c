"""The server's part of the planted faults: rows that stand before the real ones.

Each row names the faults of `faults.toml` that it causes. The browser's part is in
`static/planted.js`; the clean twin has neither.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from examples.kit.files import read
from examples.kit.messages import Request, Response, as_json, html, plain, redirect
from examples.kit.routes import Routes

_PAGES = Path(__file__).parent / "pages"
_THINKS_S = 3.4
_TURNS = count()


def fails(request: Request, *numbers: int) -> Response:
    """500, as from a handler that raised."""
    return as_json({"error": "Internal server error"}, 500)


def is_missing(request: Request, *numbers: int) -> Response:
    """404, as from an endpoint that was renamed."""
    return plain("Not found\n", 404)


def hangs_up(request: Request, *numbers: int) -> Response:
    """No answer: the connection is dropped."""
    return Response(reset=True)


def shows_nothing(request: Request, *numbers: int) -> Response:
    """A single-page application's root that stays empty."""
    return html(read(_PAGES / "fault_blank.html"))


def shows_a_trace(request: Request, *numbers: int) -> Response:
    """An unstyled 500 page."""
    return html(read(_PAGES / "fault_error.html"), 500)


def shows_not_found(request: Request, *numbers: int) -> Response:
    """An unstyled 404 page."""
    return html(read(_PAGES / "fault_missing.html"), 404)


def asks_again(request: Request, *numbers: int) -> Response:
    """The login, for someone who is logged in."""
    return redirect("/login?next=/")


def thinks(request: Request, *numbers: int) -> Response:
    """The right answer, after a while."""
    time.sleep(_THINKS_S)
    return as_json([{"date": "2026-09-02", "price": "€12.00"}])


def wavers(request: Request, *numbers: int) -> Response:
    """Ideas at one time, none at the next."""
    return as_json(["Tea with every mug"] if next(_TURNS) % 2 == 0 else [])


FAULTS: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("F03", "GET", "/api/products/low", fails),
    ("F05", "GET", "/api/products/margins", is_missing),
    ("F08", "GET", "/static/img/kitchen.svg", is_missing),
    ("F09", "GET", "/api/products/{id}/warehouses", fails),
    ("F11", "GET", "/api/orders", hangs_up),
    ("F12", "GET", "/api/orders/{id}/parcel", fails),
    ("F13", "GET", "/orders/{id}/slip", shows_a_trace),
    ("F14", "GET", "/customers/segments", shows_nothing),
    ("F17", "GET", "/static/img/contract.svg", is_missing),
    ("F18", "GET", "/api/discounts/check", is_missing),
    ("F21", "GET", "/static/img/tax.svg", is_missing),
    ("F22", "GET", "/api/webhook/ping", hangs_up),
    ("F24", "GET", "/api/users/more", fails),
    ("F27", "GET", "/help/tour", shows_not_found),
    ("F30", "GET", "/static/reports.css", is_missing),
    ("F40", "GET", "/api/discounts/ideas", wavers),
    ("F41", "GET", "/customers/birthdays", asks_again),
    ("F42", "GET", "/api/products/{id}/prices", thinks),
    ("F28", "PUT", "/api/products/{id}", fails),
    ("F29", "POST", "/api/orders/{id}/refund", fails),
)


def add_faults(routes: Routes) -> None:
    """Put the faulty rows into the table; they must come first."""
    for _, method, pattern, handler in FAULTS:
        routes.add(method, pattern, handler)
