"""A text that an input's `pattern` takes, made from the pattern itself.

The pattern is a stranger's and is never run here: matching one may take for ever, writing down the
shortest text that it describes cannot. Understood is what forms use: literals, classes, groups,
alternatives, counts. Leaves out look-aheads and references, which give None.
"""

import string
from collections.abc import Iterator

_LONGEST = 200
_DEEPEST = 20
_CLASSES = {"d": "0123456789", "w": "mazetest1", "s": " ", "D": "m", "W": "-", "S": "m"}
_ANY = "maze"
_ALPHABET = string.ascii_letters + string.digits + " " + string.punctuation


class _Strange(Exception):
    """Something in the pattern that is not understood."""


def text_for(pattern: str, shortest: int = 0) -> str | None:
    """The shortest text of a pattern with at least so many characters, or None."""
    if len(pattern) > _LONGEST:
        return None
    for more in (0, shortest):
        try:
            made = _Maker(pattern, more).whole()
        except _Strange:
            return None
        if len(made) >= shortest:
            return made
    return None


class _Maker:
    """One pass over a pattern. `more`: how often what may repeat is repeated at least."""

    def __init__(self, pattern: str, more: int) -> None:
        self._pattern = pattern
        self._more = more
        self._at = 0

    def whole(self) -> str:
        made = self._alternatives(0)
        if self._at < len(self._pattern):
            raise _Strange
        return made

    def _peek(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self) -> str:
        taken = self._peek()
        if not taken:
            raise _Strange
        self._at += 1
        return taken

    def _alternatives(self, depth: int) -> str:
        """The first of them that is not empty; the others are only passed over."""
        if depth > _DEEPEST:
            raise _Strange
        made = [self._sequence(depth)]
        while self._peek() == "|":
            self._take()
            made.append(self._sequence(depth))
        return next((text for text in made if text), "")

    def _sequence(self, depth: int) -> str:
        told = ""
        while self._peek() and self._peek() not in "|)":
            letters = self._atom(depth)
            low, high = self._count()
            told += self._repeated(letters, low, high)
            if len(told) > _LONGEST:
                raise _Strange
        return told

    def _repeated(self, letters: str | list[str], low: int, high: int) -> str:
        """A class gives one letter after the other, a group the same text again."""
        wanted = min(max(low, self._more), high) if high > low else low
        if wanted == 0 and high > 0 and isinstance(letters, list):
            wanted = 0 if high == 1 else min(high, 1)
        if isinstance(letters, str):
            return letters * min(wanted, _LONGEST)
        return "".join(letters[n % len(letters)] for n in range(min(wanted, _LONGEST)))

    def _atom(self, depth: int) -> str | list[str]:
        taken = self._take()
        if taken in "^$":
            return ""
        if taken == "(":
            return self._group(depth)
        if taken == "[":
            return list(self._class())
        if taken == ".":
            return list(_ANY)
        if taken == "\\":
            return self._escaped()
        if taken in "*+?{":
            raise _Strange
        return taken

    def _group(self, depth: int) -> str:
        if self._peek() == "?":
            self._take()
            kind = self._take()
            if kind == "<":
                if self._peek() in "=!":
                    raise _Strange
                while self._take() != ">":
                    pass
            elif kind != ":":
                raise _Strange
        made = self._alternatives(depth + 1)
        if self._take() != ")":
            raise _Strange
        return made

    def _escaped(self) -> str | list[str]:
        taken = self._take()
        if taken in _CLASSES:
            return list(_CLASSES[taken])
        if taken in "bB":
            return ""
        if taken.isalnum():
            raise _Strange  # a reference, or a letter by its number
        return taken

    def _class(self) -> str:
        """The letters of a class, in its own order; of one that excludes, those that are left."""
        excludes = self._peek() == "^"
        if excludes:
            self._take()
        members = "".join(self._members())
        if excludes:
            members = "".join(letter for letter in _ALPHABET if letter not in members)
        if not members:
            raise _Strange
        return members

    def _members(self) -> Iterator[str]:
        while (taken := self._take()) != "]":
            first = self._escaped() if taken == "\\" else taken
            if isinstance(first, list):
                yield "".join(first)
            elif self._peek() == "-" and self._pattern[self._at + 1 : self._at + 2] not in {
                "]",
                "",
            }:
                self._take()
                last = self._take()
                last = self._take() if last == "\\" else last
                if ord(last) < ord(first or "\0"):
                    raise _Strange
                yield "".join(map(chr, range(ord(first), min(ord(last), ord(first) + 99) + 1)))
            else:
                yield first

    def _count(self) -> tuple[int, int]:
        """How often the atom before stands: at least, at most."""
        sign = self._peek()
        if sign and sign in "*+?":
            self._take()
            self._lazily()
            return {"*": (0, _LONGEST), "+": (1, _LONGEST), "?": (0, 1)}[sign]
        if sign != "{":
            return 1, 1
        self._take()
        low, comma, high = self._until("}").partition(",")
        self._lazily()
        if not low.isdecimal() or (high and not high.isdecimal()):
            raise _Strange
        most = int(high) if high else _LONGEST if comma else int(low)
        if int(low) > _LONGEST:
            raise _Strange
        return int(low), most

    def _lazily(self) -> None:
        if self._peek() == "?":
            self._take()

    def _until(self, end: str) -> str:
        told = ""
        while (taken := self._take()) != end:
            told += taken
            if len(told) > 9:
                raise _Strange
        return told
