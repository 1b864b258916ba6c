"""How an exception is told to people: its class, and where in our own code it passed.

Invariant: no message, no arguments, no source lines; those may hold page content or secrets.
"""

import traceback
from pathlib import Path

import workers

_ROOT = Path(workers.__file__).parent.parent
_OURS = ("workers/", "contract/", "tests/")
MAX_FRAMES = 12


def describe(error: BaseException) -> str:
    """`ValueError` and our frames, innermost last: `workers/browser/walk.py:12 step`."""
    frames = [
        f"{name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if (name := _own_name(frame.filename))
    ]
    return "\n  ".join([type(error).__name__, *frames[-MAX_FRAMES:]])


def _own_name(filename: str) -> str | None:
    path = Path(filename)
    if not path.is_relative_to(_ROOT):
        return None
    name = path.relative_to(_ROOT).as_posix()
    return name if name.startswith(_OURS) else None
