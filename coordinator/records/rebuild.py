"""The state of a project, whatever became of its file.

A corrupt state file is set aside, and a new state is made from ROUTE_MAP.md and the reports on
disk; the user is told. Invariant: nothing that was tested is lost as long as its report parses.
Leaves out the choice of routes (`planning/selection`).
"""

from datetime import datetime
from pathlib import Path

from contract.identity import RunId
from coordinator.errors import RequestError
from coordinator.records import reports, route_map, state_file
from coordinator.records.state import Ours, State, whole_seconds
from coordinator.records.state_file import CorruptError, Loaded


def open_state(folder: Path, base_url: str | None, now: datetime) -> Loaded | None:
    """The state in `folder`, mended or rebuilt if need be; None if there is none yet."""
    pairs = reports.repair(folder)
    try:
        loaded = state_file.load(folder)
    except CorruptError as error:
        return _rebuild(folder, base_url, now, str(error))
    if loaded is None or not pairs:
        return loaded
    note = f"{pairs} reports that a crash had left half in place were put right"
    return Loaded(state=loaded.state, notes=(*loaded.notes, note))


def same_project(state: State, base_url: str, folder: Path) -> None:
    """Refuse to mix the results of two apps in one folder."""
    if state.base_url != base_url:
        raise RequestError(
            f"{folder / state_file.FILE_NAME} belongs to {state.base_url}, not to {base_url}",
            "explore another app in another folder with --project DIR, or move that file away",
        )


def new_state(folder: Path, base_url: str, run_id: RunId, now: datetime) -> State:
    """An empty state."""
    name = folder.resolve().name or "project"
    return State(
        project=name, base_url=base_url, created_at=whole_seconds(now), ours=Ours(run_id=run_id)
    )


def _rebuild(folder: Path, base_url: str | None, now: datetime, why: str) -> Loaded:
    if base_url is None:
        raise RequestError(
            f"{folder / state_file.FILE_NAME} is corrupt ({why})",
            "run it again with the app's URL and it is rebuilt from the route map and the reports",
        )
    aside = state_file.set_aside(folder, now)
    state = new_state(folder, base_url, RunId(""), now)
    found = [reports.entry_for(slug, report) for slug, report in reports.read_all(folder)]
    for entry in found:
        state.slugs[entry.route] = Path(entry.report_file).stem
        state.complete(entry)
    if (folder / route_map.FILE_NAME).is_file():
        state.add_routes(route_map.load(folder / route_map.FILE_NAME).names())
    if not state.completed and not state.pending:
        raise RequestError(
            f"{folder / state_file.FILE_NAME} was corrupt ({why}) and is now {aside.name}; there "
            "is no route map or report to rebuild it from",
            "write a map with: mazewave discover URL",
        )
    note = (
        f"the state file was corrupt ({why}); it is now {aside.name}, and the state was rebuilt "
        f"from the route map and {len(found)} reports"
    )
    return Loaded(state=state, notes=(note,))
