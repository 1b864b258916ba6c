"""`.workflow/state.json`, the project's registry of artifacts: read, and one artifact added.

The file is not ours. Invariant: all but our one artifact stays as it was, in its order. A run that
reports twice has one artifact. A project without a registry gets none.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from contract import wire
from coordinator.records.atomic import write_atomic
from coordinator.records.suite.json_file import Document, Object, Part, load

HINT = "correct that field in the registry"
_TEST = "test"
_EXECUTE = "execute"


class Artifact(Part, frozen=True, kw_only=True):
    """What we read of an artifact."""

    id: str = ""
    type: str = ""
    milestone: str | int | None = None
    phase: str | int | None = None
    path: str = ""


class Registry(Part, frozen=True, kw_only=True):
    artifacts: tuple[Artifact, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is registered. `path` is relative to `.workflow`."""

    phase: int | None
    path: str
    defects: int
    created_at: datetime
    completed_at: datetime


def read(path: Path) -> Document[Registry] | None:
    """The registry, or None if the project has none."""
    return load(path, Registry, HINT)


def execute_of(registry: Registry, phase: int) -> Artifact | None:
    """The last artifact that carried a phase out: its folder is that of the phase."""
    found = [
        each
        for each in registry.artifacts
        if each.type == _EXECUTE and str(each.phase) == str(phase)
    ]
    return found[-1] if found else None


def add(path: Path, outcome: Outcome) -> str | None:
    """Register a run; the id of its artifact, or None without a registry."""
    document = read(path)
    if document is None:
        return None
    registry, raw = document.value, dict(document.raw)
    entries: list[Object] = list(raw.get("artifacts") or [])
    known = [each.type == _TEST and each.path == outcome.path for each in registry.artifacts]
    place = known.index(True) if True in known else len(entries)
    name = registry.artifacts[place].id if True in known else _next(registry)
    before = entries[place] if True in known else {}
    entries[place : place + 1] = [before | _artifact(name, registry, outcome)]
    raw["artifacts"] = entries
    write_atomic(path, wire.pretty(raw))
    return name


def _next(registry: Registry) -> str:
    numbers = [
        int(digits)
        for each in registry.artifacts
        if (digits := each.id.removeprefix("TST-")).isdecimal() and digits.isascii()
    ]
    return f"TST-{max(numbers, default=0) + 1:03d}"


def _artifact(name: str, registry: Registry, outcome: Outcome) -> Object:
    """The record, keys in the order of the format."""
    execute = None if outcome.phase is None else execute_of(registry, outcome.phase)
    return {
        "id": name,
        "type": _TEST,
        "milestone": execute.milestone if execute else None,
        "phase": outcome.phase,
        "scope": "phase" if outcome.phase is not None else "adhoc",
        "path": outcome.path,
        "status": "failed" if outcome.defects else "completed",
        "depends_on": execute.id if execute else None,
        "harvested": False,
        "created_at": outcome.created_at,
        "completed_at": outcome.completed_at,
    }
