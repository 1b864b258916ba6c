"""The example apps, started for tests: each fixture is one running server and a client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from examples import practice, shop
from examples.kit.client import Client


def _logged_in(url: str) -> Client:
    client = Client(url)
    client.post_form("/login", username="admin", password="corner")
    return client


@pytest.fixture(autouse=True)
def _known_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "corner")


@pytest.fixture
def visitor() -> Iterator[Client]:
    """Someone at the door of the planted shop."""
    with shop.serve() as server:
        yield Client(server.url)


@pytest.fixture
def planted() -> Iterator[Client]:
    """A logged-in client of the shop with its faults."""
    with shop.serve() as server:
        yield _logged_in(server.url)


@pytest.fixture
def clean() -> Iterator[Client]:
    """A logged-in client of the clean twin."""
    with shop.serve(clean=True) as server:
        yield _logged_in(server.url)


@pytest.fixture
def site() -> Iterator[practice.PracticeServer]:
    """The practice site."""
    with practice.serve() as server:
        yield server
