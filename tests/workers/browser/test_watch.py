"""What network and console said: events of Chromium's protocol in, traffic out."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from workers.browser.watch import Watch

BASE = "http://shop.test"
Listener = Callable[[dict[str, Any]], None]


class Wire:
    """A session of Chromium's protocol that says what a test tells it to say."""

    def __init__(self) -> None:
        self.listeners: dict[str, Listener] = {}
        self.stays = 0
        self.watch = Watch(BASE, self._stay)
        self.watch.attach(self, "main")

    def on(self, name: str, listener: Listener) -> None:
        self.listeners[name] = listener

    def says(self, name: str, **event: Any) -> None:
        self.listeners[name](event)

    def asks(
        self,
        number: str,
        url: str,
        kind: str = "Fetch",
        *,
        method: str = "GET",
        frame: str = "main",
    ) -> None:
        where = url if "://" in url else BASE + url
        self.says(
            "Network.requestWillBeSent",
            requestId=number,
            type=kind,
            frameId=frame,
            request={"method": method, "url": where},
        )

    def answers(self, number: str, status: int) -> None:
        self.says("Network.responseReceived", requestId=number, response={"status": status})
        self.says("Network.loadingFinished", requestId=number)

    def fails(self, number: str, error: str, **more: Any) -> None:
        self.says("Network.loadingFailed", requestId=number, errorText=error, **more)

    def throws(self, text: str, description: str) -> None:
        details = {"text": text, "exception": {"description": description}}
        self.says("Runtime.exceptionThrown", exceptionDetails=details)

    def logs(self, kind: str, *values: object) -> None:
        self.says(
            "Runtime.consoleAPICalled", type=kind, args=[{"value": value} for value in values]
        )

    def _stay(self) -> None:
        self.stays += 1


@pytest.fixture
def wire() -> Wire:
    return Wire()


def test_what_was_heard_is_taken_once(wire: Wire) -> None:
    wire.logs("error", "oh", "no")

    assert wire.watch.take().console == ("oh no",)
    assert wire.watch.take().console == ()


@pytest.mark.parametrize("kind", ["log", "warning", "info", "debug"])
def test_only_errors_of_the_console_are_heard(wire: Wire, kind: str) -> None:
    wire.logs(kind, "hello")

    assert wire.watch.take().console == ()


def test_an_exception_and_a_rejection_are_told_apart(wire: Wire) -> None:
    wire.throws("Uncaught", "TypeError: x is undefined\n    at a.js:1")
    wire.throws("Uncaught (in promise)", "Error: refused")

    heard = wire.watch.take()

    assert heard.exceptions == ("TypeError: x is undefined\n    at a.js:1",)
    assert heard.rejections == ("Error: refused",)


def test_a_thrown_value_that_is_no_error_is_shown_as_it_is(wire: Wire) -> None:
    wire.says(
        "Runtime.exceptionThrown",
        exceptionDetails={"text": "Uncaught", "exception": {"value": "just text"}},
    )

    assert wire.watch.take().exceptions == ("just text",)


def test_queries_of_addresses_are_kept_out_because_they_may_hold_tokens(wire: Wire) -> None:
    wire.logs("error", f"GET {BASE}/api?token=s3cret failed")
    wire.throws("Uncaught", f"Error: {BASE}/api?token=s3cret")

    heard = wire.watch.take()

    assert heard.console == (f"GET {BASE}/api?… failed",)
    assert "s3cret" not in heard.exceptions[0]


def test_an_answer_of_400_or_more_is_bad(wire: Wire) -> None:
    for number, status in enumerate((200, 304, 404, 500)):
        wire.asks(str(number), f"/api/{status}", method="POST")
        wire.answers(str(number), status)

    bad = wire.watch.take().bad_answers

    assert [(b.method, b.url, b.status) for b in bad] == [
        ("POST", f"{BASE}/api/404", 404),
        ("POST", f"{BASE}/api/500", 500),
    ]


def test_a_favicon_that_is_missing_is_nobodys_bug(wire: Wire) -> None:
    wire.asks("1", "/favicon.ico", "Other")
    wire.answers("1", 404)

    assert wire.watch.take().bad_answers == ()


def test_a_document_in_a_frame_is_not_the_page(wire: Wire) -> None:
    wire.asks("1", "/", "Document")
    wire.answers("1", 200)
    wire.asks("2", "/frame", "Document", frame="child")
    wire.answers("2", 404)

    heard = wire.watch.take()

    assert heard.document_status == 200
    assert [bad.resource for bad in heard.bad_answers] == ["Frame"]


def test_a_request_without_an_answer_failed(wire: Wire) -> None:
    wire.asks("1", "/api/orders")
    wire.fails("1", "net::ERR_CONNECTION_RESET")

    (failed,) = wire.watch.take().failed

    assert (failed.url, failed.error) == (f"{BASE}/api/orders", "net::ERR_CONNECTION_RESET")


@pytest.mark.parametrize(
    ("error", "more"),
    [
        ("net::ERR_ABORTED", {}),
        ("net::ERR_FAILED", {"canceled": True}),
        ("net::ERR_BLOCKED_BY_CLIENT", {"blockedReason": "inspector"}),
    ],
)
def test_a_request_that_was_given_up_did_not_fail(
    wire: Wire, error: str, more: dict[str, Any]
) -> None:
    wire.asks("1", "/api/orders")
    wire.fails("1", error, **more)

    assert wire.watch.take().failed == ()


def test_a_host_that_cannot_be_reached_is_the_environment_if_a_script_should_come_from_it(
    wire: Wire,
) -> None:
    wire.asks("1", "https://cdn.test/lib.js", "Script")
    wire.fails("1", "net::ERR_NAME_NOT_RESOLVED")
    wire.asks("2", "https://ads.test/pixel.png", "Image")
    wire.fails("2", "net::ERR_NAME_NOT_RESOLVED")

    heard = wire.watch.take()

    assert heard.environment == ("https://cdn.test",)
    assert heard.failed == ()


def test_the_environment_is_told_until_the_next_document(wire: Wire) -> None:
    wire.asks("1", "https://cdn.test/lib.js", "Script")
    wire.fails("1", "net::ERR_NAME_NOT_RESOLVED")
    wire.watch.take()

    assert wire.watch.take().environment == ("https://cdn.test",)

    wire.asks("2", "/", "Document")

    assert wire.watch.take().environment == ()


def test_requests_of_scripts_are_counted_and_those_for_pictures_are_not(wire: Wire) -> None:
    for number, kind in enumerate(("Fetch", "XHR", "Ping", "Image", "Script")):
        wire.asks(str(number), "/x", kind)

    assert wire.watch.take().requests == 3


def test_scripts_and_styles_on_their_way_hold_a_page_and_data_does_not(wire: Wire) -> None:
    since = wire.watch.in_flight()
    wire.asks("1", "/api/poll")
    assert not wire.watch.holding(since)

    wire.asks("2", "/chunk.js", "Script")
    assert wire.watch.holding(since)

    wire.answers("2", 200)
    assert not wire.watch.holding(since)


def test_a_script_that_was_on_its_way_before_does_not_hold(wire: Wire) -> None:
    wire.asks("1", "/slow.js", "Script")

    assert not wire.watch.holding(wire.watch.in_flight())


def test_waiting_ends_when_the_script_has_come(wire: Wire) -> None:
    async def scene() -> bool:
        since = wire.watch.in_flight()
        wire.asks("1", "/chunk.js", "Script")
        asyncio.get_running_loop().call_soon(wire.answers, "1", 200)
        await wire.watch.quiet(since, cap_s=60.0)
        return wire.watch.holding(since)

    assert not asyncio.run(scene())


def test_a_leave_that_comes_to_nothing_is_told_to_the_page(wire: Wire) -> None:
    wire.asks("1", "/report.pdf", "Document")
    wire.fails("1", "net::ERR_ABORTED")
    wire.asks("2", "/nothing", "Document")
    wire.says("Network.responseReceived", requestId="2", response={"status": 204})
    wire.watch.download("report.pdf")
    wire.watch.blocked("log-out address /logout")
    wire.watch.held()

    assert wire.stays == 5


def test_what_the_tab_reports_is_part_of_the_traffic(wire: Wire) -> None:
    wire.watch.blocked("read-only: POST /orders")
    wire.watch.download("orders.csv")
    wire.watch.popup("https://help.test/")
    wire.watch.chooser()
    wire.watch.held()

    heard = wire.watch.take()

    assert heard.blocked == ("read-only: POST /orders",)
    assert heard.downloads == ("orders.csv",)
    assert heard.popups == ("https://help.test/",)
    assert (heard.choosers, heard.held_leaves) == (1, 1)


def test_a_page_that_shouts_without_end_is_heard_fifty_times(wire: Wire) -> None:
    for number in range(200):
        wire.logs("error", f"line {number}")
        wire.throws("Uncaught", f"Error: {number}")

    heard = wire.watch.take()

    assert len(heard.console) == 50
    assert len(heard.exceptions) == 50


def test_an_answer_to_a_request_that_was_never_seen_is_ignored(wire: Wire) -> None:
    wire.answers("unknown", 500)
    wire.fails("unknown", "net::ERR_FAILED")

    assert wire.watch.take() == Wire().watch.take()
