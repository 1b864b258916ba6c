"""A page in Chromium, as the walk wants it: seen in one trip, used with raw input, never waited on
blindly.

Every call into the page has a timeout; a script that never ends is terminated and reported as a hang.
An evaluate that spans a navigation fails and is repeated on the new document.
"""

import asyncio
import base64
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from playwright.async_api import BrowserContext, CDPSession, Dialog, Download, Page
from playwright.async_api import Error as PlaywrightError

from contract import wire
from contract.jobs import Limits, Waits
from workers.browser import snippets
from workers.browser.guard import Guard
from workers.browser.page_port import Control, Effect, Flags, Inventory, Sight
from workers.browser.policy import Rules
from workers.browser.watch import Watch

_GONE = ("context was destroyed", "navigated or closed", "Cannot find context", "Cannot find default")
_NAVIGATION_MS = 15_000
_SHOT_S = 5.0
NOWHERE = Sight(document="", url="about:blank", title="", state="")


class Hung(Exception):
    """The page does not answer any more."""


class Crashed(Exception):
    """The page's process died."""


class Prepared(msgspec.Struct, frozen=True):
    """Where to press; the kit's answer to `prepare`."""

    found: bool
    x: float = 0.0
    y: float = 0.0
    hit: bool = False
    by: str = ""
    checked: bool | None = None
    selected: bool = False
    expanded: bool | None = None
    off: bool = False


class Put(msgspec.Struct, frozen=True):
    """The kit's answer to `fill`."""

    found: bool
    before: str = ""


class ChromiumPage:
    """The real `PagePort`. `new_context` gives a context with the run's storage state."""

    def __init__(
        self,
        *,
        url: str,
        new_context: Callable[[], Awaitable[BrowserContext]],
        rules: Rules,
        limits: Limits,
        waits: Waits,
        store: Callable[[bytes], Awaitable[str]],
    ) -> None:
        self.sight = NOWHERE
        self.rules = rules
        self.waits = waits
        self.watch = Watch(rules.base_url, self._stay)
        self._url = url
        self._limits = limits
        self._new_context = new_context
        self._store = store
        self._name = snippets.hidden_name()
        self._known: set[str] = set()
        self._long_lived: set[str] = set()
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._cdp: CDPSession | None = None
        self.guard: Guard | None = None
        self._ours = False
        self._crashed = False
        self._uses = 0
        self._popups: set[asyncio.Task[None]] = set()
        self._filled: tuple[Control, str] | None = None
        self._stays: set[asyncio.Task[None]] = set()

    # Life of the page

    async def close(self) -> None:
        context, self._context, self._page, self._cdp = self._context, None, None, None
        if context is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(context.close(), _SHOT_S)

    async def renew(self) -> None:
        await self.close()
        self.sight = NOWHERE
        self._uses = 0

    @property
    def context(self) -> BrowserContext | None:
        return self._context

    async def ready(self) -> Page:
        """The page, made if need be: kit installed, requests guarded, events heard."""
        if self._page is not None and not self._crashed and not self._page.is_closed():
            return self._page
        if self._context is None:
            self._context = await self._new_context()
            await self._context.add_init_script(snippets.kit_script(self._kit_settings()))
        self._crashed = False
        page = await self._context.new_page()
        self._page = page
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("crash", self._on_crash)
        page.on("filechooser", lambda _: self.watch.chooser())
        self._context.on("page", self._on_page)
        await self._listen(page)
        return page

    async def _listen(self, page: Page) -> None:
        cdp = await page.context.new_cdp_session(page)
        self._cdp = cdp
        guard = Guard(cdp, self.rules, self.watch)
        if self.guard is not None:
            guard.exempt = self.guard.exempt
        self.guard = guard
        marked = {"source": snippets.guarded_script(self._name)}
        _, _, _, tree, _ = await asyncio.gather(
            cdp.send("Page.enable"),
            cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
            cdp.send("Runtime.enable"),
            cdp.send("Page.getFrameTree"),
            cdp.send("Page.addScriptToEvaluateOnNewDocument", marked),
        )
        await guard.start()
        self.watch.attach(cdp, tree["frameTree"]["frame"]["id"])

    def _kit_settings(self) -> snippets.KitSettings:
        policy = self.rules.safety.policy.value
        return snippets.KitSettings(
            property=self._name,
            may_write=policy != "read-only",
            native_dialogs=self._limits.native_dialogs,
            rows=self._limits.rows,
        )

    # Events

    async def _on_dialog(self, dialog: Dialog) -> None:
        leave = dialog.type == "beforeunload"
        if leave and not self._ours:
            self.watch.held()
        with contextlib.suppress(PlaywrightError):
            await (dialog.accept() if leave and self._ours else dialog.dismiss())

    async def _on_download(self, download: Download) -> None:
        self.watch.download(download.suggested_filename)
        with contextlib.suppress(PlaywrightError):
            await download.cancel()

    def _on_crash(self, _: Page) -> None:
        self._crashed = True

    def _on_page(self, page: Page) -> None:
        if page is self._page:
            return
        task = asyncio.get_running_loop().create_task(self._close_popup(page))
        self._popups.add(task)
        task.add_done_callback(self._popups.discard)

    async def _close_popup(self, page: Page) -> None:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            if page.url in {"", "about:blank"}:
                await page.wait_for_url(lambda url: url != "about:blank", timeout=500, wait_until="commit")
        self.watch.popup(page.url)
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(page.close(), _SHOT_S)

    def _stay(self) -> None:
        """A leave that had begun came to nothing; the page need not be waited for."""
        if self._cdp is None:
            return
        task = asyncio.get_running_loop().create_task(self._tell_stay())
        self._stays.add(task)
        task.add_done_callback(self._stays.discard)

    async def _tell_stay(self) -> None:
        with contextlib.suppress(PlaywrightError, TimeoutError, Hung):
            await self._evaluate(snippets.ask(self._name, "stay"), timeout_s=1.0)

    # Talking to the kit

    async def _evaluate(self, expression: str, *, timeout_s: float) -> Any:
        if self._cdp is None:
            raise Crashed("no page")
        arguments = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = await self._send("Runtime.evaluate", arguments, timeout_s)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description", details.get("text", ""))
            raise PlaywrightError(f"context was destroyed: {said[:300]}")
        return answer["result"].get("value")

    async def _send(self, method: str, arguments: dict[str, Any], timeout_s: float) -> Any:
        cdp = self._cdp
        if cdp is None or self._crashed:
            raise Crashed(method)
        try:
            return await asyncio.wait_for(cdp.send(method, arguments), timeout_s)
        except TimeoutError:
            if self._crashed:
                raise Crashed(method) from None
            raise Hung(method) from None
        except PlaywrightError as error:
            if self._crashed or "Target crashed" in error.message:
                self._crashed = True
                raise Crashed(method) from None
            raise

    async def _ask(self, method: str, *arguments: object, timeout_s: float = 5.0) -> Any:
        return await self._evaluate(
            snippets.ask(self._name, method, *arguments), timeout_s=timeout_s
        )

    def _waits(self) -> dict[str, object]:
        return {
            "ignore": sorted(self._long_lived),
            "grace": self.waits.grace_ms,
            "quiet": self.waits.quiet_ms,
            "cap": self.waits.cap_ms,
        }

    async def _read(self, method: str) -> Sight:
        """Settle and look; on a new document start over there."""
        known = [state for state in self._structures()]
        ends = time.monotonic() + (self.waits.cap_ms + _NAVIGATION_MS) / 1000
        patience = self.waits.cap_ms / 1000 * 2 + 0.5
        while True:
            try:
                said = await self._ask(method, self._waits(), known, timeout_s=patience)
                sight = wire.loads(said, Sight)
                self._long_lived.update(sight.long_lived)
                return sight
            except PlaywrightError as error:
                if time.monotonic() > ends or not any(part in error.message for part in _GONE):
                    raise Hung(error.message[:200]) from None
                method = "afterLoad"
                await asyncio.sleep(0.005)

    def _structures(self) -> set[str]:
        return self._known

    def expect(self, states: set[str]) -> None:
        """Inventories of the states whose structure was seen on the way are not asked for again."""
        if self.sight.inventory is not None:
            self._known.add(self.sight.state)

    # The port

    async def open(self) -> Effect:
        began = time.monotonic()
        before = self.sight
        self._filled = None
        try:
            page = await self.ready()
            await self._await_popups()
            self.watch.take()
            self._uses += 1
            self._ours = True
            error = await self._goto(page)
            sight = await self._read("afterLoad")
        except (Hung, Crashed) as trouble:
            return self._broken(before, trouble, began)
        finally:
            self._ours = False
        self.sight = sight
        traffic = self.watch.take()
        self.unreachable = error
        return Effect(before=before, after=sight, traffic=traffic, duration_ms=_ms(began))

    unreachable: str = ""

    async def _goto(self, page: Page) -> str:
        """Load the route; says why Chromium could not, or nothing."""
        if "#" in self._url and page.url != "about:blank":
            await page.goto("about:blank")
        try:
            await page.goto(self._url, wait_until="commit", timeout=_NAVIGATION_MS)
        except PlaywrightError as error:
            if "Timeout" in error.message:
                return "timeout"
            return error.message.splitlines()[0] if "net::" in error.message else ""
        return ""

    async def press(self, control: Control) -> Effect:
        began = time.monotonic()
        before = self.sight
        try:
            prepared = await self._prepare(control)
            if not prepared.found:
                return Effect(before=before, after=before, missing=True)
            flags = Flags(
                checked=prepared.checked,
                selected=prepared.selected,
                expanded=prepared.expanded,
                off=prepared.off,
            )
            if not prepared.hit:
                return Effect(before=before, after=before, flags=flags, covered_by=prepared.by or "something")
            await self._click(prepared.x, prepared.y)
            sight = await self._settled()
        except (Hung, Crashed) as trouble:
            return await self._recover(before, trouble, began)
        return await self._effect(before, sight, flags, began)

    async def _prepare(self, control: Control) -> Prepared:
        self.watch.take()
        said = await self._asked_on_any_document("prepare", control.key)
        return wire.loads(said, Prepared)

    async def _asked_on_any_document(self, method: str, *arguments: object) -> str:
        """Ask; when the document went in the meantime, settle on the new one and ask there."""
        for attempt in (1, 2):
            try:
                return str(await self._ask(method, *arguments))
            except PlaywrightError:
                if attempt == 2:
                    raise Hung(method) from None
                self.sight = await self._read("afterLoad")
        raise Hung(method)

    async def _click(self, x: float, y: float) -> None:
        await self._mouse("mouseMoved", x, y)
        await self._asked_on_any_document("arm")
        self._in_flight = self.watch.in_flight()
        await self._mouse("mousePressed", x, y)
        await self._mouse("mouseReleased", x, y)

    _in_flight: set[str] = set()

    async def _mouse(self, kind: str, x: float, y: float) -> None:
        pressing = kind != "mouseMoved"
        event = {
            "type": kind,
            "x": x,
            "y": y,
            "button": "left" if pressing else "none",
            "clickCount": 1 if pressing else 0,
        }
        with contextlib.suppress(PlaywrightError):
            await self._send("Input.dispatchMouseEvent", event, self.waits.cap_ms / 1000 * 2)

    async def _settled(self) -> Sight:
        """Wait in the page, then for scripts and data on their way, then in the page again."""
        sight = await self._read("afterAction")
        for _ in range(3):
            if not self.watch.holding(self._in_flight) or sight.document != self.sight.document:
                break
            ends = time.monotonic() + self.waits.cap_ms / 1000
            while self.watch.holding(self._in_flight) and time.monotonic() < ends:
                await asyncio.sleep(0.01)
            self._in_flight = self.watch.in_flight()
            later = await self._read("lookAgain")
            sight = msgspec.structs.replace(later, at_arm=sight.at_arm, notes=sight.notes + later.notes)
        return sight

    async def _effect(self, before: Sight, sight: Sight, flags: Flags, began: float) -> Effect:
        if sight.counts.opened > sight.at_arm.opened and not self._popups:
            await asyncio.sleep(0.1)
        await self._await_popups()
        self.sight = sight
        return Effect(
            before=before,
            after=sight,
            flags=flags,
            traffic=self.watch.take(),
            duration_ms=_ms(began),
        )

    async def _await_popups(self) -> None:
        if self._popups:
            await asyncio.wait(set(self._popups), timeout=_SHOT_S)

    async def fill(self, control: Control, value: str) -> Effect:
        began = time.monotonic()
        before = self.sight
        try:
            self.watch.take()
            self._in_flight = self.watch.in_flight()
            await self._asked_on_any_document("armNow")
            put = wire.loads(await self._asked_on_any_document("fill", control.key, value), Put)
            if not put.found:
                return Effect(before=before, after=before, missing=True)
            self._filled = (control, put.before)
            sight = await self._settled()
        except (Hung, Crashed) as trouble:
            return await self._recover(before, trouble, began)
        return await self._effect(before, sight, Flags(), began)

    async def unfill(self) -> None:
        if self._filled is None:
            return
        control, value = self._filled
        self._filled = None
        await self.fill(control, value)
        self._filled = None

    async def linger(self, effect: Effect) -> Effect:
        if effect.after is None:
            return effect
        await asyncio.sleep(self.waits.recheck_ms / 1000)
        try:
            later = await self._read("lookAgain")
        except (Hung, Crashed) as trouble:
            return await self._recover(effect.before, trouble, time.monotonic())
        same = later.document == effect.after.document
        sight = msgspec.structs.replace(
            later,
            at_arm=effect.after.at_arm if same else later.at_arm,
            notes=effect.after.notes + later.notes,
        )
        await self._await_popups()
        self.sight = sight
        return msgspec.structs.replace(
            effect, after=sight, traffic=_joined(effect.traffic, self.watch.take())
        )

    async def escape(self) -> Sight:
        with contextlib.suppress(Hung, Crashed, PlaywrightError):
            await self._asked_on_any_document("armNow")
            for kind in ("keyDown", "keyUp"):
                key = {"type": kind, "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}
                await self._send("Input.dispatchKeyEvent", key, self.waits.cap_ms / 1000)
            self.sight = await self._read("afterAction")
        return self.sight

    async def back(self) -> Sight:
        self._ours = True
        with contextlib.suppress(Hung, Crashed, PlaywrightError):
            history = await self._send("Page.getNavigationHistory", {}, 2.0)
            at = history["currentIndex"] - 1
            if at < 0 or history["entries"][at]["url"] == "about:blank":
                return self.sight
            await self._asked_on_any_document("armNow")
            entry = {"entryId": history["entries"][at]["id"]}
            await self._send("Page.navigateToHistoryEntry", entry, 5.0)
            self.sight = await self._read("afterAction")
        self._ours = False
        return self.sight

    async def controls(self) -> tuple[Control, ...]:
        try:
            said = await self._asked_on_any_document("inventory")
        except (Hung, Crashed):
            return ()
        return wire.loads(said, Inventory).controls

    async def picture(self) -> str:
        how = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": False}
        try:
            shot = await self._send("Page.captureScreenshot", how, _SHOT_S)
        except (Hung, Crashed, PlaywrightError):
            return ""
        return await self._store(base64.b64decode(shot["data"]))

    # When the page is not there any more

    async def _recover(self, before: Sight, trouble: Exception, began: float) -> Effect:
        effect = self._broken(before, trouble, began)
        if effect.hung and self._cdp is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(self._cdp.send("Runtime.terminateExecution"), 2.0)
        await self._drop_page()
        return effect

    def _broken(self, before: Sight, trouble: Exception, began: float) -> Effect:
        self.sight = NOWHERE
        crashed = isinstance(trouble, Crashed)
        return Effect(
            before=before,
            traffic=self.watch.take(),
            hung=not crashed,
            crashed=crashed,
            duration_ms=_ms(began),
        )

    async def _drop_page(self) -> None:
        """A crashed page can only be closed; a new one in the same context works."""
        page, self._page, self._cdp = self._page, None, None
        if page is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(page.close(run_before_unload=False), 2.0)


def _ms(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _joined(first: Any, second: Any) -> Any:
    """Two takes of the watch as one: lists appended, counts added."""
    values = {}
    for name in first.__struct_fields__:
        a, b = getattr(first, name), getattr(second, name)
        values[name] = b if name == "document_status" else a + b
    return type(first)(**values)
