"""Watching a run: the plain view, one line per thing that happened, and the choice of view.

Invariant: a view only shows; without it the run is the same. Leaves out the live view (`live`).
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from coordinator.cli import paint
from coordinator.driver.happenings import (
    Began,
    GoesOn,
    Happening,
    Note,
    Paused,
    Progress,
    RouteDone,
    RouteFailed,
    RouteRetried,
    RoutesFound,
    Stopping,
)
from coordinator.machines.exploration import DISCOVERY
from coordinator.reporting.summary import clean, counted, short

QUIET_LOOKS = 30
"""One line of progress for this many looks at the workers, when nothing else happens."""


class View(Protocol):
    def show(self, happening: Happening) -> None: ...


class Words:
    """Turns what happens into lines; counts what the lines need."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.failed = 0
        self.bugs = 0

    def line(self, happening: Happening) -> tuple[str, str] | None:
        """Text and style, or None if it deserves no line."""
        match happening:
            case Began(total=total, completed=completed, failed=failed):
                self.total, self.done, self.failed = total, completed, failed
                return None
            case RouteDone():
                return self._done(happening)
            case RouteFailed() | RouteRetried() if happening.route == DISCOVERY:
                return _about_the_search(happening)
            case RouteFailed(route=route, error=error):
                self.failed += 1
                return f"✗ {clean(route)} could not be tested: {short(error)}", "red"
            case RouteRetried(route=route, why=why):
                return f"↻ {clean(route)} is tried again: {short(why)}", "yellow"
            case _:
                return self._about_the_run(happening)

    def _done(self, happening: RouteDone) -> tuple[str, str]:
        self.done += 1
        count = len(happening.bugs)
        self.bugs += count
        words = f"{clean(happening.route)}  {counted(happening.tally.actions, 'action')}"
        if not count:
            return f"✓ {words}", ""
        return f"! {words}, {counted(count, 'bug')}", "bold"

    def _about_the_run(self, happening: Happening) -> tuple[str, str] | None:
        match happening:
            case RoutesFound(found=found, excluded=excluded):
                return f"{counted(found, 'route')} found, {excluded} left out", ""
            case Paused(why=why):
                return f"waiting: {clean(why)}", "yellow"
            case GoesOn():
                return "it works again; going on", ""
            case Stopping(running=running):
                jobs = "1 job finishes" if running == 1 else f"{running} jobs finish"
                return f"stopping: {jobs} first; Ctrl-C again leaves now", "yellow"
            case Note(text=text):
                return clean(text), ""
            case _:
                return None

    @property
    def settled(self) -> int:
        return self.done + self.failed


def _about_the_search(happening: RouteFailed | RouteRetried) -> tuple[str, str] | None:
    if isinstance(happening, RouteRetried):
        return f"↻ the search is begun again: {short(happening.why)}", "yellow"
    return None  # It ends the command, and that says why.


class PlainView:
    """Lines on stderr, for logs and pipes."""

    def __init__(self) -> None:
        self._words = Words()
        self._looks = 0

    def show(self, happening: Happening) -> None:
        if line := self._words.line(happening):
            self._looks = 0
            settles = isinstance(happening, RouteDone | RouteFailed)
            count = f"[{self._words.settled}/{self._words.total}] " if settles else ""
            paint.say(count + line[0], line[1])
        elif isinstance(happening, Progress):
            self._looks += 1
            if self._looks % QUIET_LOOKS == 0:
                paint.say(f"[{self._words.settled}/{self._words.total}] {_crew(happening)}")


def _crew(progress: Progress) -> str:
    if progress.running:
        return f"{len(progress.running)} running, {progress.queued} waiting"
    if not progress.workers:
        return "no worker has been heard of; start one with: mazewave worker browser"
    return f"{progress.queued} waiting"


@contextmanager
def open_view(title: str) -> Iterator[View]:
    """The live view on a terminal, the plain one elsewhere."""
    if not sys.stderr.isatty():
        yield PlainView()
        return
    from coordinator.cli.live import LiveView  # noqa: PLC0415 - not needed elsewhere

    with LiveView(title) as view:
        yield view


def watch(happenings: Iterable[Happening], *views: View) -> Happening | None:
    """Show everything; the last thing that happened."""
    last = None
    for happening in happenings:
        for view in views:
            view.show(happening)
        last = happening
    return last
