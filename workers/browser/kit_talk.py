"""Talking to the page kit: every question has a timeout and survives a change of document.

An evaluate that spans a navigation fails; it is asked again of the new document, after that has
settled. A script that never ends shows as `Hung`.
"""

import asyncio
import contextlib
import time

import msgspec
from playwright.async_api import Error as PlaywrightError

from contract import wire
from contract.jobs import Waits
from workers.browser import snippets
from workers.browser.page_port import Inventory, Sight
from workers.browser.tab import Crashed, Hung, Tab

_NAVIGATION_S = 15.0
_ASK_S = 5.0
LOADING_MS = (6000, 15_000)
"""How long a page may say that it is loading: without and with a request on its way."""

_ANSWER_S = 7.0
_GONE = (
    "context was destroyed",
    "navigated or closed",
    "Cannot find context",
    "Cannot find default",
)
_ERROR_PAGE = "chrome-error:"


class KitTalk:
    """Questions to the kit of a tab. `last` is the last reading."""

    def __init__(self, waits: Waits) -> None:
        self.waits = waits
        self.last = NOWHERE
        self._tab: Tab | None = None
        self._known: set[str] = set()
        self._long_lived: set[str] = set()
        self._in_flight: set[str] = set()
        self._loads_for_ever: set[str] = set()

    def of(self, tab: Tab) -> None:
        """The tab that is talked to."""
        self._tab = tab

    @property
    def patience_s(self) -> float:
        """How long a page may be busy before it counts as hung."""
        return self.waits.cap_ms / 1000 * 2 + 0.5

    @property
    def load_patience_s(self) -> float:
        """How long a load may take in the page; one that says it is loading gets longer."""
        return self.waits.cap_ms / 1000 * 4 + 0.5

    def knows_last(self) -> None:
        """The inventory of the last reading's state need not be made again."""
        if self.last.inventory is not None:
            self._known.add(self.last.state)

    async def ask(self, method: str, *arguments: object, timeout_s: float = _ASK_S) -> str:
        """The kit's answer as JSON text; Playwright's `Error` when the document went."""
        tab = self._tab
        if tab is None:
            raise Hung(method)
        expression = snippets.ask(tab.kit_name, method, *arguments)
        given = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = await tab.send("Runtime.evaluate", given, timeout_s)
        if details := answer.get("exceptionDetails"):
            said = details.get("exception", {}).get("description", details.get("text", ""))
            raise PlaywrightError(f"context was destroyed: {said[:300]}")
        return str(answer["result"].get("value"))

    async def ask_here(self, method: str, *arguments: object) -> str:
        """Ask; when the document went in the meantime, settle on the new one and ask there."""
        with contextlib.suppress(PlaywrightError):
            return await self.ask(method, *arguments)
        self.last = await self.read("afterLoad")
        try:
            return await self.ask(method, *arguments)
        except PlaywrightError:
            raise Hung(method) from None

    async def read(self, method: str) -> Sight:
        """Settle and look (`afterLoad`, `afterAction`)."""
        ends = time.monotonic() + self.waits.cap_ms / 1000 + _NAVIGATION_S
        while True:
            known = sorted(self._known)
            try:
                patience_s = self.load_patience_s if method == "afterLoad" else self.patience_s
                said = await self.ask(method, self.waits_now(), known, timeout_s=patience_s)
            except PlaywrightError as error:
                gone = any(part in error.message for part in _GONE)
                if time.monotonic() > ends or not gone:
                    raise Hung(error.message[:200]) from None
            else:
                sight = wire.loads(said, Sight)
                self._long_lived.update(sight.long_lived)
                return sight
            if self._tab is not None and self._tab.url.startswith(_ERROR_PAGE):
                return unanswered(self._tab.url)
            method = "afterLoad"
            await asyncio.sleep(0.005)

    async def arm(self) -> None:
        """From now on what changes is an effect."""
        await self.ask_here("armNow")
        self.notes_requests()

    def notes_requests(self) -> None:
        """What is on its way now is not the next action's doing."""
        if self._tab is not None:
            self._in_flight = self._tab.watch.in_flight()

    async def loaded(self) -> Sight:
        """Settle on a document that was asked for, scripts and styles of its own included."""
        self._in_flight = set()
        return await self._patiently(await self._with_scripts(await self.read("afterLoad")))

    async def settled(self) -> Sight:
        """Wait in the page, then for scripts and styles on their way, then in the page again."""
        sight = await self._with_scripts(await self.read("afterAction"))
        return await self._patiently(await self._with_answers(sight))

    async def _with_answers(self, sight: Sight) -> Sight:
        """A slow answer belongs to the action that asked for it; one that never comes does not."""
        watch = self._tab.watch if self._tab is not None else None
        if watch is None or not watch.asking(self._in_flight):
            return sight
        await watch.answered(self._in_flight, _ANSWER_S)
        return continued(sight, await self.read("afterAction"))

    async def _patiently(self, sight: Sight) -> Sight:
        """A page that says it is loading gets time; where that was in vain, only once."""
        began = time.monotonic()
        while new := set(sight.loading) - self._loads_for_ever:
            if time.monotonic() - began > LOADING_MS[sight.waiting] / 1000:
                self._loads_for_ever |= new
                break
            await asyncio.sleep(0.1)
            sight = continued(sight, await self.read("afterAction"))
        return sight

    async def _with_scripts(self, sight: Sight) -> Sight:
        watch = self._tab.watch if self._tab is not None else None
        ends = time.monotonic() + self.waits.cap_ms / 1000
        while watch is not None and watch.holding(self._in_flight):
            if (left := ends - time.monotonic()) <= 0:
                break
            await watch.quiet(self._in_flight, left)
            sight = continued(sight, await self.read("afterAction"))
        return sight

    async def stay(self) -> None:
        """Tell the kit that a leave which had begun came to nothing."""
        with contextlib.suppress(PlaywrightError, Hung, Crashed):
            await self.ask("stay", timeout_s=1.0)

    def waits_now(self) -> dict[str, object]:
        return {
            "ignore": sorted(self._long_lived),
            "grace": self.waits.grace_ms,
            "quiet": self.waits.quiet_ms,
            "cap": self.waits.cap_ms,
        }


NOWHERE = Sight(document="", url="about:blank", title="", state="")


def unanswered(url: str) -> Sight:
    """Chromium's own page for an address that gave no answer: no kit and no content."""
    return Sight(document="chrome-error", url=url, title="", state="0" * 16, inventory=Inventory())


def continued(before: Sight, later: Sight) -> Sight:
    """A later reading of the same action: it is measured from the same start."""
    same = later.document == before.document
    return msgspec.structs.replace(
        later,
        at_arm=before.at_arm if same else later.at_arm,
        notes=before.notes + later.notes,
    )
