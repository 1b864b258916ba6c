"""Where a run in another process can be watched: `.mazewave/live.json`, as long as it goes on.

It holds the broker's address with its password, so it is for the owner's eyes only (0600 in a
folder of 0700). Leaves out the run itself; a file left behind by a crash is harmless.
"""

from pathlib import Path

import msgspec

from contract import wire
from contract.identity import RunId
from coordinator.records.atomic import write_atomic

NAME = "live.json"


class Live(msgspec.Struct, frozen=True, kw_only=True):
    broker: str
    namespace: str
    run_id: RunId


def write(ours: Path, broker: str, namespace: str, run_id: RunId) -> None:
    live = Live(broker=broker, namespace=namespace, run_id=run_id)
    write_atomic(ours / NAME, wire.dumps(live), mode=0o600)


def remove(ours: Path) -> None:
    (ours / NAME).unlink(missing_ok=True)


def read(ours: Path) -> Live | None:
    try:
        return wire.loads((ours / NAME).read_bytes(), Live)
    except (OSError, wire.WireError):
        return None
