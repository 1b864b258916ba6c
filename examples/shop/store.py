"""The shop's memory: what one process knows, from the seed on, and how it may change.

One lock guards every change. Leaves out HTTP and JSON.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from examples.shop import seed
from examples.shop.seed import Customer, Discount, Order, Product, User

LOW_STOCK = 5


def _settings() -> dict[str, bool]:
    return {"newsletter": True, "guest_checkout": False, "order_mail": True, "stock_mail": False}


@dataclass
class Store:
    """All state; a fresh one equals every other fresh one."""

    products: dict[int, Product] = field(default_factory=dict)
    customers: dict[int, Customer] = field(default_factory=dict)
    orders: dict[int, Order] = field(default_factory=dict)
    discounts: dict[int, Discount] = field(default_factory=dict)
    users: dict[int, User] = field(default_factory=dict)
    settings: dict[str, bool] = field(default_factory=_settings)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add_product(self, name: str, category: str, sku: str, stock: int, price: int) -> Product:
        """A new article under the next free number."""
        with self.lock:
            number = max(self.products) + 1
            self.products[number] = Product(number, name, category, sku, stock, price)
            return self.products[number]

    def duplicate(self, number: int) -> Product:
        """A copy of an article, named so."""
        with self.lock:
            copy = replace(
                self.products[number],
                id=max(self.products) + 1,
                name=f"{self.products[number].name} (copy)",
            )
            self.products[copy.id] = copy
            return copy

    def add_discount(self, code: str, percent: int) -> Discount:
        """A new code, active at once."""
        with self.lock:
            number = max(self.discounts) + 1
            self.discounts[number] = Discount(number, code, percent, 0, True)
            return self.discounts[number]

    def add_user(self, name: str, role: str) -> User:
        """A new user under the next free number."""
        with self.lock:
            number = max(self.users) + 1
            self.users[number] = User(number, name, role)
            return self.users[number]

    def low_stock(self) -> list[Product]:
        """Articles that run out."""
        return [item for item in self.products.values() if item.stock <= LOW_STOCK]


def fresh() -> Store:
    """The state at the start."""
    buyers = seed.customers()
    return Store(
        products={item.id: item for item in seed.products()},
        customers={item.id: item for item in buyers},
        orders={item.id: item for item in seed.orders(buyers)},
        discounts={item.id: item for item in seed.discounts()},
        users={item.id: item for item in seed.users()},
    )


def money(cents: int) -> str:
    """Euros as people read them."""
    return f"€{cents // 100:,}.{cents % 100:02}"
