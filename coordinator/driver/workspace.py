"""The project's folder while a run holds it.

`.mazewave/` inside belongs to mazewave: mode 0700, ignored by git. Invariant: of all processes on
this machine at most one holds the folder; another one is told who does, and since when. The lock is
the kernel's, so it goes with its process, whatever way that ends. Leaves out runs on other
machines, which `office` keeps apart.
"""

import fcntl
import os
import secrets
import shutil
import socket
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from contract import wire
from coordinator.errors import HostError, RequestError
from coordinator.records.atomic import disk_trouble, write_atomic

OURS = ".mazewave"
LOCK = "run.lock"
REMEMBERED = 20
"""One that was killed before it took the office leaves it to the one before it, and so on."""
LEAST_FREE = 64 * 1024 * 1024
"""Bytes of free disk below which a run does not start."""


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """What the lock file says about who holds, or held, the folder."""

    pid: int
    since: datetime
    name: str
    former: tuple[str, ...] = ()


class Workspace:
    """Held by `with`. `predecessors`: earlier holders; the lock says that none of them lives."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.ours = self.folder / OURS
        self.name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self.predecessors: tuple[str, ...] = ()
        self._lock = -1

    def __enter__(self) -> Self:
        self._prepare()
        self._hold()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        os.close(self._lock)

    def _prepare(self) -> None:
        if self.folder.exists() and not self.folder.is_dir():
            raise RequestError(f"{self.folder} is a file", "name a folder with --project DIR")
        with disk_trouble(self.ours):
            self.ours.mkdir(parents=True, exist_ok=True)
            self.ours.chmod(0o700)
        ignore = self.ours / ".gitignore"
        if not ignore.exists():
            write_atomic(ignore, b"*\n")
        probe = self.folder / f".mazewave-probe-{os.getpid()}"
        with disk_trouble(probe):
            probe.touch()
            probe.unlink()
        free = shutil.disk_usage(self.folder).free
        if free < LEAST_FREE:
            raise HostError(
                f"only {free // 2**20} MiB are free for {self.folder}",
                f"free at least {LEAST_FREE // 2**20} MiB, or use another folder: --project DIR",
            )

    def _hold(self) -> None:
        path = self.ours / LOCK
        with disk_trouble(path):
            self._lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = _read(self._lock)
            os.close(self._lock)
            raise _busy(self.folder, other) from None
        before = _read(self._lock)
        if before is not None:
            self.predecessors = (*before.former, before.name)[-REMEMBERED:]
        self._write(
            Holder(
                pid=os.getpid(),
                since=datetime.now(UTC),
                name=self.name,
                former=self.predecessors,
            )
        )

    def _write(self, holder: Holder) -> None:
        """In place: a rename would leave the lock on a file that nobody opens any more."""
        data = wire.dumps(holder)
        with disk_trouble(self.ours / LOCK):
            os.pwrite(self._lock, data, 0)
            os.ftruncate(self._lock, len(data))


def _read(handle: int) -> Holder | None:
    try:
        return wire.loads(os.pread(handle, 64 * 1024, 0), Holder)
    except wire.WireError:
        return None


def _busy(folder: Path, other: Holder | None) -> RequestError:
    who = f"process {other.pid} since {other.since:%Y-%m-%d %H:%M:%S} UTC" if other else "another"
    return RequestError(
        f"a run of {folder} is going on already ({who})",
        "watch it with: mazewave status; or stop it with Ctrl-C where it runs",
    )


def holder_of(folder: Path) -> Holder | None:
    """Who holds the folder right now, without waiting or taking it."""
    try:
        handle = os.open(folder / OURS / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(handle)
    else:
        return None
    finally:
        os.close(handle)
