"""From a project's files to what a run is about: its state, opened or made, and what was added.

Starting again never reinitialises: routes that were tested stay tested, and only a choice of the
user adds to the map of a run that exists. Leaves out asking the user, and the run itself.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from contract.identity import RunId
from coordinator.errors import RequestError
from coordinator.planning.selection import choose
from coordinator.records import history, rebuild, route_map, state_file
from coordinator.records.state import State
from coordinator.settings import Settings


@dataclass(frozen=True)
class Prepared:
    """`added` routes are new to the state, `retried` were failed; `notes` are for the user."""

    state: State
    added: int
    retried: int
    notes: tuple[str, ...]
    resumed: bool

    @property
    def nothing_left(self) -> bool:
        return not self.state.pending and not self.state.awaits_review()


@dataclass(frozen=True)
class Opened:
    """What is on disk before anything was chosen."""

    state: State | None
    base_url: str
    notes: tuple[str, ...] = ()


def new_run_id() -> RunId:
    return RunId(secrets.token_hex(6))


def map_path(settings: Settings) -> Path:
    return settings.routes or settings.project / route_map.FILE_NAME


def open_project(settings: Settings, now: datetime) -> Opened:
    """The state, if there is one, and the app that the run is about."""
    history.finish(settings.project, now)
    loaded = rebuild.open_state(settings.project, settings.url or None, now)
    if loaded is None:
        if not settings.url:
            raise RequestError(
                f"there is no run in {settings.project} to go on with, and no URL was given",
                "say which app: mazewave explore http://localhost:5000",
            )
        return Opened(None, settings.url)
    if settings.url:
        rebuild.same_project(loaded.state, settings.url, settings.project)
    return Opened(loaded.state, loaded.state.base_url, loaded.notes)


def begin_anew(opened: Opened, folder: Path, now: datetime) -> Opened:
    """Put the run in the folder into its history and begin another one with the same choice."""
    old = opened.state
    if old is None:
        return opened
    history.put_away(folder, now)
    state = _new_state(folder, old.base_url, now)
    state.add_routes(old.slugs)
    state.update(selection=old.ours.selection)
    state_file.save(state, folder, now)
    note = f"the run before is kept in {state.ours.earlier}, and will be compared with"
    return Opened(state, old.base_url, (*opened.notes, note))


def _new_state(folder: Path, base_url: str, now: datetime) -> State:
    state = rebuild.new_state(folder, base_url, RunId(""), now)
    state.update(earlier=history.latest(folder))
    return state


def prepare(
    opened: Opened,
    settings: Settings,
    words: Sequence[str],
    now: datetime,
    *,
    retry_failed: bool,
) -> Prepared:
    """Choose routes and put them into the state; nothing is written yet."""
    state, resumed = opened.state, opened.state is not None
    if state is None:
        state = _new_state(settings.project, opened.base_url, now)
    added = 0
    if words or not resumed:
        known = route_map.load(map_path(settings))
        categories = {category.name: category.routes for category in known.categories}
        added = state.add_routes(choose(known.names(), categories, words))
        state.update(selection=tuple(words) or state.ours.selection or ("all",))
    retried = state.retry_failed() + state.review_again() if retry_failed else 0
    state.update(run_id=state.ours.run_id or new_run_id(), policy=settings.policy.value)
    return Prepared(state, added, retried, opened.notes, resumed)
