"""What network, console and browser say while a page is used: an ear that never interferes.

Events arrive in order on the same pipe as the answers of the page, so what was heard between two
readings belongs to what was done between them. Query values are kept out of what people read.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from workers.browser.page_port import Exchange, Traffic
from workers.browser.places import origin_of, same_origin

_UNREACHABLE = (
    "ERR_NAME_NOT_RESOLVED",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_ADDRESS_UNREACHABLE",
    "ERR_NETWORK_",
    "ERR_PROXY_",
    "ERR_TUNNEL_",
    "ERR_CONNECTION_",
    "ERR_TIMED_OUT",
    "ERR_SSL_",
    "ERR_CERT_",
)
_HOLDS = frozenset({"Script", "Stylesheet", "Image"})
_STYLES = frozenset({"Stylesheet", "Font"})
_ANSWERS = frozenset({"Document", "XHR", "Fetch"})
_SLOW_MS = 2000
_LINES = 50
_LINE_MAX = 2000


class Watch:
    """The ear of one page. `take()` gives what was heard since the last time."""

    def __init__(self, base_url: str, on_stay: Callable[[], None]) -> None:
        self._base = base_url
        self._on_stay = on_stay
        self._requests: dict[str, Exchange] = {}
        self._main_frame = ""
        self._environment: dict[str, None] = {}
        self._unstyled: dict[str, None] = {}
        self._document_status = 0
        self._arrival = asyncio.Event()
        self._given_up: set[str] = set()
        self._new: set[str] = set()
        self._answered: set[str] = set()
        self.signed: frozenset[str] = frozenset()
        """The names of the cookies that came with the session."""
        self._clear()

    def _clear(self) -> None:
        self._exceptions: list[str] = []
        self._rejections: list[str] = []
        self._console: list[str] = []
        self._bad: list[Exchange] = []
        self._failed: list[Exchange] = []
        self._blocked: list[str] = []
        self._downloads: list[str] = []
        self._popups: list[str] = []
        self._choosers = 0
        self._held = 0
        self._seen = 0
        self._slow: list[Exchange] = []
        self._cookies_gone: dict[str, None] = {}
        self._new.clear()

    def take(self) -> Traffic:
        heard = Traffic(
            exceptions=tuple(self._exceptions),
            rejections=tuple(self._rejections),
            console=tuple(self._console),
            bad_answers=tuple(self._bad),
            failed=tuple(self._failed),
            blocked=tuple(self._blocked),
            downloads=tuple(self._downloads),
            popups=tuple(self._popups),
            choosers=self._choosers,
            held_leaves=self._held,
            document_status=self._document_status,
            requests=self._seen,
            environment=tuple(self._environment),
            unstyled=tuple(self._unstyled),
            slow=tuple(self._slow),
            cookies_gone=tuple(self._cookies_gone),
        )
        self._clear()
        return heard

    def attach(self, cdp: Any, main_frame: str) -> None:
        """Listen to a page's CDP session (Network and Runtime must be enabled)."""
        self._main_frame = main_frame
        self._requests.clear()
        self._answered.clear()
        cdp.on("Network.requestWillBeSent", self._request)
        cdp.on("Network.responseReceived", self._response)
        cdp.on("Network.responseReceivedExtraInfo", self._headers)
        cdp.on("Network.loadingFinished", self._finished)
        cdp.on("Network.loadingFailed", self._loading_failed)
        cdp.on("Runtime.exceptionThrown", self._exception)
        cdp.on("Runtime.consoleAPICalled", self._console_call)

    def holding(self, since: set[str]) -> bool:
        """Whether scripts, styles or pictures asked for after `since` are on their way.

        Data is waited for in the page, which tells long polls from answers.
        """
        return any(
            name not in since and request.resource in _HOLDS and request.url not in self._given_up
            for name, request in self._requests.items()
        )

    async def quiet(self, since: set[str], cap_s: float) -> None:
        """Wait until nothing that `holding` means is on its way, or the cap is met.

        What did not arrive by then is not waited for again.
        """
        ends = time.monotonic() + cap_s
        while self.holding(since) and (left := ends - time.monotonic()) > 0:
            self._arrival.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrival.wait(), left)
        late = (r.url for name, r in self._requests.items() if name not in since)
        self._given_up.update(late if self.holding(since) else ())

    def asking(self, since: set[str]) -> bool:
        """Whether a page or data asked for after `since` has no answer yet, not even its head."""
        return any(
            name not in since
            and name not in self._answered
            and request.resource in _ANSWERS
            and bare_url(request.url) not in self._given_up
            for name, request in self._requests.items()
        )

    async def answered(self, since: set[str], cap_s: float) -> None:
        """Wait until nothing that `asking` means is on its way; what never comes, only once."""
        ends = time.monotonic() + cap_s
        while self.asking(since) and (left := ends - time.monotonic()) > 0:
            self._arrival.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrival.wait(), left)
        if self.asking(since):
            late = (r for name, r in self._requests.items() if name not in since | self._answered)
            self._given_up.update(bare_url(r.url) for r in late if r.resource in _ANSWERS)

    def in_flight(self) -> set[str]:
        return set(self._requests)

    # What other parts of the page report

    def blocked(self, rule: str) -> None:
        self._blocked.append(rule)
        self._on_stay()

    def download(self, name: str) -> None:
        self._downloads.append(name[:200])
        self._on_stay()

    def popup(self, url: str) -> None:
        self._popups.append(url[:500])

    def chooser(self) -> None:
        self._choosers += 1

    def held(self) -> None:
        self._held += 1
        self._on_stay()

    # CDP events

    def _request(self, event: dict[str, Any]) -> None:
        frame_document = (
            event.get("type") == "Document" and event.get("frameId") != self._main_frame
        )
        resource = "Frame" if frame_document else event.get("type", "Other")
        exchange = Exchange(
            method=event["request"]["method"], url=event["request"]["url"], resource=resource
        )
        self._requests[event["requestId"]] = exchange
        self._new.add(event["requestId"])
        self._seen += resource in {"XHR", "Fetch", "Ping"}
        if resource == "Document":
            self._environment.clear()
            self._unstyled.clear()
            self._document_status = 0

    def _response(self, event: dict[str, Any]) -> None:
        request = self._requests.get(event["requestId"])
        if request is None:
            return
        self._answered.add(event["requestId"])
        self._arrival.set()
        status = int(event["response"]["status"])
        if request.resource == "Document":
            self._document_status = status
            if status in {204, 205}:
                self._on_stay()
        self._note_pace(event, request)
        if request.resource in _STYLES and status >= 400:
            self._unstyled[origin_of(request.url)] = None
        if status >= 400 and len(self._bad) < _LINES and not _favicon(request.url):
            self._bad.append(_with(request, status=status))
        elif _is_page_instead(event["response"], request) and len(self._failed) < _LINES:
            self._unstyled[origin_of(request.url)] = None
            self._failed.append(_with(request, error="answered with an HTML page"))

    def _headers(self, event: dict[str, Any]) -> None:
        """Which cookies of the session an answer takes away, or gives back."""
        for name, value in event.get("headers", {}).items():
            for line in value.split("\n") if name.lower() == "set-cookie" else ():
                cookie = line.partition("=")[0].strip()
                if cookie not in self.signed:
                    continue
                if takes_away(line):
                    self._cookies_gone[cookie] = None
                else:
                    self._cookies_gone.pop(cookie, None)

    def _note_pace(self, event: dict[str, Any], request: Exchange) -> None:
        """How long the server took, where the request belongs to what is going on."""
        timing = event["response"].get("timing") or {}
        took_ms = round(timing.get("receiveHeadersEnd", 0) - timing.get("sendEnd", 0))
        mine = event["requestId"] in self._new and request.resource in _ANSWERS
        if mine and took_ms >= _SLOW_MS and len(self._slow) < _LINES:
            self._slow.append(msgspec.structs.replace(request, took_ms=took_ms))

    def _finished(self, event: dict[str, Any]) -> None:
        self._requests.pop(event["requestId"], None)
        self._answered.discard(event["requestId"])
        self._arrival.set()

    def _loading_failed(self, event: dict[str, Any]) -> None:
        request = self._requests.pop(event["requestId"], None)
        self._answered.discard(event["requestId"])
        self._arrival.set()
        error = event.get("errorText", "")
        if request is None:
            return
        if request.resource == "Document":
            self._on_stay()
        if event.get("canceled") or event.get("blockedReason") or error == "net::ERR_ABORTED":
            return
        if not same_origin(request.url, self._base) and any(name in error for name in _UNREACHABLE):
            if request.resource in _STYLES:
                self._unstyled[origin_of(request.url)] = None
            if request.resource == "Script":
                self._environment[origin_of(request.url)] = None
            return
        if len(self._failed) < _LINES and not _favicon(request.url):
            self._failed.append(_with(request, error=error))

    def _exception(self, event: dict[str, Any]) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception") or {}
        said = thrown.get("description") or str(thrown.get("value", "")) or details.get("text", "")
        rejected = "in promise" in details.get("text", "")
        lines = self._rejections if rejected else self._exceptions
        if len(lines) < _LINES:
            lines.append(_without_queries(said)[:_LINE_MAX])

    def _console_call(self, event: dict[str, Any]) -> None:
        if event.get("type") not in {"error", "assert"} or len(self._console) >= _LINES:
            return
        parts = [str(a.get("value", a.get("description", ""))) for a in event.get("args", [])]
        self._console.append(_without_queries(" ".join(parts))[:_LINE_MAX])


def _with(exchange: Exchange, *, status: int = 0, error: str = "") -> Exchange:
    return Exchange(
        method=exchange.method,
        url=exchange.url,
        resource=exchange.resource,
        status=status,
        error=error,
    )


def _is_page_instead(response: dict[str, Any], request: Exchange) -> bool:
    """Whether a script or a stylesheet was answered with a page, as a catch-all route does."""
    if request.resource not in {"Script", "Stylesheet"} or int(response["status"]) != 200:
        return False
    return str(response.get("mimeType", "")) == "text/html"


def takes_away(line: str) -> bool:
    """Whether a Set-Cookie line ends a cookie: no value, no time left, or a time long ago."""
    pair, *attributes = (part.strip() for part in line.split(";"))
    if pair.partition("=")[2].strip('"') in {"", "deleted"}:
        return True
    parts = (attribute.partition("=") for attribute in attributes)
    told = {name.strip().lower(): value for name, _, value in parts}
    if "max-age" in told:
        return told["max-age"].strip().lstrip("-").isdecimal() and int(told["max-age"]) <= 0
    return "1970" in told.get("expires", "") or "1969" in told.get("expires", "")


def bare_url(url: str) -> str:
    """An address without its query."""
    return url.split("?", 1)[0]


def _favicon(url: str) -> bool:
    return urlsplit(url).path.endswith("/favicon.ico")


def _without_queries(text: str) -> str:
    """Queries of URLs may carry tokens; they say nothing about the error."""
    words = (
        word.split("?", 1)[0]
        + ("?…" if word.startswith(("http://", "https://")) and "?" in word else "")
        if word.startswith(("http://", "https://"))
        else word
        for word in text.split(" ")
    )
    return " ".join(words)
