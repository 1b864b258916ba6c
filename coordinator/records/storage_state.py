"""A Playwright storage-state file, checked before it is handed to workers.

Only the shape is checked: unknown fields pass, since Playwright adds some. Its content is a secret
and never appears in an error. Leaves out whether the session in it still lives.
"""

from pathlib import Path
from typing import Any

import msgspec

from contract import wire
from coordinator.errors import RequestError


class Cookie(msgspec.Struct, frozen=True):
    name: str
    value: str


class Origin(msgspec.Struct, frozen=True, rename="camel"):
    origin: str
    local_storage: list[dict[str, Any]] = []


class StorageState(msgspec.Struct, frozen=True):
    cookies: list[Cookie]
    origins: list[Origin] = []


def load(path: Path) -> bytes:
    """The bytes of a storage state that is well formed."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RequestError(
            f"there is no storage state at {path}", "check the path given to --storage-state"
        ) from None
    except OSError as error:
        raise RequestError(f"{path} cannot be read: {error.strerror}", "check its mode") from error
    try:
        wire.loads(data, StorageState)
    except wire.WireError as error:
        raise RequestError(
            f"{path.name} is no Playwright storage state: {error}",
            "write one with: playwright codegen --save-storage=FILE URL",
        ) from error
    return data
