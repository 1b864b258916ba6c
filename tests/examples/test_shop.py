"""The shop works: its pages answer, its door holds, its API changes what it says it changes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import examples.shop
from examples.kit.client import Client

HOME = Path(examples.shop.__file__).parent
ROUTE_MAP = (HOME / "ROUTE_MAP.md").read_text(encoding="utf-8")
ROUTES = re.findall(r"^\| \d+ \| (\S+) \|", ROUTE_MAP, re.MULTILINE)


@pytest.mark.parametrize("route", ROUTES)
def test_each_route_of_the_map_answers(clean: Client, route: str) -> None:
    answer = clean.get(route)

    assert answer.status == 200
    assert "<nav" in answer.text


def test_the_counts_of_the_route_map_are_right() -> None:
    listed = re.findall(r"^- (\S+)$", ROUTE_MAP, re.MULTILINE)

    assert f"> Routes: {len(ROUTES)}" in ROUTE_MAP
    assert sorted(listed) == sorted(ROUTES)


def test_pages_are_the_same_at_every_start(planted: Client, clean: Client) -> None:
    assert planted.get("/customers").text.count("<tr>") == 26
    assert planted.get("/api/products").text == clean.get("/api/products").text


def test_without_a_session_pages_lead_to_the_login(visitor: Client) -> None:
    answer = visitor.get("/orders")

    assert answer.status == 302
    assert answer.headers["location"] == "/login?next=/orders"
    assert visitor.get("/api/orders").status == 401


def test_the_right_password_opens_the_page_that_was_asked_for(visitor: Client) -> None:
    answer = visitor.post_form("/login", username="admin", password="corner", next="/orders")

    assert (answer.status, answer.headers["location"]) == (302, "/orders")
    assert visitor.get("/customers").status == 200


def test_a_wrong_password_says_so(visitor: Client) -> None:
    answer = visitor.post_form("/login", username="admin", password="nonsense")

    assert answer.status == 401
    assert "Wrong name or password" in answer.text
    assert visitor.get("/").status == 302


@pytest.mark.parametrize("target", ["//evil.invalid", "https://evil.invalid", "/\\evil.invalid"])
def test_the_login_leads_nowhere_else(visitor: Client, target: str) -> None:
    answer = visitor.post_form("/login", username="admin", password="corner", next=target)

    assert answer.headers["location"] == "/"


def test_a_get_of_logout_ends_the_session(clean: Client) -> None:
    clean.get("/logout")

    assert clean.get("/").status == 302


def test_writes_change_what_reads_show(clean: Client) -> None:
    clean.ask("PUT", "/api/products/101", json.dumps({"name": "Big mug"}))
    clean.ask("DELETE", "/api/products/102")

    assert json.loads(clean.get("/api/products/101").text)["name"] == "Big mug"
    assert clean.get("/api/products/102").status == 404


def test_text_from_people_is_escaped(clean: Client) -> None:
    clean.ask("PUT", "/api/products/101", json.dumps({"name": "<b>mug</b>"}))

    assert "&lt;b&gt;mug&lt;/b&gt;" in clean.get("/products/101").text


def test_exports_are_attachments(clean: Client) -> None:
    answer = clean.get("/orders/export.csv")

    assert answer.headers["content-disposition"] == 'attachment; filename="orders.csv"'


def test_every_control_names_an_action_that_exists() -> None:
    scripts = {file.stem: file.read_text("utf-8") for file in (HOME / "static").glob("*.js")}
    missing = [
        (page.name, name)
        for page in (HOME / "pages").glob("*.html")
        for name in re.findall(r'data-action="([\w-]+)"', page.read_text("utf-8"))
        if not any(
            f'action("{name}"' in text or f', "{name}", ' in text for text in scripts.values()
        )
    ]

    assert missing == []


def test_the_login_recipe_names_fields_of_the_login_page(visitor: Client) -> None:
    recipe = tomllib.loads((HOME / "login.toml").read_text(encoding="utf-8"))
    page = visitor.get(recipe["url"]).text

    assert set(recipe["fields"]) == {"input[name=username]", "input[name=password]"}
    assert 'name="username"' in page
    assert 'name="password"' in page


def test_the_command_prints_its_address_logs_requests_and_ends_on_sigterm(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "-m", "examples.shop", "--clean", "--log", str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HOME.parents[1]) as shop:
        assert shop.stdout is not None
        url = shop.stdout.readline().strip()
        status = Client(url).get("/login").status
        shop.terminate()
        code = shop.wait(10)

    assert (status, code) == (200, 0)
    assert json.loads(log.read_text()) == {"method": "GET", "path": "/login", "status": 200}
