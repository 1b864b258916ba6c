"""Watching a run: the plain view, one line per thing that happened, and the choice of view.

Invariant: a view only shows; without it the run is the same. Leaves out the live view (`live`).
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from coordinator.cli import paint
from coordinator.cli.lines import Words
from coordinator.driver.happenings import (
    Happening,
    Progress,
    ReviewDone,
    ReviewFailed,
    RouteDone,
    RouteFailed,
)

QUIET_LOOKS = 30
"""One line of progress for this many looks at the workers, when nothing else happens."""


class View(Protocol):
    def show(self, happening: Happening) -> None: ...


class PlainView:
    """Lines on stderr, for logs and pipes."""

    def __init__(self) -> None:
        self._words = Words()
        self._looks = 0

    def show(self, happening: Happening) -> None:
        if line := self._words.line(happening):
            self._looks = 0
            settles = isinstance(happening, RouteDone | RouteFailed | ReviewDone | ReviewFailed)
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
