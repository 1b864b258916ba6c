"""Earlier runs of a project: `monkey-test-history/{time}/`, each a folder like the project's own.

Invariant: a run is moved whole. The state file goes first, so that the project never has a state
without its reports; a move that was cut off is finished by `finish`. Leaves out comparing runs.
"""

from datetime import datetime
from pathlib import Path

from coordinator.records.atomic import disk_trouble, sync_folder
from coordinator.records.reports import REPORTS, SCREENSHOTS
from coordinator.records.state_file import FILE_NAME

HISTORY = "monkey-test-history"
_STAGE = ".unfinished"


def put_away(folder: Path, now: datetime) -> None:
    """Move the run in `folder` into its history."""
    history = folder / HISTORY
    stage = history / _STAGE
    with disk_trouble(history):
        stage.mkdir(parents=True, exist_ok=True)
        for name in (FILE_NAME, REPORTS, SCREENSHOTS):
            if (folder / name).exists():
                (folder / name).rename(stage / name)
                sync_folder(folder)
        stage.rename(_free(history, f"{now:%Y%m%dT%H%M%SZ}"))
        sync_folder(history)


def finish(folder: Path, now: datetime) -> None:
    """Go on with a move that was cut off."""
    if (folder / HISTORY / _STAGE).is_dir():
        put_away(folder, now)


def latest(folder: Path) -> str:
    """The run before the one in `folder`, relative to it; empty if there is none."""
    try:
        names = sorted(place.name for place in (folder / HISTORY).iterdir() if place.is_dir())
    except OSError:
        return ""
    whole = [name for name in names if not name.startswith(".")]
    return f"{HISTORY}/{whole[-1]}" if whole else ""


def _free(history: Path, name: str) -> Path:
    number, place = 1, history / name
    while place.exists():
        number += 1
        place = history / f"{name}-{number}"
    return place
