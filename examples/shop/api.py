"""The JSON API under `/api/`: GET reads, POST, PUT and DELETE change the store.

Missing things are 404 and wrong input is 422, each with `{"error": …}`. Leaves out sessions
(`app`) and pages (`views`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from examples.kit.messages import Request, Response, as_json
from examples.kit.routes import Routes
from examples.shop.seed import Product
from examples.shop.store import LOW_STOCK, Store, money

PAGE_SIZE = 25


@dataclass(frozen=True)
class Api:
    """The handlers, closed over one store."""

    store: Store

    def products(self, request: Request) -> Response:
        """A page of articles after search, category and the two chips."""
        found = [item for item in self.store.products.values() if _matches(item, request)]
        page = _number(request.query.get("page"), 1)
        part = found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
        pages = max(1, -(-len(found) // PAGE_SIZE))
        rows = [_product(item) for item in part]
        return as_json({"rows": rows, "page": page, "pages": pages, "total": len(found)})

    def product(self, request: Request, number: int) -> Response:
        """One article."""
        item = self.store.products.get(number)
        return as_json(_product(item)) if item else _missing()

    def create_product(self, request: Request) -> Response:
        """A new article from the wizard."""
        body = request.json()
        name = str(body.get("name", "")).strip()
        if not name:
            return as_json({"error": "A product needs a name"}, 422)
        item = self.store.add_product(
            name,
            str(body.get("category", "Home")),
            str(body.get("sku", "")),
            _number(body.get("stock"), 0),
            _number(body.get("price"), 0) * 100,
        )
        return as_json(_product(item), 201)

    def change_product(self, request: Request, number: int) -> Response:
        """New name or stock."""
        item = self.store.products.get(number)
        if item is None:
            return _missing()
        body = request.json()
        item.name = str(body.get("name") or item.name)
        item.stock = _number(body.get("stock"), item.stock)
        return as_json(_product(item))

    def delete_product(self, request: Request, number: int) -> Response:
        """Gone for good."""
        item = self.store.products.pop(number, None)
        return as_json({"deleted": number}) if item else _missing()

    def duplicate_product(self, request: Request, number: int) -> Response:
        """A copy of the article."""
        if number not in self.store.products:
            return _missing()
        return as_json(_product(self.store.duplicate(number)), 201)

    def archive_product(self, request: Request, number: int) -> Response:
        """Out of sale, still on record."""
        item = self.store.products.get(number)
        if item is None:
            return _missing()
        item.status = "archived"
        return as_json(_product(item))

    def label(self, request: Request, number: int) -> Response:
        """The text of a shelf label."""
        item = self.store.products.get(number)
        return as_json({"label": f"{item.sku} · {item.name}"}) if item else _missing()

    def margins(self, request: Request) -> Response:
        """The margin of each article in percent."""
        return as_json({str(n): 20 + n % 30 for n in self.store.products})

    def warehouses(self, request: Request, number: int) -> Response:
        """Where the pieces of an article are."""
        item = self.store.products.get(number)
        if item is None:
            return _missing()
        half = item.stock // 2
        return as_json(
            [
                {"name": "Main street", "pieces": item.stock - half},
                {"name": "Back yard", "pieces": half},
            ]
        )

    def prices(self, request: Request, number: int) -> Response:
        """What an article cost before."""
        item = self.store.products.get(number)
        if item is None:
            return _missing()
        return as_json(
            [
                {"date": "2026-09-02", "price": money(item.price)},
                {"date": "2025-11-20", "price": money(item.price - 100)},
            ]
        )

    def value(self, request: Request) -> Response:
        """What is on the shelves, in money."""
        total = sum(item.price * item.stock for item in self.store.products.values())
        return as_json({"value": money(total)})

    def ideas(self, request: Request) -> Response:
        """What other shops give discounts for."""
        return as_json(["Tea with every mug", "Ten per cent for a review"])

    def low_stock(self, request: Request) -> Response:
        """Articles that run out."""
        return as_json([_product(item) for item in self.store.low_stock()])

    def orders(self, request: Request) -> Response:
        """How many orders there are in each status."""
        counts: dict[str, int] = {}
        for order in self.store.orders.values():
            counts[order.status] = counts.get(order.status, 0) + 1
        return as_json(counts)

    def pack_orders(self, request: Request) -> Response:
        """Mark the selected open orders as packed."""
        wanted = request.json().get("ids")
        numbers = [_number(value, 0) for value in wanted] if isinstance(wanted, list) else []
        chosen = [self.store.orders[n] for n in numbers if n in self.store.orders]
        for order in chosen:
            order.status = "packed"
        return as_json({"packed": len(chosen)})

    def refund(self, request: Request, number: int) -> Response:
        """Give the money back."""
        order = self.store.orders.get(number)
        if order is None:
            return _missing()
        order.status = "refunded"
        return as_json(asdict(order))

    def add_note(self, request: Request, number: int) -> Response:
        """A line for the colleagues."""
        order = self.store.orders.get(number)
        if order is None:
            return _missing()
        order.notes.append(str(request.json().get("text", "")))
        return as_json({"notes": order.notes}, 201)

    def parcel(self, request: Request, number: int) -> Response:
        """Where the parcel was."""
        if number not in self.store.orders:
            return _missing()
        return as_json(["Label printed", "Left the shop", "In the sorting centre"])

    def customer_orders(self, request: Request, number: int) -> Response:
        """The orders of one customer."""
        mine = [o for o in self.store.orders.values() if o.customer_id == number]
        return as_json([{"id": o.id, "date": o.date, "total": money(o.total)} for o in mine])

    def check_code(self, request: Request) -> Response:
        """What a discount code is worth; an unknown one is worth nothing."""
        code = request.query.get("code", "").upper()
        found = next((d for d in self.store.discounts.values() if d.code == code), None)
        return as_json({"code": code, "percent": found.percent if found else 0})

    def create_discount(self, request: Request) -> Response:
        """A new code."""
        body = request.json()
        code = str(body.get("code", "")).upper()
        if not code:
            return as_json({"error": "A discount needs a code"}, 422)
        return as_json(asdict(self.store.add_discount(code, _number(body.get("percent"), 5))), 201)

    def switch_discount(self, request: Request, number: int) -> Response:
        """On or off."""
        item = self.store.discounts.get(number)
        if item is None:
            return _missing()
        item.active = bool(request.json().get("on"))
        return as_json(asdict(item))

    def users(self, request: Request) -> Response:
        """The users after the first four."""
        return as_json([asdict(user) for user in list(self.store.users.values())[4:]])

    def create_user(self, request: Request) -> Response:
        """A colleague."""
        name = str(request.json().get("name", "")).strip()
        if not name:
            return as_json({"error": "A user needs a name"}, 422)
        return as_json(asdict(self.store.add_user(name, "Guest")), 201)

    def deactivate_user(self, request: Request, number: int) -> Response:
        """No more log-ins."""
        user = self.store.users.get(number)
        if user is None:
            return _missing()
        user.active = False
        return as_json(asdict(user))

    def change_settings(self, request: Request) -> Response:
        """Switch the known settings that are named in the body."""
        for name, value in request.json().items():
            if name in self.store.settings:
                self.store.settings[name] = bool(value)
        return as_json(self.store.settings)

    def sales(self, request: Request) -> Response:
        """The columns of the dashboard's chart."""
        days = {"7": 7, "30": 10, "90": 12}.get(request.query.get("days", "7"), 7)
        return as_json([30 + (i * 37 + days * 11) % 70 for i in range(days)])

    def accept(self, request: Request) -> Response:
        """A request whose only answer is that it arrived."""
        return as_json({"ok": True})


_ROWS = (
    ("GET", "/api/products", Api.products),
    ("POST", "/api/products", Api.create_product),
    ("GET", "/api/products/margins", Api.margins),
    ("GET", "/api/products/low", Api.low_stock),
    ("GET", "/api/products/value", Api.value),
    ("GET", "/api/products/{id}", Api.product),
    ("PUT", "/api/products/{id}", Api.change_product),
    ("DELETE", "/api/products/{id}", Api.delete_product),
    ("POST", "/api/products/{id}/duplicate", Api.duplicate_product),
    ("POST", "/api/products/{id}/archive", Api.archive_product),
    ("GET", "/api/products/{id}/label", Api.label),
    ("GET", "/api/products/{id}/warehouses", Api.warehouses),
    ("GET", "/api/products/{id}/prices", Api.prices),
    ("GET", "/api/supplier/stock", Api.accept),
    ("GET", "/api/supplier/prices", Api.accept),
    ("GET", "/api/orders", Api.orders),
    ("POST", "/api/orders/pack", Api.pack_orders),
    ("POST", "/api/orders/{id}/refund", Api.refund),
    ("POST", "/api/orders/{id}/notes", Api.add_note),
    ("GET", "/api/orders/{id}/parcel", Api.parcel),
    ("GET", "/api/customers/{id}/orders", Api.customer_orders),
    ("GET", "/api/discounts/check", Api.check_code),
    ("GET", "/api/discounts/ideas", Api.ideas),
    ("POST", "/api/discounts", Api.create_discount),
    ("PUT", "/api/discounts/{id}", Api.switch_discount),
    ("GET", "/api/users/more", Api.users),
    ("POST", "/api/users", Api.create_user),
    ("POST", "/api/users/{id}/deactivate", Api.deactivate_user),
    ("PUT", "/api/settings", Api.change_settings),
    ("GET", "/api/webhook/ping", Api.accept),
    ("POST", "/api/cache/clear", Api.accept),
    ("POST", "/api/support", Api.accept),
    ("GET", "/api/sales", Api.sales),
)


def add_api(routes: Routes, store: Store) -> None:
    """Put the API's rows into the table."""
    api = Api(store)
    for method, pattern, handler in _ROWS:
        routes.add(method, pattern, handler.__get__(api))


def _product(item: Product) -> dict[str, object]:
    return {**asdict(item), "price": money(item.price)}


def _matches(item: Product, request: Request) -> bool:
    query = request.query
    wanted = "archived" if query.get("archived") else "active"
    return (
        item.status == wanted
        and query.get("q", "").lower() in item.name.lower()
        and query.get("category", "") in ("", item.category)
        and (not query.get("low") or item.stock <= LOW_STOCK)
    )


def _missing() -> Response:
    return as_json({"error": "Not found"}, 404)


def _number(value: object, default: int) -> int:
    try:
        return int(float(str(value)))
    except (ValueError, OverflowError):
        return default
