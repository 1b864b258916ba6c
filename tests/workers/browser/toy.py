"""A toy maze: a page as a few rooms of Python, so that walks run in milliseconds without a browser.

A maze names its rooms (states); a room has controls, and a door for each control that does
something. `Toy` is the `PagePort` over it: it keeps what a browser would keep (history, filled
fields, what the server remembers) and writes everything that is done to it into `log`. Its
invariant: a control without a door is dead, and nothing happens that no door says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from workers.browser.page_port import (
    Control,
    Counts,
    Dialog,
    Effect,
    Field,
    Flags,
    Health,
    Inventory,
    SessionRenewed,
    Sight,
    Traffic,
)
from workers.browser.survey import Survey

BASE = "http://maze.test"
NOWHERE = Sight(document="", url="about:blank", title="", state="")
SAYS_NOTHING = Traffic()
FINDS_NOTHING = Survey()


@dataclass(frozen=True, kw_only=True)
class Door:
    """What using a control does.

    `to` is the room it leads to, `later` the one from the second use on. A `slow` one shows only
    at the second look. `removes` are controls that the server does not offer any more. What is in
    `traffic` is heard each time, or with `once` at the first use only. `ends_session` counts how
    often it costs the session, `kills_browser` how often the whole browser.
    """

    to: str = ""
    later: str | None = None
    changes: int = 0
    slow: bool = False
    flips: bool = False
    loads: bool = False
    hangs: bool = False
    crashes: bool = False
    missing: bool = False
    covered_by: str = ""
    ends_session: int = 0
    kills_browser: int = 0
    once: bool = False
    removes: tuple[str, ...] = ()
    traffic: Traffic = SAYS_NOTHING


@dataclass(frozen=True, kw_only=True)
class Room:
    """A state of the page. `escape` is the room that the Escape key leads to.

    `needs` names controls that are disabled until the fields behind them are filled. A room may
    never come up: `hangs`, or `unreachable` with Chromium's word for it.
    """

    controls: tuple[Control, ...] = ()
    doors: Mapping[str, Door] = field(default_factory=dict)
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    url: str = "/maze"
    dialogs: tuple[str, ...] = ()
    menus: int = 0
    escape: str = ""
    blank: bool = False
    hangs: bool = False
    unreachable: str = ""
    traffic: Traffic = SAYS_NOTHING
    survey: Survey = FINDS_NOTHING


Maze = Mapping[str, Room]
"""Rooms by name; the first is where the route begins."""


@dataclass
class Server:
    """What outlives a browser: how often each control was used, and what is not there any more."""

    used: dict[str, int] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    sessions_ended: int = 0
    browsers_killed: int = 0


class Toy:
    """The `PagePort` over a maze. `log` holds what was done, as a person would say it."""

    def __init__(self, maze: Maze, server: Server | None = None) -> None:
        self.maze = maze
        self.server = server or Server()
        self.log: list[str] = []
        self.looks = 0
        self._room = ""
        self._sight = NOWHERE
        self._documents = 0
        self._history: list[str] = []
        self._filled: dict[str, str] = {}
        self._last_filled = ""
        self._flipped: set[str] = set()
        self._late: Door | None = None
        self._counts = Counts()

    @property
    def sight(self) -> Sight:
        return self._sight

    async def open(self) -> Effect:
        self.log.append("open")
        before = self._sight
        entrance = next(iter(self.maze))
        room = self.maze[entrance]
        if room.hangs:
            return Effect(before=before, hung=True)
        self._load(entrance)
        self._history = [entrance]
        return Effect(
            before=before,
            after=self._look(),
            traffic=room.traffic,
            unreachable=room.unreachable,
        )

    async def renew(self) -> None:
        self.log.append("fresh context")
        self._leave()

    def say_yes(self) -> None:
        self.log.append("say yes")

    async def press(self, control: Control) -> Effect:
        self.log.append(f"press {control.key}")
        return self._use(control)

    async def fill(self, control: Control, value: str) -> Effect:
        self.log.append(f"fill {control.key}")
        self._filled[control.key] = value
        self._last_filled = control.key
        return self._use(control)

    async def unfill(self) -> None:
        if self._last_filled in self._filled:
            self.log.append("unfill")
            del self._filled[self._last_filled]

    async def linger(self, effect: Effect) -> Effect:
        self.log.append("linger")
        self._late_comes()
        return msgspec.structs.replace(effect, after=self._look(since=effect.after))

    async def escape(self) -> Sight:
        self.log.append("escape")
        if room := self.maze[self._room].escape:
            self._enter(room)
        return self._look()

    async def beside(self) -> Effect:
        self.log.append("beside")
        modal = bool(self.maze[self._room].dialogs)
        return Effect(before=self._sight, after=self._look(), missing=not modal)

    async def back(self) -> Sight:
        self.log.append("back")
        if len(self._history) > 1:
            self._history.pop()
            self._load(self._history[-1])
        return self._look()

    async def controls(self) -> tuple[Control, ...]:
        return self._listed()

    def keep(self) -> None:
        """A toy lists its controls each time; that costs nothing."""

    async def survey(self, *, audit: bool = True) -> Survey:
        self.looks += 1
        return self.maze[self._room].survey

    async def picture(self) -> str:
        return f"picture of {self._room}"

    # How the page behaves

    def _use(self, control: Control) -> Effect:
        self._late_comes()
        before = self._sight
        listed = next((c for c in self._listed() if c.key == control.key), None)
        door = self.maze[self._room].doors.get(control.key, Door()) if self._room else Door()
        if listed is None or door.missing:
            return Effect(before=before, after=before, missing=True)
        if listed.disabled:
            return Effect(before=before, after=before)
        if door.covered_by:
            return Effect(before=before, after=before, covered_by=door.covered_by)
        uses = self.server.used[control.key] = self.server.used.get(control.key, 0) + 1
        if self.server.sessions_ended < door.ends_session:
            self.server.sessions_ended += 1
            self._leave()
            raise SessionRenewed
        if self.server.browsers_killed < door.kills_browser:
            self.server.browsers_killed += 1
            self._leave()
            return Effect(before=before, crashed=True, browser_gone=True)
        if door.hangs or door.crashes:
            self._leave()
            return Effect(
                before=before, hung=door.hangs, crashed=door.crashes, traffic=door.traffic
            )
        return self._pressed(control, door, uses)

    def _pressed(self, control: Control, door: Door, uses: int) -> Effect:
        before, flags = self._sight, self._flags(control.key)
        self.server.removed.update(door.removes)
        if door.later is not None and uses > 1:
            door = Door(to=door.later)
        if door.flips:
            self._flipped.symmetric_difference_update({control.key})
        if door.slow:
            self._late = Door(to=door.to, changes=door.changes, loads=door.loads)
        else:
            self._pass(door)
        after = msgspec.structs.replace(self._look(since=before), flags=self._flags(control.key))
        traffic = SAYS_NOTHING if door.once and uses > 1 else door.traffic
        return Effect(before=before, after=after, flags=flags, traffic=traffic)

    def _late_comes(self) -> None:
        door, self._late = self._late, None
        if door is not None and self._room:
            self._pass(door)
            self._look()

    def _pass(self, door: Door) -> None:
        self._counts = msgspec.structs.replace(
            self._counts, mutations=self._counts.mutations + door.changes
        )
        if not door.to:
            return
        if door.loads or self.maze[door.to].url != self.maze[self._room].url:
            self._load(door.to)
            self._history.append(door.to)
        else:
            self._enter(door.to)

    def _load(self, room: str) -> None:
        self._documents += 1
        self._late = None
        self._filled.clear()
        self._flipped.clear()
        self._room = room

    def _enter(self, room: str) -> None:
        self._room = room

    def _leave(self) -> None:
        self._room, self._sight = "", NOWHERE

    def _flags(self, key: str) -> Flags:
        control = next((c for c in self.maze[self._room].controls if c.key == key), None)
        if control is None:
            return Flags()
        checked = None if control.checked is None else (key in self._flipped) != control.checked
        return Flags(checked=checked, selected=control.selected, expanded=control.expanded)

    def _listed(self) -> tuple[Control, ...]:
        if not self._room:
            return ()
        room = self.maze[self._room]
        return tuple(
            self._as_it_is(control, room)
            for control in room.controls
            if control.key not in self.server.removed
        )

    def _as_it_is(self, control: Control, room: Room) -> Control:
        waits = not set(room.needs.get(control.key, ())) <= self._filled.keys()
        if control.field is not None:
            empty = control.key not in self._filled
            filled = msgspec.structs.replace(control.field, empty=empty)
            control = msgspec.structs.replace(control, field=filled)
        return msgspec.structs.replace(control, disabled=control.disabled or waits)

    def _look(self, since: Sight | None = None) -> Sight:
        room = self.maze[self._room]
        self._sight = Sight(
            document=f"document {self._documents}",
            url=BASE + room.url,
            title=self._room,
            state=self._room,
            counts=self._counts,
            at_arm=since.counts if since is not None else self._counts,
            dialogs=tuple(Dialog(name=name) for name in room.dialogs),
            menus=room.menus,
            health=Health(blank=room.blank),
            inventory=Inventory(controls=self._listed()),
        )
        return self._sight


def button(label: str, **more: Any) -> Control:
    """A button; its key is its label."""
    return msgspec.structs.replace(Control(key=label, label=label), **more)


def tab(label: str, *, selected: bool = False) -> Control:
    return Control(key=label, label=label, role="tab", tabs=True, path="tabs", selected=selected)


def link(label: str, path: str) -> Control:
    return Control(key=label, label=label, role="link", tag="a", href=BASE + path)


def text_field(label: str, **more: Any) -> Control:
    control = Control(key=label, label=label, role="textbox", tag="input", field=Field(kind="text"))
    return msgspec.structs.replace(control, **more)


def checkbox(label: str) -> Control:
    return Control(key=label, label=label, role="checkbox", tag="input", checked=False)
