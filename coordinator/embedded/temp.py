"""A folder for the temporary files of a run's workers and browsers, removed with the run.

A browser that is killed leaves its profile behind. Invariant: the folder has a short path, since
sockets are made in it, and a link beside the run's data, so that whoever comes next can remove what
a keeper that was killed itself has left.
"""

import shutil
import tempfile
from pathlib import Path

LINK = "temp"
PREFIX = "mazewave-"


def make(folder: Path) -> Path:
    """A new one for the run in `folder`, instead of any that was left."""
    drop(folder)
    made = Path(tempfile.mkdtemp(prefix=PREFIX))
    link = folder / LINK
    link.unlink(missing_ok=True)
    link.symlink_to(made)
    return made


def drop(folder: Path) -> None:
    """Remove it, with all that is in it; harmless where there is none."""
    link = folder / LINK
    if not link.is_symlink():
        return
    made = link.readlink()
    if made.name.startswith(PREFIX):
        shutil.rmtree(made, ignore_errors=True)
    # A browser that is still dying may have written once more: whoever comes next tries again.
    if not made.is_dir():
        link.unlink(missing_ok=True)
