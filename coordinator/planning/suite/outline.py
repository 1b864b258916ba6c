"""A Markdown document as the suite reads it: front matter, sections, list items, tables.

Invariant: every piece knows the line that it begins on, so that an error can name it. What stands
in a code fence is text, never a heading or an item. Leaves out what the pieces mean
(`requirements`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from coordinator.errors import RequestError

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_ITEM = re.compile(r"(\s*)(?:[-*+]\s+\[(?P<box>[ xX])\]|(?P<number>\d+)[.)]|[-*+])\s+(?P<text>.*)")
_RULE = re.compile(r"\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")
_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:\s*(.*)")
_ENTRY = re.compile(r"\s*-\s+(.*)")


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str
    fenced: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines up to the next one of any level."""

    level: int
    title: str
    line: int
    body: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A list entry of the outermost level, and what hangs below it, without its indent."""

    line: int
    text: str
    kind: str
    """`box`, `number` or `bullet`."""
    below: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """`front`: the front matter; a value is a text or a list of texts."""

    name: str
    front: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key of the front matter."""
    sections: tuple[Section, ...] = ()

    def fail(self, line: int, what: str, hint: str) -> NoReturn:
        raise RequestError(f"{self.name} line {line}: {what}", hint)

    def word(self, key: str) -> str:
        """A value of the front matter as one text."""
        value = self.front.get(key, "")
        return value if isinstance(value, str) else ", ".join(value)

    def words(self, key: str) -> tuple[str, ...]:
        """A value of the front matter as a list."""
        value = self.front.get(key, ())
        return _listed(value) if isinstance(value, str) else value

    def titled(self, pattern: str) -> Section | None:
        """The first section whose title matches."""
        for section in self.sections:
            if re.fullmatch(pattern, section.title.strip(), re.IGNORECASE):
                return section
        return None

    @property
    def title(self) -> str:
        return next((each.title for each in self.sections if each.level == 1), "")


def read(text: str, name: str) -> Document:
    """The document that `text` holds."""
    lines = text.removeprefix("\ufeff").splitlines()
    front: dict[str, str | tuple[str, ...]] = {}
    places: dict[str, int] = {}
    begin = 0
    if lines and lines[0].strip() == "---":
        begin = _front(lines, name, front, places)
    body = tuple(_fenced(lines, begin))
    return Document(name=name, front=front, lines=places, sections=tuple(_sections(body)))


def _front(
    lines: Sequence[str],
    name: str,
    front: dict[str, str | tuple[str, ...]],
    places: dict[str, int],
) -> int:
    """Read the front matter; how many lines it takes."""
    key = ""
    for number, line in enumerate(lines[1:], 2):
        if line.strip() in {"---", "..."}:
            return number
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if (entry := _ENTRY.fullmatch(line)) and key:
            before = front[key] or ()
            known = before if isinstance(before, tuple) else _listed(before)
            front[key] = (*known, _plain(entry[1]))
        elif found := _KEY.fullmatch(line):
            key = found[1].lower()
            places[key] = number
            bracketed = found[2].strip().startswith("[")
            front[key] = _listed(found[2]) if bracketed else _plain(found[2])
        elif not line[0].isspace():
            raise RequestError(
                f"{name} line {number}: {line.strip()[:40]!r} is not a field of the front matter",
                "write it as `name: value`, or close the front matter with `---` before it",
            )
    raise RequestError(
        f"{name} line 1: the front matter is not closed", "end it with a line of `---`"
    )


def _plain(value: str) -> str:
    value = re.sub(r"\s+#.*$", "", value).strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _listed(value: str) -> tuple[str, ...]:
    inner = _plain(value).removeprefix("[").removesuffix("]")
    return tuple(filter(None, (_plain(each) for each in inner.split(","))))


def _fenced(lines: Sequence[str], begin: int) -> Iterator[Line]:
    """The lines after the front matter, those in a code fence marked."""
    fence = ""
    for number, text in enumerate(lines[begin:], begin + 1):
        found = _FENCE.match(text)
        yield Line(number, text.expandtabs(4), fenced=bool(fence or found))
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and text.strip() == found[1]:
            fence = ""


def _sections(body: Sequence[Line]) -> Iterator[Section]:
    level, title, begin = 0, "", 1
    held: list[Line] = []
    for line in body:
        heading = None if line.fenced else _HEADING.match(line.text)
        if heading is None:
            held.append(line)
            continue
        yield Section(level, title, begin, tuple(held))
        level, title, begin = len(heading[1]), heading[2], line.number
        held = []
    yield Section(level, title, begin, tuple(held))


def items(body: Sequence[Line]) -> tuple[Item, ...]:
    """The outermost list entries of some lines, each with what hangs below it.

    A table or a code block that follows an entry belongs to it; other text at the margin does not
    once a blank line has ended the list.
    """
    found: list[Item] = []
    indent, ended = 0, False
    for line in body:
        match = None if line.fenced else _ITEM.fullmatch(line.text)
        blank = not line.text.strip() and not line.fenced
        if match and (not found or len(match[1]) <= indent):
            indent, ended = len(match[1]), False
            found.append(Item(line.number, match["text"].strip(), _kind(match)))
        elif found and not blank and not (ended and _at_margin(line)):
            last = found[-1]
            found[-1] = Item(last.line, last.text, last.kind, (*last.below, line))
        ended = ended or blank
    return tuple(found)


def _at_margin(line: Line) -> bool:
    return not (line.fenced or line.text.startswith((" ", "|")))


def _kind(match: re.Match[str]) -> str:
    if match["box"] is not None:
        return "box"
    return "number" if match["number"] is not None else "bullet"


def table(body: Sequence[Line]) -> tuple[tuple[Line, tuple[str, ...]], ...]:
    """The rows of the first table, its header first and its rule left out."""
    rows: list[tuple[Line, tuple[str, ...]]] = []
    for line in body:
        if not line.text.lstrip().startswith("|") or line.fenced:
            if rows:
                break
            continue
        if not _RULE.fullmatch(line.text):
            rows.append((line, _cells(line.text)))
    return tuple(rows)


def _cells(text: str) -> tuple[str, ...]:
    inner = text.strip().removeprefix("|").removesuffix("|")
    return tuple(cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", inner))
