"""The run that stands in a folder, for commands that only look at it.

Leaves out starting one, and mending a state file: `explore` does both.
"""

from pathlib import Path

from coordinator.errors import RequestError
from coordinator.records import state_file
from coordinator.records.state import State


def state_in(folder: Path) -> State:
    """The state of the run in `folder`; a sentence where there is none."""
    try:
        loaded = state_file.load(folder)
    except state_file.CorruptError as error:
        raise RequestError(
            f"{folder / state_file.FILE_NAME} is corrupt: {error}",
            "mazewave explore URL rebuilds it from the route map and the reports",
        ) from error
    if loaded is None:
        raise RequestError(
            f"there is no run in {folder.absolute()}", "begin one with: mazewave explore URL"
        )
    return loaded.state
