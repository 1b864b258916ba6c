"""The shop's pages: each is a template from `pages/`, put into the layout.

Leaves out behaviour in the browser (`static/*.js`) and JSON (`api`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from examples.kit.files import Safe, fill, read, static
from examples.kit.messages import Request, Response, attachment, html
from examples.kit.routes import Handler, Routes
from examples.shop.store import Store, money

HERE = Path(__file__).parent
PAGES = HERE / "pages"
STATIC = HERE / "static"
PAGE_SIZE = 25

_PLAIN = {
    "/products": "Products",
    "/products/new": "New product",
    "/reports": "Reports",
    "/reports/tax": "Tax summary",
    "/settings": "Settings",
    "/help": "Help",
    "/help/tour": "Tour",
}


@dataclass(frozen=True)
class Views:
    """The handlers, closed over one store."""

    store: Store
    planted: bool

    def add_to(self, routes: Routes) -> None:
        """Put every page into the table."""
        for path, title in _PLAIN.items():
            routes.add("GET", path, self._plain(path, title))
        rows: dict[str, Handler] = {
            "/": self.dashboard,
            "/products/{id}": self.product,
            "/orders": self.orders,
            "/orders/{id}": self.order,
            "/orders/{id}/slip": self.slip,
            "/customers": self.customers,
            "/customers/segments": self.segments,
            "/customers/birthdays": self.birthdays,
            "/customers/{id}": self.customer,
            "/discounts": self.discounts,
            "/settings/users": self.users,
            "/reports/print": self.print_view,
            "/orders/export.csv": self.export,
            "/reports/sales.csv": self.sales_file,
            "/reports/inventory.csv": self.inventory_file,
        }
        for path, handler in rows.items():
            routes.add("GET", path, handler)

    def page(self, template: str, title: str, path: str, /, **values: object) -> Response:
        """The template in the layout; the section of the navigation it belongs to is marked."""
        section = path.split("/")[1] or "dashboard"
        content = Safe(fill(PAGES / f"{template}.html", **values))
        planted = Safe(read(PAGES / "_planted.html") if self.planted else "")
        return html(
            fill(
                PAGES / "_layout.html",
                title=title,
                section=section,
                script=template,
                content=content,
                planted=planted,
            )
        )

    def dashboard(self, request: Request) -> Response:
        """Figures, chart, low stock, latest orders."""
        rows = _rows("_latest_row", [_order(o) for o in list(self.store.orders.values())[:5]])
        takings = sum(order.total for order in list(self.store.orders.values())[:8])
        low_rows = _rows("_low_row", [dict(vars(item)) for item in self.store.low_stock()])
        return self.page(
            "dashboard",
            "Dashboard",
            "/",
            rows=rows,
            takings=money(takings),
            low_rows=low_rows,
            low=len(self.store.low_stock()),
            open=self._count("open"),
            people=len(self.store.customers),
        )

    def product(self, request: Request, number: int) -> Response:
        """One article with its tabs."""
        item = self.store.products.get(number)
        if item is None:
            return self.missing()
        return self.page(
            "product",
            item.name,
            "/products",
            id=item.id,
            name=item.name,
            category=item.category,
            sku=item.sku,
            stock=item.stock,
            price=money(item.price),
            status=item.status,
            image=item.category.lower(),
        )

    def orders(self, request: Request) -> Response:
        """A page of orders, searched by customer."""
        wanted = request.query.get("q", "")
        found = [o for o in self.store.orders.values() if wanted.lower() in o.customer.lower()]
        part, pager = _paged(request, [_order(o) for o in found])
        return self.page(
            "orders",
            "Orders",
            "/orders",
            rows=_rows("_order_row", part),
            pager=pager,
            q=wanted,
            total=len(found),
        )

    def order(self, request: Request, number: int) -> Response:
        """One order with its tabs."""
        item = self.store.orders.get(number)
        if item is None:
            return self.missing()
        notes = _rows("_note", [{"text": note} for note in item.notes])
        return self.page("order", f"Order {number}", "/orders", note_rows=notes, **_order(item))

    def slip(self, request: Request, number: int) -> Response:
        """What the packer takes along."""
        item = self.store.orders.get(number)
        return (
            self.page("slip", "Packing slip", "/orders", **_order(item)) if item else self.missing()
        )

    def customers(self, request: Request) -> Response:
        """A page of customers, filtered by country."""
        country = request.query.get("country", "")
        wanted = request.query.get("q", "").lower()
        found = [
            vars(c)
            for c in self.store.customers.values()
            if country in ("", c.country) and wanted in c.name.lower()
        ]
        part, pager = _paged(request, found)
        return self.page(
            "customers",
            "Customers",
            "/customers",
            pager=pager,
            rows=_rows("_customer_row", part),
            total=len(found),
        )

    def segments(self, request: Request) -> Response:
        """Customers counted by country."""
        counts: dict[str, int] = {}
        for person in self.store.customers.values():
            counts[person.country] = counts.get(person.country, 0) + 1
        rows = [{"country": name, "count": count} for name, count in counts.items()]
        return self.page("segments", "Segments", "/customers", rows=_rows("_segment_row", rows))

    def birthdays(self, request: Request) -> Response:
        """Whom to congratulate."""
        return self.page("birthdays", "Birthdays", "/customers")

    def customer(self, request: Request, number: int) -> Response:
        """One customer with tabs."""
        item = self.store.customers.get(number)
        return (
            self.page("customer", item.name, "/customers", **vars(item)) if item else self.missing()
        )

    def discounts(self, request: Request) -> Response:
        """All codes."""
        rows = [
            {**vars(d), "checked": Safe("true" if d.active else "false")}
            for d in self.store.discounts.values()
        ]
        return self.page(
            "discounts",
            "Discounts",
            "/discounts",
            rows=_rows("_discount_row", rows),
            total=len(rows),
        )

    def users(self, request: Request) -> Response:
        """The first four users."""
        rows = [
            {**vars(u), "state": "Active" if u.active else "Inactive"}
            for u in list(self.store.users.values())[:4]
        ]
        return self.page("users", "Users", "/settings", rows=_rows("_user_row", rows))

    def print_view(self, request: Request) -> Response:
        """The small window that the reports open."""
        return html(fill(PAGES / "print.html", orders=len(self.store.orders)))

    def export(self, request: Request) -> Response:
        """All orders as a file."""
        lines = [f"{o.id},{o.customer},{o.total / 100:.2f}" for o in self.store.orders.values()]
        return attachment("orders.csv", "\n".join(["id,customer,total", *lines, ""]))

    def sales_file(self, request: Request) -> Response:
        """Sales by month as a file."""
        return attachment("sales.csv", "month,total\n2026-08,1840.20\n2026-09,2212.75\n")

    def inventory_file(self, request: Request) -> Response:
        """Stock as a file."""
        lines = [f"{p.sku},{p.stock}" for p in self.store.products.values()]
        return attachment("inventory.csv", "\n".join(["sku,stock", *lines, ""]))

    def missing(self) -> Response:
        """The page for a number that nobody has."""
        page = self.page("missing", "Not found", "/")
        return html(page.body.decode(), 404)

    def _plain(self, path: str, title: str) -> Handler:
        name = path.strip("/").replace("/", "-")
        return lambda request: self.page(name, title, path)

    def _count(self, status: str) -> int:
        return sum(order.status == status for order in self.store.orders.values())


def add_pages(routes: Routes, store: Store, *, planted: bool) -> None:
    """Pages and static files."""
    Views(store, planted).add_to(routes)
    for file in sorted(STATIC.rglob("*.*")):
        name = file.relative_to(STATIC).as_posix()
        routes.add("GET", f"/static/{name}", lambda request, name=name: static(STATIC, name))


def _rows(template: str, values: list[dict[str, object]]) -> Safe:
    return Safe("".join(fill(PAGES / f"{template}.html", **value) for value in values))


def _order(order: object) -> dict[str, object]:
    values: dict[str, object] = dict(vars(order))
    return {**values, "total": money(int(str(values["total"])))}


def _paged(request: Request, rows: list[dict[str, object]]) -> tuple[list[dict[str, object]], Safe]:
    """One page of rows and the links to the others."""
    pages = max(1, -(-len(rows) // PAGE_SIZE))
    asked = request.query.get("page", "1")
    page = min(pages, int(asked)) if asked.isdecimal() and int(asked) else 1
    links: list[dict[str, object]] = [
        {"path": request.path, "page": n, "current": "page" if n == page else "false"}
        for n in range(1, pages + 1)
    ]
    return rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE], _rows("_pager_link", links)
