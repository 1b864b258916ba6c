"""Frames of another origin: listed always, used only when the user put their origin in scope.

The browser runs all frames of a page in one process, and the kit is in each of them, but a page
cannot look into a frame of another origin; the worker asks each such frame's kit itself. What a
control in there does is measured in its frame. Left out: states inside such a frame are not walked
further.
"""

import asyncio
import contextlib
import hashlib
import time

import msgspec
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame

from contract import wire
from workers.browser import press, snippets
from workers.browser.kit_talk import KitTalk
from workers.browser.page_port import Control, Effect, Inventory, Prepared, Sight
from workers.browser.places import origin_of
from workers.browser.tab import Tab

_ASK_S = 5.0


class ForeignFrames:
    """The frames of a tab that are not of its page's origin."""

    def __init__(self, tab: Tab, kit: KitTalk) -> None:
        self._tab = tab
        self._kit = kit
        self._keys: dict[str, tuple[Frame, str]] = {}

    async def controls(self) -> tuple[Control, ...]:
        """What a person could use in there, with the frame's origin in `frame`."""
        found: list[Control] = []
        for frame in self._tab.foreign_frames():
            with contextlib.suppress(PlaywrightError, TimeoutError, wire.WireError):
                listed = wire.loads(await self._ask(frame, "inventory"), Inventory)
                found += [self._here(frame, control) for control in listed.controls]
        return tuple(found)

    async def press(self, control: Control, before: Sight) -> Effect:
        """Use a control in a frame; the effect is what moved in that frame."""
        began = time.monotonic()
        frame, key = self._keys.get(control.key, (None, ""))
        if frame is None:
            return Effect(before=before, after=before, missing=True)
        self._tab.watch.take()
        try:
            prepared = wire.loads(await self._ask(frame, "prepare", key), Prepared)
            box = await (await frame.frame_element()).bounding_box()
            if not prepared.found or box is None:
                return Effect(before=before, after=before, missing=True)
            await press.move(self._tab, self._kit, prepared.x + box["x"], prepared.y + box["y"])
            await self._ask(frame, "armNow")
            await press.down_and_up(
                self._tab, self._kit, prepared.x + box["x"], prepared.y + box["y"]
            )
            said = await self._ask(frame, "afterAction", self._kit.waits_now(), [])
        except (PlaywrightError, TimeoutError):
            return Effect(before=before, after=before, missing=True)
        inner = wire.loads(said, Sight)
        after = msgspec.structs.replace(
            before, counts=inner.counts, at_arm=inner.at_arm, flags=inner.flags, inventory=None
        )
        return Effect(
            before=before,
            after=after,
            flags=prepared.flags,
            traffic=self._tab.watch.take(),
            duration_ms=round((time.monotonic() - began) * 1000),
        )

    async def _ask(self, frame: Frame, method: str, *arguments: object) -> str:
        expression = snippets.ask(self._tab.kit_name, method, *arguments)
        return str(await asyncio.wait_for(frame.evaluate(expression), _ASK_S))

    def _here(self, frame: Frame, control: Control) -> Control:
        origin = origin_of(frame.url)
        key = hashlib.sha256(f"{origin}|{control.key}".encode()).hexdigest()[:16]
        self._keys[key] = (frame, control.key)
        holder = f'iframe[src^="{origin}"] >> internal:control=enter-frame >> '
        return msgspec.structs.replace(
            control, key=key, frame=origin, locator=holder + control.locator
        )
