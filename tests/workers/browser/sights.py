"""Sights, effects and controls for tests that judge one effect, without a page around it."""

from typing import Any

import msgspec

from workers.browser.page_port import (
    Control,
    Counts,
    Dialog,
    Effect,
    Exchange,
    Flags,
    KitNote,
    Sight,
    Traffic,
)

BASE = "http://shop.test"

BEFORE = Sight(document="document 1", url=f"{BASE}/orders", title="Orders", state="quiet")
BUTTON = Control(key="save", label="Save")
NOTHING = Effect(before=BEFORE, after=BEFORE)


def after(**changes: Any) -> Sight:
    """What is seen afterwards: as before, but for the changes."""
    return msgspec.structs.replace(BEFORE, **changes)


def moved(**counts: int) -> Sight:
    """The same page, with counters that moved since the kit was armed."""
    return after(counts=Counts(**counts))


def effect(sight: Sight | None = BEFORE, **more: Any) -> Effect:
    return Effect(before=BEFORE, after=sight, **more)


def heard(**traffic: Any) -> Effect:
    """An effect that shows in the traffic alone."""
    return effect(traffic=Traffic(**traffic))


def note(what: str, text: str = "") -> KitNote:
    return KitNote(what=what, text=text)


def dialog(name: str, **more: Any) -> Dialog:
    return Dialog(name=name, **more)


def request(
    path: str, *, status: int = 0, error: str = "", resource: str = "Fetch", method: str = "GET"
) -> Exchange:
    """An exchange with the app; a whole URL is one with another host."""
    url = path if "://" in path else BASE + path
    return Exchange(method=method, url=url, resource=resource, status=status, error=error)


def flags(**said: Any) -> Flags:
    return Flags(**said)
