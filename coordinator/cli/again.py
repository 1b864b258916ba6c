"""The commands that a user is told to run next.

A run remembers its app, its routes and its results; how to log in, where the broker is and how far
to go it does not. Invariant: what was given as a flag stands in the command again, so that it can
be pasted as it is; passwords in an address are hidden.
"""

import re
import shlex
from dataclasses import dataclass
from typing import Any

from coordinator.settings import Settings

_PASSWORD = re.compile(r"(://[^/@\s]*:)[^/@\s]+@")
_KEPT = (
    "project",
    "routes",
    "login",
    "storage_state",
    "policy",
    "preset",
    "broker",
    "blobs",
    "concurrency",
    "metrics_port",
)


@dataclass(frozen=True)
class Again:
    """`go_on` with what is pending; `retry` what failed."""

    go_on: str
    retry: str


def again(settings: Settings) -> Again:
    """`mazewave explore` with the flags that were given."""
    words = ["mazewave", "explore"]
    for name in _KEPT:
        flag = f"--{name.replace('_', '-')}"
        if settings.sources[name] == flag:
            words += [flag, hidden(getattr(settings, name))]
    line = shlex.join(words)
    return Again(line, f"{line} --retry-failed")


def hidden(value: Any) -> str:
    """A setting as text, without a password in it."""
    return _PASSWORD.sub(r"\1…@", str(value))
