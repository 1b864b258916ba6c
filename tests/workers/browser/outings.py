"""Walks through toy mazes, with all that they leave behind, and walks that are cut off."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from contract.jobs import Before, Limits, Safety
from tests.workers.browser.toy import BASE, Maze, Toy
from workers.browser.atlas import Atlas, Entry, Tried
from workers.browser.brief import Brief
from workers.browser.policy import Rules
from workers.browser.walk import Walk


class Killed(Exception):
    """The worker is gone: what it just did was not written down."""


@dataclass
class Written:
    """A journal as the walk writes it: one batch of entries per checkpoint.

    After `room_for` batches nothing is taken any more, as if the worker had been killed.
    """

    batches: list[tuple[Entry, ...]] = field(default_factory=list)
    room_for: int | None = None

    async def write(self, entries: tuple[Entry, ...]) -> None:
        if self.room_for is not None and len(self.batches) >= self.room_for:
            raise Killed
        self.batches.append(entries)

    @property
    def entries(self) -> list[Entry]:
        return [entry for batch in self.batches for entry in batch]


@dataclass
class Outing:
    """One walk through a maze, with all that it left behind."""

    toy: Toy
    atlas: Atlas
    journal: Written
    walk: Walk

    @property
    def tried(self) -> list[Tried]:
        """The controls in the order of trying."""
        return [entry for entry in self.journal.entries if isinstance(entry, Tried)]

    @property
    def labels(self) -> list[str]:
        return [tried.draft.label for tried in self.tried]

    def of(self, label: str) -> Tried:
        """The one entry of a control; fails when there are several."""
        (found,) = [tried for tried in self.tried if tried.draft.label == label]
        return found


def outing(
    maze: Maze,
    *,
    toy: Toy | None = None,
    done: list[Entry] | None = None,
    room_for: int | None = None,
    limits: Limits | None = None,
    safety: Safety | None = None,
    shared: Mapping[str, str] | None = None,
    routes: frozenset[str] = frozenset(),
    before: Before | None = None,
    stop: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.monotonic,
) -> Outing:
    """A walk, ready to go; `done` are the entries of an earlier one."""
    toy = toy or Toy(maze)
    atlas = Atlas.fold(done or [])
    journal = Written(room_for=room_for)
    brief = Brief(
        route=next(iter(maze.values())).url,
        base_url=BASE,
        limits=limits or Limits(),
        routes=routes,
        shared=shared or {},
        before=before or Before(),
    )
    rules = Rules(safety or Safety(), BASE)
    walk = Walk(toy, brief, rules, atlas, journal.write, stop=stop, clock=clock)
    return Outing(toy, atlas, journal, walk)


def walked(maze: Maze, **given: Any) -> Outing:
    """A walk from its beginning to its end; what is `given` is for `outing`."""
    found = outing(maze, **given)
    asyncio.run(found.walk.explore())
    return found
