"""A page in Chromium, as the walk wants it: seen in one trip, used with raw input, never waited on
blindly. This is the real `PagePort`.
"""

import asyncio
import base64
import contextlib
import time
from collections.abc import Awaitable, Callable

import msgspec
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from contract import wire
from contract.jobs import Limits, Waits
from workers.browser import press
from workers.browser.frames import ForeignFrames
from workers.browser.inspection import inspect
from workers.browser.kit_talk import NOWHERE, KitTalk, continued
from workers.browser.page_port import (
    Control,
    Effect,
    Flags,
    Inventory,
    Prepared,
    SessionRenewed,
    Sight,
    Standing,
    Traffic,
)
from workers.browser.policy import Rules
from workers.browser.survey import Survey
from workers.browser.tab import BrowserGone, Crashed, Hung, Tab

_NAVIGATION_MS = 15_000
_SHOT_S = 5.0
_USES_PER_CONTEXT = 50
"""What the app keeps in its storage grows with use; a load after so many presses starts clean."""
_NO_ANSWER = (
    "ERR_CONNECTION_REFUSED",
    "ERR_NAME_NOT_RESOLVED",
    "ERR_ADDRESS_UNREACHABLE",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_TIMED_OUT",
)

Store = Callable[[bytes], Awaitable[str]]
SessionLost = Callable[[Sight, Traffic], Awaitable[Standing]]


class Put(msgspec.Struct, frozen=True):
    """The kit's answer to `fill`."""

    found: bool
    before: str = ""


class ChromiumPage:
    """The real `PagePort`. `new_context` gives a context with the run's storage state; `store`
    keeps a picture and gives its digest; `session_lost` renews a lost session.
    """

    def __init__(
        self,
        *,
        url: str,
        new_context: Callable[[], Awaitable[BrowserContext]],
        rules: Rules,
        limits: Limits,
        waits: Waits,
        store: Store,
        session_lost: SessionLost | None = None,
    ) -> None:
        self._url = url
        self._store = store
        self._session_lost = session_lost
        self._kit = KitTalk(waits)
        self.tab = Tab(new_context, rules, limits, self._kit.stay)
        self._kit.of(self.tab)
        self._frames = ForeignFrames(self.tab, self._kit)
        self._rules = rules
        self._filled: tuple[Control, str] | None = None
        self._uses = 0
        self._audited: set[int] = set()
        self._says_yes = False
        self._risks: dict[str, str] = {}

    @property
    def sight(self) -> Sight:
        return self._kit.last

    def keep(self) -> None:
        self._kit.knows_last()

    async def close(self) -> None:
        await self.tab.close()

    async def renew(self) -> None:
        self._uses = 0
        self._audited.clear()
        await self.tab.close()
        self._kit.last = NOWHERE

    async def open(self) -> Effect:
        began, before = time.monotonic(), self.sight
        self._filled = None
        self._rules.using = ""
        if self._uses >= _USES_PER_CONTEXT:
            await self.renew()
        try:
            page = await self.tab.page()
            await self.tab.popups()
            self.tab.watch.take()
            self.tab.leaving = True
            error = await self._goto(page)
            sight = await self._kit.loaded()
        except (Hung, Crashed) as trouble:
            return await self._gone(before, trouble, began)
        finally:
            self.tab.leaving = False
        return await self._seen(
            Effect(
                before=before,
                after=sight,
                traffic=self.tab.watch.take(),
                unreachable=error,
                duration_ms=_ms(began),
            )
        )

    def say_yes(self) -> None:
        self._says_yes = True

    async def press(self, control: Control) -> Effect:
        self._filled = None
        self._uses += 1
        says_yes, self._says_yes = self._says_yes, False
        # A replay knows a control by its key alone: what is risky about it was seen before.
        risk = self._rules.risk_of(control) or self._risks.get(control.key, "")
        self._risks[control.key] = self._rules.using = risk
        if control.frame:
            return await self._seen(await self._frames.press(control, self.sight))
        began, before = time.monotonic(), self.sight
        try:
            self.tab.watch.take()
            said = await self._kit.ask_here("prepare", control.key, says_yes)
            prepared = wire.loads(said, Prepared)
            if not prepared.found:
                return Effect(before=before, after=before, missing=True)
            if not prepared.hit:
                covered = prepared.by or "something"
                return Effect(before=before, after=before, flags=prepared.flags, covered_by=covered)
            await press.click(self.tab, self._kit, prepared.x, prepared.y)
            sight = await self._kit.settled()
            if await self.tab.chosen():
                sight = continued(sight, await self._kit.settled())
        except (Hung, Crashed) as trouble:
            return await self._gone(before, trouble, began)
        return await self._effect(before, sight, prepared.flags, began)

    async def fill(self, control: Control, value: str) -> Effect:
        began, before = time.monotonic(), self.sight
        try:
            self.tab.watch.take()
            await self._kit.arm()
            put = wire.loads(await self._kit.ask_here("fill", control.key, value), Put)
            if not put.found:
                return Effect(before=before, after=before, missing=True)
            self._filled = (control, put.before)
            sight = await self._kit.settled()
        except (Hung, Crashed) as trouble:
            return await self._gone(before, trouble, began)
        return await self._effect(before, sight, Flags(), began)

    async def unfill(self) -> None:
        filled, self._filled = self._filled, None
        if filled is not None:
            await self.fill(*filled)
            self._filled = None

    async def linger(self, effect: Effect) -> Effect:
        if effect.after is None:
            return effect
        await asyncio.sleep(self._kit.waits.recheck_ms / 1000)
        try:
            later = await self._kit.read("afterAction")
        except (Hung, Crashed) as trouble:
            return await self._gone(effect.before, trouble, time.monotonic())
        await self.tab.popups()
        traffic = _joined(effect.traffic, self.tab.watch.take())
        sight = continued(effect.after, later)
        return await self._seen(msgspec.structs.replace(effect, after=sight, traffic=traffic))

    async def escape(self) -> Sight:
        with contextlib.suppress(Hung, Crashed, PlaywrightError):
            await self._kit.arm()
            await press.escape(self.tab, self._kit)
            self._kit.last = await self._kit.read("afterAction")
        return self.sight

    async def beside(self) -> Effect:
        before = self.sight
        try:
            place = wire.loads(await self._kit.ask_here("beside"), Prepared)
            if not place.found:
                return Effect(before=before, after=before, missing=True)
            await self._kit.arm()
            await press.click(self.tab, self._kit, place.x, place.y)
            self._kit.last = await self._kit.settled()
        except (Hung, Crashed):
            return Effect(before=before, after=before, missing=True)
        return Effect(before=before, after=self.sight)

    async def back(self) -> Sight:
        self.tab.leaving = True
        with contextlib.suppress(Hung, Crashed, PlaywrightError):
            if await self._went_back():
                self._kit.last = await self._kit.read("afterAction")
        self.tab.leaving = False
        return self.sight

    async def _went_back(self) -> bool:
        history = await self.tab.send("Page.getNavigationHistory", {}, 2.0)
        at = history["currentIndex"] - 1
        if at < 0 or history["entries"][at]["url"] == "about:blank":
            return False
        await self._kit.arm()
        entry = {"entryId": history["entries"][at]["id"]}
        await self.tab.send("Page.navigateToHistoryEntry", entry, _SHOT_S)
        return True

    async def controls(self) -> tuple[Control, ...]:
        try:
            said = await self._kit.ask_here("inventory")
        except (Hung, Crashed):
            return ()
        return wire.loads(said, Inventory).controls + await self._frames.controls()

    async def survey(self, *, audit: bool = True) -> Survey:
        return await inspect(self.tab, self._kit, self._audited if audit else None)

    async def picture(self) -> str:
        how = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": False}
        try:
            shot = await self.tab.send("Page.captureScreenshot", how, _SHOT_S)
        except (Hung, Crashed, PlaywrightError):
            return ""
        return await self._store(base64.b64decode(shot["data"]))

    async def _goto(self, page: Page) -> str:
        """Load the route; says why the app did not answer, or nothing."""
        try:
            if "#" in self._url and page.url != "about:blank":
                await page.goto("about:blank")  # the same path with another hash is no new document
            await page.goto(self._url, wait_until="commit", timeout=_NAVIGATION_MS)
        except PlaywrightError as error:
            if "Timeout" in error.message:
                return "timeout"
            return next((word for word in _NO_ANSWER if word in error.message), "")
        return ""

    async def _effect(self, before: Sight, sight: Sight, flags: Flags, began: float) -> Effect:
        await self.tab.popups(expected=sight.counts.opened > sight.at_arm.opened)
        return await self._seen(
            Effect(
                before=before,
                after=sight,
                flags=flags,
                traffic=self.tab.watch.take(),
                duration_ms=_ms(began),
            ),
            by_action=True,
        )

    async def _seen(self, effect: Effect, *, by_action: bool = False) -> Effect:
        """Every effect passes here. Raises `SessionRenewed` after a lost session.

        `by_action`: the effect is that of a control, which is to blame if cookies went with it.
        """
        sight = effect.after
        if sight is None:
            return effect
        if sight.inventory is not None and (foreign := await self._frames.controls()):
            inventory = msgspec.structs.replace(
                sight.inventory, controls=sight.inventory.controls + foreign
            )
            sight = msgspec.structs.replace(sight, inventory=inventory)
            effect = msgspec.structs.replace(effect, after=sight)
        self._kit.last = sight
        if self._session_lost is None:
            return effect
        standing = await self._session_lost(sight, effect.traffic)
        if standing is Standing.RENEWED:
            gone = effect.traffic.cookies_gone or self.tab.watch.signed - await self.tab.cookies()
            await self.renew()
            raise SessionRenewed(by_action=by_action and bool(gone))
        good = standing is Standing.GOOD
        return msgspec.structs.replace(effect, session_good=True) if good else effect

    async def _gone(self, before: Sight, trouble: Exception, began: float) -> Effect:
        """The page hangs or crashed: what was heard until then, and a new page for what follows."""
        crashed = isinstance(trouble, Crashed)
        traffic = self.tab.watch.take()
        await self.tab.drop_page()
        self._kit.last = NOWHERE
        return Effect(
            before=before,
            traffic=traffic,
            hung=not crashed,
            crashed=crashed,
            browser_gone=isinstance(trouble, BrowserGone),
            duration_ms=_ms(began),
        )


def _ms(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _joined(first: Traffic, second: Traffic) -> Traffic:
    """Two takes of the watch as one: lists appended, counts added."""
    values = {
        name: getattr(first, name) + getattr(second, name)
        for name in Traffic.__struct_fields__
        if name not in {"document_status", "environment", "unstyled"}
    }
    return msgspec.structs.replace(second, **values)
