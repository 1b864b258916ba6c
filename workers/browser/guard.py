"""The network half of the trust boundary: every document, script request and beacon is judged
before it leaves the browser.

CDP's Fetch domain is used on these kinds of requests and on addresses with a dangerous word only;
intercepting everything makes a page load five times as long. A refused script request is answered
403 by us, a refused document is not loaded and the page stays.
"""

import asyncio
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from workers.browser.policy import Rules
from workers.browser.watch import Watch

_RESOURCES = ("Document", "XHR", "Fetch", "Ping")


class Guard:
    """Judges the requests of one page."""

    def __init__(self, cdp: CDPSession, rules: Rules, watch: Watch, main_frame: str) -> None:
        self._main_frame = main_frame
        self._cdp = cdp
        self._rules = rules
        self._watch = watch
        self._running: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._cdp.on("Fetch.requestPaused", self._paused)
        patterns = [{"resourceType": kind, "requestStage": "Request"} for kind in _RESOURCES]
        # A picture may ask for a log-out too: whatever has such a word in its address is judged.
        patterns += [{"urlPattern": f"*{word}*"} for word in sorted(self._rules.dangerous)]
        await self._cdp.send("Fetch.enable", {"patterns": patterns})

    def _paused(self, event: dict[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(event))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        request, kind = event["request"], event["resourceType"]
        embedded = kind == "Document" and event.get("frameId") != self._main_frame
        resource = "Frame" if embedded else kind
        body = request.get("postData", "")
        method = _meant(request)
        rule = self._rules.judge_request(method, request["url"], resource, body)
        answer, arguments = _reply(event["requestId"], kind, refused=rule is not None)
        if rule is not None:
            self._watch.blocked(rule)
        try:
            await self._cdp.send(answer, arguments)
        except PlaywrightError:
            return  # the page or its document went while the request was held


def _meant(request: dict[str, Any]) -> str:
    """The method of a request, or the one that a header says is meant."""
    for name, value in request.get("headers", {}).items():
        if name.lower() in {"x-http-method-override", "x-method-override", "x-http-method"}:
            return str(value)
    return str(request["method"])


def _reply(request_id: str, kind: str, *, refused: bool) -> tuple[str, dict[str, Any]]:
    if not refused:
        return "Fetch.continueRequest", {"requestId": request_id}
    if kind == "Document":
        return "Fetch.failRequest", {"requestId": request_id, "errorReason": "Aborted"}
    return "Fetch.fulfillRequest", {
        "requestId": request_id,
        "responseCode": 403,
        "responseHeaders": [{"name": "content-type", "value": "text/plain"}],
        "body": "",
    }
