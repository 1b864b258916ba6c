"""The shop's data as it is at every start: computed from lists, without clock or randomness.

Leaves out changes to it (`store`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

_GOODS = {
    "Kitchen": (
        "Stoneware mug",
        "Oak board",
        "Linen towel",
        "Glass jar",
        "Copper pan",
        "Tea tin",
        "Salt cellar",
        "Bread knife",
        "Pepper mill",
        "Enamel bowl",
    ),
    "Garden": (
        "Clay pot",
        "Hand fork",
        "Seed box",
        "Watering can",
        "Jute twine",
        "Bird feeder",
        "Plant label",
        "Pruning shears",
        "Garden gloves",
        "Bulb planter",
    ),
    "Stationery": (
        "Notebook",
        "Brass pencil",
        "Desk pad",
        "Letter set",
        "Ink bottle",
        "Paper clips",
        "Wall planner",
        "Ruler",
        "Wax seal",
        "Gift card",
    ),
    "Home": (
        "Wool throw",
        "Beeswax candle",
        "Door mat",
        "Wall hook",
        "Linen cushion",
        "Soap dish",
        "Coat rack",
        "Table lamp",
        "Storage basket",
        "Picture frame",
    ),
}
_COLOURS = ("", ", blue")
_NAMES = (
    "Ada Lind",
    "Ben Okoro",
    "Carla Ruiz",
    "Dana Weiss",
    "Emil Novak",
    "Farah Aziz",
    "Greta Holm",
    "Hugo Martin",
    "Ines Costa",
    "Jonas Berg",
)
_FAMILY = ("Lind", "Okoro", "Ruiz", "Weiss", "Novak", "Aziz", "Holm", "Martin", "Costa", "Berg")
_COUNTRIES = ("Germany", "France", "Spain", "Sweden", "Portugal")
_STATUSES = ("open", "packed", "shipped", "shipped", "refunded")


@dataclass
class Product:
    """One article on sale; `price` is in cents."""

    id: int
    name: str
    category: str
    sku: str
    stock: int
    price: int
    status: str = "active"


@dataclass
class Customer:
    """Someone who buys."""

    id: int
    name: str
    email: str
    country: str
    orders: int


@dataclass
class Order:
    """One purchase; `total` is in cents."""

    id: int
    customer_id: int
    customer: str
    date: str
    total: int
    status: str
    notes: list[str] = field(default_factory=list)


@dataclass
class Discount:
    """A code that lowers the price."""

    id: int
    code: str
    percent: int
    used: int
    active: bool


@dataclass
class User:
    """Someone who may log in."""

    id: int
    name: str
    role: str
    active: bool = True


def products() -> list[Product]:
    """Sixty articles; every seventh is low on stock."""
    pairs = [
        (kind, name + tail) for tail in _COLOURS for kind, names in _GOODS.items() for name in names
    ][:60]
    return [
        Product(
            101 + i,
            name,
            kind,
            f"CS-{1001 + 7 * i}",
            3 if i % 7 == 2 else 12 + i * 5 % 90,
            450 + i * 135 % 5200,
        )
        for i, (kind, name) in enumerate(pairs)
    ]


def customers() -> list[Customer]:
    """Thirty people with addresses that reach nobody."""
    people = [f"{_NAMES[i % 10].split()[0]} {_FAMILY[(i * 3 + i // 10) % 10]}" for i in range(30)]
    return [
        Customer(
            301 + i,
            name,
            f"{name.lower().replace(' ', '.')}@shop.invalid",
            _COUNTRIES[i % 5],
            1 + i * 7 % 9,
        )
        for i, name in enumerate(people)
    ]


def orders(buyers: list[Customer]) -> list[Order]:
    """Forty orders, newest first."""
    return [
        Order(
            5001 + i,
            buyer.id,
            buyer.name,
            f"2026-{9 - i // 20:02}-{28 - i % 20:02}",
            1990 + i * 745 % 18000,
            _STATUSES[i % 5],
        )
        for i in range(40)
        for buyer in (buyers[i % len(buyers)],)
    ]


def discounts() -> list[Discount]:
    """Six codes."""
    codes = (
        ("WELCOME", 10),
        ("SPRING", 15),
        ("GARDEN", 20),
        ("PAPER", 5),
        ("FRIENDS", 25),
        ("TEATIME", 8),
    )
    return [
        Discount(i + 1, f"{word}{percent}", percent, 40 - i * 6, i % 3 < 2)
        for i, (word, percent) in enumerate(codes)
    ]


def users() -> list[User]:
    """The first four are shown, the other two after "Load more"."""
    roles = ("Owner", "Manager", "Packer", "Packer", "Bookkeeper", "Guest")
    return [
        User(i + 1, name, role) for i, (name, role) in enumerate(zip(_NAMES, roles, strict=False))
    ]
