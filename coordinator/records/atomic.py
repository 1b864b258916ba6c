"""Replacing a file whole: temporary file in the same folder, fsync, rename, fsync of the folder.

Invariant: a reader sees the old bytes or the new ones, never a part of either, whenever the process
or the machine dies. Every trouble of the disk becomes a `HostError` that names the file and the
remedy. Leaves out locking: `driver/workspace.py` has the one lock.
"""

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from coordinator.errors import HostError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


class DiskFullError(HostError):
    """There is no room left; the run pauses instead of ending."""


def host_error(error: OSError, path: Path) -> HostError:
    """The trouble with `path` as a sentence and a remedy."""
    if error.errno in _FULL:
        return DiskFullError(
            f"no room left on the disk for {path}",
            "free some space; nothing that was saved is damaged",
        )
    if error.errno in _FORBIDDEN:
        return HostError(
            f"{path} cannot be written: {error.strerror}",
            f"make {path.parent} writable, or choose another folder with --project",
        )
    return HostError(f"{path}: {error.strerror or error}", "check the folder, then run it again")


@contextlib.contextmanager
def disk_trouble(path: Path) -> Iterator[None]:
    """Turn the `OSError`s of a block into `HostError`s about `path`."""
    try:
        yield
    except OSError as error:
        raise host_error(error, path) from error


def write_atomic(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace `path` by `data`."""
    with disk_trouble(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", dir=path.parent)
        with ExitStack() as undo:
            undo.callback(Path(name).unlink, missing_ok=True)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            Path(name).replace(path)
            undo.pop_all()
        sync_folder(path.parent)


def write_synced(path: Path, data: bytes) -> None:
    """Write a file that nobody reads before its folder is renamed into place."""
    with disk_trouble(path), path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make renames within `folder` last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
