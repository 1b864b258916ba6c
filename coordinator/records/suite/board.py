"""discoveries.ndjson: the board that writers share, one record per line.

Append-only: bytes that stand there stay, malformed lines too, which are skipped and counted. A
record that is on the board already is not added. Invariant: a line is there whole or not at all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from contract import wire
from contract.discoveries import AnyDiscovery, key, unseen
from coordinator.records.atomic import write_atomic
from coordinator.records.suite.json_file import Object, read_bytes


@dataclass(frozen=True, slots=True)
class Board:
    """The first record of each key, in the order of the file; `skipped`: malformed lines."""

    records: tuple[AnyDiscovery, ...] = ()
    skipped: int = 0


def parse(data: bytes) -> Board:
    """The board that the bytes hold."""
    records: list[AnyDiscovery] = []
    skipped = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            records.append(_record(line))
        except wire.WireError:
            skipped += 1
    return Board(records=unseen(tuple(records), frozenset()), skipped=skipped)


def _record(line: bytes) -> AnyDiscovery:
    record: AnyDiscovery = wire.loads(line, AnyDiscovery)  # type: ignore[arg-type]  # a union
    return record


def load(path: Path) -> Board:
    """The board at `path`; an empty one if there is none."""
    return parse(read_bytes(path) or b"")


def append(path: Path, records: Iterable[AnyDiscovery]) -> int:
    """Add what is new; says how many records that were."""
    before = read_bytes(path) or b""
    known = frozenset(map(key, parse(before).records))
    fresh = unseen(tuple(records), known)
    if fresh:
        seam = b"" if before.endswith(b"\n") or not before else b"\n"
        write_atomic(path, before + seam + b"".join(map(_line, fresh)))
    return len(fresh)


def _line(record: AnyDiscovery) -> bytes:
    plain = wire.loads(wire.dumps(record), Object)
    ordered = {name: plain[name] for name in ("ts", "worker", "type", "data")}
    return wire.dumps(ordered) + b"\n"
