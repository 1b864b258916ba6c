"""A tab of the browser with everything around it: context, kit, guard, ear, and what Chromium asks.

Invariant: no document of the tab runs without the kit, and no request leaves it unguarded. A tab
that crashed or hangs can only be dropped; the next one in the same context works. What is asked of
the page is in `kit_talk.py`.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import (
    BrowserContext,
    CDPSession,
    Dialog,
    Download,
    FileChooser,
    FilePayload,
    Frame,
    Page,
)
from playwright.async_api import Error as PlaywrightError

from contract.jobs import Limits
from workers.browser import snippets
from workers.browser.files import offered
from workers.browser.guard import Guard
from workers.browser.places import origin_of
from workers.browser.policy import Rules
from workers.browser.watch import Watch

_CLOSE_S = 5.0
_POPUP_MS = 500
_COOKIES_S = 2.0
_CLOSED = ("has been closed", "Connection closed", "Browser closed", "Target closed")


class Hung(Exception):
    """The page does not answer any more."""


class Crashed(Exception):
    """The page's process died."""


class BrowserGone(Crashed):
    """The whole browser died, or was ended."""


class Tab:
    """One page at a time, in one context at a time.

    `leaving` is set while we leave ourselves, so that the page's `beforeunload` is overruled; a
    leave of the page's own is held. `on_stay` is called when a leave that had begun came to
    nothing.
    """

    def __init__(
        self,
        new_context: Callable[[], Awaitable[BrowserContext]],
        rules: Rules,
        limits: Limits,
        on_stay: Callable[[], Awaitable[None]],
    ) -> None:
        self.kit_name = snippets.hidden_name()
        self.watch = Watch(rules.base_url, self._stay)
        self.leaving = False
        self._rules = rules
        self._new_context = new_context
        self._settings = snippets.KitSettings(
            property=self.kit_name,
            may_write=rules.allows_all,
            reads_only=rules.reads_only,
            leave_paths=tuple(sorted(rules.words.leave_paths)),
            destroy_paths=() if rules.allows_all else tuple(sorted(rules.words.destroy_paths)),
            socket_paths=rules.socket_paths,
            native_dialogs=limits.native_dialogs,
            rows=limits.rows,
        )
        self._on_stay = on_stay
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._cdp: CDPSession | None = None
        self._crashed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._popups: set[asyncio.Task[None]] = set()
        self._choosers: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return self._page.url if self._page is not None else ""

    def foreign_frames(self) -> list[Frame]:
        """The frames whose origin is not the page's."""
        if self._page is None:
            return []
        here = origin_of(self._page.url)
        return [frame for frame in self._page.frames[1:] if origin_of(frame.url) not in {"", here}]

    async def page(self) -> Page:
        """The page, made if need be; in a new context when the old one went with its browser."""
        if self._page is not None and not self._crashed and not self._page.is_closed():
            return self._page
        try:
            return await self._new_page()
        except PlaywrightError as error:
            if not any(word in error.message for word in _CLOSED):
                raise
        await self.close()
        return await self._new_page()

    async def _new_page(self) -> Page:
        if self._context is None:
            self._context = await self._new_context()
            await self._context.add_init_script(snippets.kit_script(self._settings))
            self._context.on("page", self._on_page)
            self.watch.signed = await self.cookies()
        self._crashed = False
        page = self._page = await self._context.new_page()
        page.on("dialog", self._on_dialog)
        page.on("download", self._on_download)
        page.on("crash", self._on_crash)
        page.on("filechooser", self._on_chooser)
        await self._listen(page)
        return page

    async def cookies(self) -> frozenset[str]:
        """The names of the cookies that the context holds; what is known where it does not say."""
        if self._context is None:
            return self.watch.signed
        try:
            held = await asyncio.wait_for(self._context.cookies(), _COOKIES_S)
        except (PlaywrightError, TimeoutError):
            return self.watch.signed
        return frozenset(cookie.get("name", "") for cookie in held)

    async def close(self) -> None:
        """The context with all that it kept."""
        context, self._context, self._page, self._cdp = self._context, None, None, None
        if context is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(context.close(), _CLOSE_S)

    async def drop_page(self) -> None:
        """Leave a page that hangs or crashed; the context stays."""
        page, cdp, self._page, self._cdp = self._page, self._cdp, None, None
        if cdp is not None and not self._crashed:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(cdp.send("Runtime.terminateExecution"), 2.0)
        if page is not None:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(page.close(run_before_unload=False), 2.0)

    async def send(self, method: str, arguments: dict[str, Any], timeout_s: float) -> Any:
        """A CDP call that always ends. Raises `Hung`, `Crashed`, or Playwright's `Error`."""
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
            raise self._meaning(error, method) from None

    def _meaning(self, error: PlaywrightError, method: str) -> Exception:
        """What a failed call says of the page: gone, crashed, or only another document."""
        if any(word in error.message for word in _CLOSED):
            return BrowserGone(method)
        if self._crashed or "Target crashed" in error.message:
            self._crashed = True
            return Crashed(method)
        return error

    async def popups(self, *, expected: bool = False) -> None:
        """Wait until the windows that the page opened are named and closed."""
        if expected and not self._popups:
            await asyncio.sleep(0.1)
        if self._popups:
            await asyncio.wait(set(self._popups), timeout=_CLOSE_S)

    async def _listen(self, page: Page) -> None:
        cdp = self._cdp = await page.context.new_cdp_session(page)
        frames = await cdp.send("Page.getFrameTree")
        main_frame = frames["frameTree"]["frame"]["id"]
        marked = {"source": snippets.guarded_script(self.kit_name)}
        await asyncio.gather(
            cdp.send("Page.enable"),
            cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
            cdp.send("Runtime.enable"),
            cdp.send("Page.addScriptToEvaluateOnNewDocument", marked),
            Guard(cdp, self._rules, self.watch, main_frame).start(),
        )
        self.watch.attach(cdp, main_frame)

    # What Chromium asks

    async def _on_dialog(self, dialog: Dialog) -> None:
        leave = dialog.type == "beforeunload"
        if leave and not self.leaving:
            self.watch.held()
        with contextlib.suppress(PlaywrightError):
            await (dialog.accept() if leave and self.leaving else dialog.dismiss())

    def _on_chooser(self, chooser: FileChooser) -> None:
        """Chromium shows none: it is cancelled, or gets a small file of ours."""
        self.watch.chooser()
        if not self._rules.reads_only:
            self._later(self._give_file(chooser), self._choosers)

    async def _give_file(self, chooser: FileChooser) -> None:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            asked = chooser.element.get_attribute("accept")
            wanted: str | None = await asyncio.wait_for(asked, _CLOSE_S / 2)
            file = offered(wanted or "")
            payload = FilePayload(name=file.name, mimeType=file.mime, buffer=file.data)
            await asyncio.wait_for(chooser.set_files(payload), _CLOSE_S / 2)

    async def chosen(self) -> bool:
        """Wait until the files that were asked for are given; whether there were any."""
        if not self._choosers:
            return False
        await asyncio.wait(set(self._choosers), timeout=_CLOSE_S)
        return True

    async def _on_download(self, download: Download) -> None:
        self.watch.download(download.suggested_filename)
        with contextlib.suppress(PlaywrightError):
            await download.cancel()

    def _on_crash(self, _: Page) -> None:
        self._crashed = True

    def _on_page(self, page: Page) -> None:
        if page is not self._page and self._page is not None:
            self._later(self._close_popup(page), self._popups)

    async def _close_popup(self, page: Page) -> None:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            if page.url in {"", "about:blank"}:
                await page.wait_for_url(
                    lambda url: url != "about:blank", timeout=_POPUP_MS, wait_until="commit"
                )
        self.watch.popup(page.url)
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(page.close(), _CLOSE_S)

    def _stay(self) -> None:
        if self._cdp is not None:
            self._later(self._on_stay(), self._tasks)

    def _later(self, work: Awaitable[None], tasks: set[asyncio.Task[None]]) -> None:
        task = asyncio.ensure_future(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)
