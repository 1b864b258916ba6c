"""The board: what writers tell each other about the project, one record per line.

Five kinds, each with a key; of two records with the same `key` the first one stands. Invariant: a
record says who saw it and when, and its `data` holds names and notes, never test code. Leaves out
the file (`coordinator/records/suite/board.py`).
"""

from datetime import datetime

import msgspec

from contract.vocabulary import Classification

Key = tuple[str, str]


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The `data` of a record."""


class Pattern(Part, frozen=True, kw_only=True):
    """How tests of this project are written; `file` shows it."""

    name: str
    file: str = ""
    note: str = ""


class Mock(Part, frozen=True, kw_only=True):
    """How a boundary (a client, a clock) is faked here."""

    target: str
    file: str = ""
    note: str = ""


class Shared(Part, frozen=True, kw_only=True):
    """A fixture that other tests may request by name."""

    name: str
    file: str = ""
    returns: str = ""


class Style(Part, frozen=True, kw_only=True):
    """The one convention of the project's tests."""

    quotes: str = ""
    layout: str = ""
    imports: str = ""
    note: str = ""


class Obstacle(Part, frozen=True, kw_only=True):
    """What keeps tests from being written or run. `affects`: ids of scenarios."""

    issue: str
    classification: Classification | None = None
    affects: tuple[str, ...] = ()


class Discovery(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """What every record has."""

    ts: datetime
    worker: str


class PatternSeen(Discovery, frozen=True, kw_only=True, tag="test_pattern"):
    data: Pattern


class MockSetup(Discovery, frozen=True, kw_only=True, tag="mock_setup"):
    data: Mock


class FixtureSeen(Discovery, frozen=True, kw_only=True, tag="fixture"):
    data: Shared


class Convention(Discovery, frozen=True, kw_only=True, tag="convention"):
    data: Style


class Blocker(Discovery, frozen=True, kw_only=True, tag="blocker"):
    data: Obstacle


AnyDiscovery = PatternSeen | MockSetup | FixtureSeen | Convention | Blocker


def key(record: AnyDiscovery) -> Key:
    """What makes two records the same discovery; there is one convention."""
    match record:
        case PatternSeen():
            return ("test_pattern", record.data.name)
        case MockSetup():
            return ("mock_setup", record.data.target)
        case FixtureSeen():
            return ("fixture", record.data.name)
        case Convention():
            return ("convention", "")
        case Blocker():
            return ("blocker", record.data.issue)


def unseen(records: tuple[AnyDiscovery, ...], known: frozenset[Key]) -> tuple[AnyDiscovery, ...]:
    """Those records that say something new, the first of each key."""
    fresh: dict[Key, AnyDiscovery] = {}
    for record in records:
        if key(record) not in known:
            fresh.setdefault(key(record), record)
    return tuple(fresh.values())
