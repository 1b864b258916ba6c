"""Raw input, as the hardware would send it: three mouse events or two key events, no round trip
more.

`locator.click` of Playwright costs 65 to 110 ms in eight to ten round trips; this costs 4 to 16.
"""

import contextlib

from playwright.async_api import Error as PlaywrightError

from workers.browser.kit_talk import KitTalk
from workers.browser.tab import Tab


async def click(tab: Tab, kit: KitTalk, x: float, y: float) -> None:
    """Move there, let hover effects pass, arm the kit, then press and release."""
    await move(tab, kit, x, y)
    await kit.arm()
    await down_and_up(tab, kit, x, y)


async def move(tab: Tab, kit: KitTalk, x: float, y: float) -> None:
    """The pointer alone."""
    await _mouse(tab, kit, "mouseMoved", x, y)


async def down_and_up(tab: Tab, kit: KitTalk, x: float, y: float) -> None:
    """The left button."""
    await _mouse(tab, kit, "mousePressed", x, y)
    await _mouse(tab, kit, "mouseReleased", x, y)


async def escape(tab: Tab, kit: KitTalk) -> None:
    """The Escape key, down and up."""
    for kind in ("keyDown", "keyUp"):
        key = {"type": kind, "key": "Escape", "code": "Escape", "windowsVirtualKeyCode": 27}
        await tab.send("Input.dispatchKeyEvent", key, kit.patience_s)


async def _mouse(tab: Tab, kit: KitTalk, kind: str, x: float, y: float) -> None:
    pressing = kind != "mouseMoved"
    event = {
        "type": kind,
        "x": x,
        "y": y,
        "button": "left" if pressing else "none",
        "clickCount": 1 if pressing else 0,
    }
    # The page may be gone before the release is answered: that is an effect, not an error.
    with contextlib.suppress(PlaywrightError):
        await tab.send("Input.dispatchMouseEvent", event, kit.patience_s)
