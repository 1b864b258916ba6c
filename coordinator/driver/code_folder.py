"""The files of a project that is read for its routes, and nothing else of the disk.

The project may be hostile. Folders are walked without following links; a file that is a link is
read only if it ends inside of the project; what is no plain file, or too large, is refused.
Invariant: no byte is read that a reader did not ask for by name. Leaves out what the texts mean.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from coordinator.errors import RequestError
from coordinator.planning.code.model import Unreadable

LARGEST = 1_000_000
"""Bytes of one file: route files are small, generated ones are not routes."""
MOST_BYTES = 50_000_000
MOST_NAMES = 100_000
DEEPEST = 40

_NEVER = frozenset(("node_modules", "__pycache__", "site-packages", "bower_components", "venv"))
# Names that are build output at the top of a project, and may be routes below these folders.
_OUTPUT = frozenset(
    ("dist", "build", "out", "target", "vendor", "coverage", "env", "static", "public")
)
_ROUTED = frozenset(("src", "app", "pages", "routes"))


class CodeFolder:
    """The project's files by name, in order; opened once each, when a reader asks."""

    def __init__(self, root: Path) -> None:
        try:
            self._root = root.resolve(strict=True)
            self._is_folder = self._root.is_dir()
        except (OSError, RuntimeError) as error:
            raise _no_folder(root) from error
        if not self._is_folder:
            raise _no_folder(root)
        self._read_bytes = 0
        self.cut = False
        self._names = tuple(sorted(self._walk()))

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def text(self, name: str) -> str:
        """The text of one file; raises `Unreadable` with what is wrong."""
        path = self._inside(name)
        try:
            # Not blocking: a pipe with the name of a file is refused rather than waited for.
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError as error:
            raise Unreadable(error.strerror or "it cannot be opened") from error
        with open(handle, "rb") as file:  # noqa: PTH123 - a descriptor
            self._check(os.fstat(handle))
            data = file.read(LARGEST + 1)
        self._read_bytes += len(data)
        if len(data) > LARGEST:
            raise Unreadable("it grew while it was read")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unreadable(f"it is not UTF-8 text (byte {error.start})") from error

    def _inside(self, name: str) -> Path:
        """The file behind the name, links followed only as far as they stay in the project."""
        try:
            path = (self._root / name).resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise Unreadable("it is a link to nothing") from error
        if not path.is_relative_to(self._root):
            raise Unreadable("it is a link that leaves the project")
        return path

    def _check(self, about: os.stat_result) -> None:
        if not stat.S_ISREG(about.st_mode):
            raise Unreadable("it is no plain file")
        if about.st_size > LARGEST:
            raise Unreadable(
                f"it has {about.st_size:,} bytes; a route file has {LARGEST:,} at most"
            )
        if self._read_bytes + about.st_size > MOST_BYTES:
            raise Unreadable(f"more than {MOST_BYTES:,} bytes of this project were read already")

    def _walk(self) -> Iterator[str]:
        waiting = [""]
        count = 0
        while waiting:
            folder = waiting.pop()
            for entry in _entries(self._root / folder):
                name = f"{folder}/{entry.name}" if folder else entry.name
                if count >= MOST_NAMES:
                    self.cut = True
                    return
                if _is_folder(entry):
                    if not is_skipped(name) and name.count("/") < DEEPEST:
                        waiting.append(name)
                elif _is_named(entry):
                    count += 1
                    yield name


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []  # a folder that may not be read holds no routes for us


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_named(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file whose name can be said: one that is no text would break a message."""
    try:
        entry.name.encode()
        return entry.name.isprintable() and not (entry.is_symlink() and entry.is_dir())
    except (UnicodeEncodeError, OSError):
        return False


def is_skipped(folder: str) -> bool:
    """Whether a folder holds other people's code or what was built."""
    *above, name = folder.split("/")
    if name in _NEVER or name.startswith("."):
        return True
    return name in _OUTPUT and not _ROUTED & set(above)


def _no_folder(root: Path) -> RequestError:
    return RequestError(f"{root} is no folder", "give --from-code the folder of the app's project")
