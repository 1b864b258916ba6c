"""A route map from a project's code: reads the folder, and turns what it says into a map.

Routes that are known already (those of the map that is about to be replaced) serve as samples for
paths with parameters. Leaves out opening anything: whether a route answers is found out by the run.
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import msgspec

from coordinator.driver.code_folder import CodeFolder
from coordinator.driver.discovery_desk import map_of
from coordinator.errors import RequestError
from coordinator.planning.code import detect, dispatch
from coordinator.records.route_map import Excluded, MapRoute, RouteMap


class CodeMap(msgspec.Struct, frozen=True, kw_only=True):
    """The map, and what to say about how it came about."""

    found: RouteMap
    told: tuple[str, ...]
    notes: tuple[str, ...]


def map_of_code(folder: Path, base_url: str, known: Iterable[str], now: datetime) -> CodeMap:
    """The map of the app whose project is in `folder`; raises `RequestError` if there is none."""
    files = CodeFolder(folder)
    reading = dispatch.read(files)
    if not reading.told:
        supported = ", ".join(dispatch.READERS)
        raise RequestError(
            f"no web framework was recognised in {folder}",
            f"give the folder with package.json or the Python app ({supported}), "
            "or use a browser: mazewave discover URL",
        )
    outline = reading.outline(known)
    entries = {
        page.route: (MapRoute(route=page.route, page_type=page.page_type, parent=page.parent), "")
        for page in outline.pages
    }
    found = map_of(entries, base_url, now, "code")
    if not found.routes:
        raise RequestError(_nothing(reading, outline.excluded), _next(reading))
    left_out = {route: Excluded(route=route, reason=why) for route, why in outline.excluded}
    excluded = {item.route: item for item in (*left_out.values(), *found.excluded)}
    notes = (*reading.notes, *(("the project has too many files; not all were seen",) * files.cut))
    return CodeMap(
        found=msgspec.structs.replace(found, excluded=tuple(excluded.values())),
        told=tuple(_told(one) for one in reading.told),
        notes=notes,
    )


def _told(one: dispatch.Told) -> str:
    declared = f"{one.declared} path" + ("" if one.declared == 1 else "s")
    return f"{one.framework} in {one.root or '.'}: {declared} declared"


def _nothing(reading: dispatch.Reading, excluded: tuple[tuple[str, str], ...]) -> str:
    names = ", ".join(dict.fromkeys(one.framework for one in reading.told))
    if excluded:
        return f"{names}: none of {len(excluded)} declared paths can be opened as a page"
    why = f" ({reading.notes[0]})" if reading.notes else ""
    return f"{names}: the project's route files declare no route{why}"


def _next(reading: dispatch.Reading) -> str:
    python_only = all(one.framework in detect.PYTHON.values() for one in reading.told)
    where = "the folder of the front end" if python_only else "the folder with the route files"
    return f"give --from-code {where}, or use a browser: mazewave discover URL"
