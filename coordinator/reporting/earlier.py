"""Reading an earlier run's folder, to compare this one with it.

A run remembers the one before it; any other is named by the user. Invariant: neither folder is
changed. Leaves out the comparison itself (`comparison`), which is pure.
"""

from pathlib import Path

from coordinator.errors import MazewaveError, RequestError
from coordinator.records import reports, state_file
from coordinator.records.reports import REPORTS
from coordinator.records.state import State
from coordinator.reporting.comparison import Comparison, compare
from coordinator.reporting.findings import Findings, gather


def since_the_run_before(state: State, findings: Findings, folder: Path) -> Comparison | None:
    """The comparison with the run that the state remembers; none if that cannot be read."""
    if not state.ours.earlier:
        return None
    try:
        return since(folder / state.ours.earlier, findings, folder, name=state.ours.earlier)
    except MazewaveError:
        return None


def since(place: Path, findings: Findings, folder: Path, *, name: str = "") -> Comparison:
    """The comparison with the run in `place`, or a sentence why there is none."""
    before = _gathered(_project(place), place)
    files = {row.route: row.report_file for row in findings.routes}
    return compare(
        name or str(place),
        before.bugs,
        findings.bugs,
        lambda route: reports.read(folder, files[route]) if route in files else None,
    )


def _project(place: Path) -> Path:
    """The project's folder, also when the one of its reports was named."""
    return place.parent if place.name == REPORTS else place


def _gathered(project: Path, named: Path) -> Findings:
    try:
        loaded = state_file.load(project)
    except state_file.CorruptError as error:
        raise RequestError(
            f"{project / state_file.FILE_NAME} is corrupt: {error}",
            "name another earlier run",
        ) from error
    if loaded is None:
        raise RequestError(
            f"{named} holds no earlier run: {state_file.FILE_NAME} is not there",
            "name the folder in which it was explored, or a copy of that",
        )
    return gather(loaded.state, project)
