"""What the readers of code share: the files they may ask for, and what they hand back.

Readers are pure: a `Sources` gives them names and texts, and whatever it refuses to give is a note.
Invariant: nothing of the project is executed, imported or evaluated. Leaves out the disk, which is
`driver/code_folder`'s.
"""

from collections.abc import Iterable
from typing import Protocol

import msgspec

DEEPEST = 60
"""How far routes, values and includes are followed into one another: beyond any real project."""

LONGEST = 2_000
"""Characters of a path: the limit keeps a text that doubles itself small."""


class Unreadable(Exception):
    """A file that is refused: too large, no text, outside of the project. The message says why."""


class Sources(Protocol):
    """The files of a project, by their path inside it with `/` between the parts."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def text(self, name: str) -> str:
        """The text of a file; raises `Unreadable`."""
        ...


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A path that the code declares.

    `path` is written with `:name` for a parameter, `:name?` for one that may be missing, `:name+`
    and `:name*` for the rest of the path, whatever the framework's own notation. `reason` is empty
    for a page.
    """

    path: str
    file: str
    line: int = 0
    reason: str = ""


class Branch(msgspec.Struct, kw_only=True):
    """A route that may hold others, as three of the frameworks nest them.

    `path` is None where a route only wraps others. `page`: it shows something of its own.
    """

    path: str | None
    file: str
    line: int
    page: bool = True
    index: bool = False
    reason: str = ""
    children: list["Branch"] = msgspec.field(default_factory=list)


class Ledger:
    """Collects what is found in one reading, in the order it was met."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._notes: dict[str, None] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    def add(self, path: str, file: str, line: int = 0, reason: str = "") -> None:
        if len(path) > LONGEST:
            self.note(file, line, "its path is too long")
        else:
            self.found.append(Found(path=_clean(path), file=file, line=line, reason=reason))

    def note(self, file: str, line: int, text: str) -> None:
        where = f"{file}:{line}" if line else file
        self._notes.setdefault(_clean(f"{where}: {text}"))


def _clean(text: str) -> str:
    """Text of a stranger, without what would move a terminal's cursor."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


class Project:
    """The part of a repository that belongs to one manifest, and the ledger of the reading."""

    def __init__(self, sources: Sources, ledger: Ledger, root: str, names: Iterable[str]) -> None:
        self.sources = sources
        self.ledger = ledger
        self.root = root
        self.names = tuple(names)
        self.known = frozenset(sources.names)
        self._texts: dict[str, str | None] = {}

    def inside(self, name: str) -> str:
        """A file's path below the root of this part."""
        return name.removeprefix(f"{self.root}/") if self.root else name

    def below(self, path: str) -> str:
        """The repository's path of one below this part's root."""
        return f"{self.root}/{path}" if self.root else path

    def text(self, name: str) -> str | None:
        """The text of a file, or None with a note."""
        if name not in self._texts:
            try:
                self._texts[name] = self.sources.text(name)
            except Unreadable as why:
                self._texts[name] = None
                self.ledger.note(name, 0, f"left out: {why}")
        return self._texts[name]
