"""Raw input, as the hardware would send it: three mouse events or two key events, no round trip
more.

`locator.click` of Playwright costs 65 to 110 ms in eight to ten round trips; this costs 4 to 16.
"""

import asyncio

from playwright.async_api import Error as PlaywrightError

from workers.browser.kit_talk import KitTalk
from workers.browser.tab import Tab

_DISPATCH = "Input.dispatchMouseEvent"
_MOVE, _PRESS, _RELEASE = "mouseMoved", "mousePressed", "mouseReleased"


async def click(tab: Tab, kit: KitTalk, x: float, y: float) -> None:
    """Move there, press and release, sent as one; the kit arms itself at the press."""
    kit.notes_requests()
    await _mouse(tab, kit, x, y, _MOVE, _PRESS, _RELEASE)


async def move(tab: Tab, kit: KitTalk, x: float, y: float) -> None:
    """The pointer alone."""
    await _mouse(tab, kit, x, y, _MOVE)


async def down_and_up(tab: Tab, kit: KitTalk, x: float, y: float) -> None:
    """The left button."""
    await _mouse(tab, kit, x, y, _PRESS, _RELEASE)


async def escape(tab: Tab, kit: KitTalk) -> None:
    """The Escape key, down and up."""
    await _key(tab, kit, "Escape", 27)


async def tab(tab: Tab, kit: KitTalk) -> None:
    """The Tab key, down and up."""
    await _key(tab, kit, "Tab", 9)


async def _key(tab: Tab, kit: KitTalk, name: str, code: int) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        key = {"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code}
        await tab.send("Input.dispatchKeyEvent", key, kit.patience_s)


async def _mouse(tab: Tab, kit: KitTalk, x: float, y: float, *kinds: str) -> None:
    """Mouse events in order; they share a pipe, so none waits for the answer to the one before."""
    sent = [tab.send(_DISPATCH, _event(kind, x, y), kit.patience_s) for kind in kinds]
    for answer in await asyncio.gather(*sent, return_exceptions=True):
        # The page may be gone before the release is answered: that is an effect, not an error.
        if isinstance(answer, BaseException) and not isinstance(answer, PlaywrightError):
            raise answer


def _event(kind: str, x: float, y: float) -> dict[str, object]:
    pressing = kind != _MOVE
    return {
        "type": kind,
        "x": x,
        "y": y,
        "button": "left" if pressing else "none",
        "clickCount": 1 if pressing else 0,
    }
