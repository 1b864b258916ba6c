"""The practice site serves every situation, and its special answers are as special as promised."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from examples import practice
from examples.kit.client import Client

HOME = Path(practice.__file__).parent
AREAS = {"toolbar", "row_actions", "detail_header_actions", "detail_tabs", "other"}
TYPES = {
    *("button", "dropdown_trigger", "dropdown_item", "submenu_trigger", "tab", "filter"),
    *("toggle", "link", "wizard_step", "field"),
}
RESULTS = {
    *("dialog_opened", "dropdown_opened", "page_navigated", "no_response", "error"),
    *("not_clickable", "confirmation_dialog", "toast_notification", "content_changed"),
    *("popup_opened", "download_started", "native_dialog", "skipped"),
}


@pytest.mark.parametrize("name", practice.names())
def test_each_situation_is_served_and_begins_with_what_it_shows(
    site: practice.PracticeServer, name: str
) -> None:
    answer = Client(site.url).get(f"/{name}")

    assert answer.status == (500 if name == "error-page" else 200)
    assert answer.text.startswith("<!-- ")


@pytest.mark.parametrize("name", practice.names())
def test_each_situation_has_an_outline_in_the_words_of_the_report(name: str) -> None:
    lines = (HOME / "expected" / f"{name}.txt").read_text("utf-8").splitlines()

    for line in lines:
        if not line.startswith(" "):
            assert line in AREAS
            continue
        _, kind, result, *_ = line.strip().split(" · ")
        assert kind in TYPES
        assert result in RESULTS


def test_there_is_one_outline_for_each_page() -> None:
    outlines = sorted(file.stem for file in (HOME / "expected").glob("*.txt"))

    assert outlines == practice.names()


def test_the_frame_comes_from_another_origin(site: practice.PracticeServer) -> None:
    page = Client(site.url).get("/cross-origin-frame").text

    assert f'src="{site.other.url}/frame"' in page
    assert Client(site.other.url).get("/frame").status == 200


def test_links_carry_a_fresh_token_at_each_rendering(site: practice.PracticeServer) -> None:
    client = Client(site.url)

    first, second = (re.findall('token=(.*)"', client.get("/token-links").text) for _ in "ab")

    assert len(first) == 3
    assert first != second


def test_the_strict_page_has_its_policy(site: practice.PracticeServer) -> None:
    headers = Client(site.url).get("/strict-csp").headers

    assert "require-trusted-types-for 'script'" in headers["content-security-policy"]


@pytest.mark.parametrize(("name", "status"), [("missing", 404), ("fail", 500)])
def test_failures_fail(site: practice.PracticeServer, name: str, status: int) -> None:
    assert Client(site.url).get(f"/console-errors/{name}").status == status


def test_a_reset_is_no_answer_at_all(site: practice.PracticeServer) -> None:
    with pytest.raises(ConnectionError):
        Client(site.url).get("/console-errors/reset")


def test_the_first_session_expires_and_the_next_one_lasts(site: practice.PracticeServer) -> None:
    client = Client(site.url)

    statuses = []
    for requests in (5, 9):
        client.post_form("/session-expiry/login", username="ada", password="x")
        statuses += [client.get("/session-expiry/data").status for _ in range(requests)]

    assert statuses == [200] * 4 + [401] + [200] * 9


def test_the_token_pages_give_data_only_for_the_token(site: practice.PracticeServer) -> None:
    client = Client(site.url)

    assert client.get("/indexeddb-token/items").status == 401
    right = client.ask("GET", "/indexeddb-token/items", Authorization="Bearer practice")
    assert right.status == 200


def test_a_path_cannot_leave_the_folder(site: practice.PracticeServer) -> None:
    client = Client(site.url)

    assert client.get("/../../shop/pages/login").status == 404
    assert client.get("/static/../app.py").status == 404


def test_a_long_poll_is_held_open_and_ends_with_the_server() -> None:
    with ThreadPoolExecutor(1) as pool:
        with practice.serve() as server:
            answer = pool.submit(Client(server.url).get, "/open-connections/poll")
            with pytest.raises(TimeoutError):
                answer.result(0.3)
        assert answer.result(5).status == 200


def test_a_websocket_needs_a_handshake_and_gets_one(site: practice.PracticeServer) -> None:
    client = Client(site.url)
    key = {"Upgrade": "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}

    assert client.get("/open-connections/socket").status == 426
    answer = client.ask("GET", "/open-connections/socket", **key)
    assert answer.status == 101
    assert answer.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
