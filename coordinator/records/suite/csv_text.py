r"""CSV as the suite writes it: RFC 4180, every field quoted, byte for byte the same each time.

Two layers of quoting lie on top of the one of CSV. *Lists* are joined by `;`, a `;` within an item
is `\;`, and backslashes count only in a run before a `;`, as in a Windows command line, so that
paths stay readable. *The guard*: a cell that a spreadsheet would run gets a leading `'`, which is
taken off again; a cell that begins with such a guard itself gets one more. Invariant:
`read(write(x)) == x` for every text but for blanks around list items. Leaves out what the columns
mean; errors name file, line and column.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn, TypeVar

from coordinator.errors import RequestError
from coordinator.records.atomic import host_error

E = TypeVar("E", bound=StrEnum)

_RUNS = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
_SEPARATOR = re.compile(r"(\\*);")
_TAIL = re.compile(r"\\+$")
_BIGGEST = 16 * 1024 * 1024
"""A cell may hold the whole text of a test file."""


def guarded(text: str) -> str:
    return f"'{text}" if _RUNS.match(text) else text


def unguarded(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text


def join(items: Iterable[str]) -> str:
    """A list as one cell."""
    kept = [item.strip() for item in items if item.strip()]
    escaped = [_SEPARATOR.sub(lambda run: f"{run[1] * 2}\\;", item) for item in kept]
    inner = [_TAIL.sub(lambda run: run[0] * 2, item) for item in escaped[:-1]]
    return ";".join([*inner, *escaped[-1:]])


def split(cell: str) -> tuple[str, ...]:
    """The items of a cell."""
    items, item, begin = [], "", 0
    for found in _SEPARATOR.finditer(cell):
        run = found[1]
        item += cell[begin : found.start()] + "\\" * (len(run) // 2)
        begin = found.end()
        if len(run) % 2:
            item += ";"
        else:
            items.append(item)
            item = ""
    items.append(item + cell[begin:])
    return tuple(kept for kept in (item.strip() for item in items) if kept)


def write(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The bytes of a file; lines end in CRLF as RFC 4180 has it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Cells:
    """One row of a file, its cells by column, and the line that it begins on."""

    file: str
    line: int
    by_name: Mapping[str, str]

    def fail(self, column: str, what: str, hint: str = "correct that cell") -> NoReturn:
        raise RequestError(f"{self.file} line {self.line}, column {column}: {what}", hint)

    def text(self, column: str) -> str:
        return self.by_name.get(column, "")

    def items(self, column: str) -> tuple[str, ...]:
        return split(self.text(column))

    def word(self, column: str, words: type[E]) -> E:
        """One of a closed list of words."""
        found = self.text(column).strip()
        try:
            return words(found)
        except ValueError:
            self.fail(column, f"{found!r} is not known", f"write one of: {', '.join(words)}")

    def maybe(self, column: str, words: type[E]) -> E | None:
        return self.word(column, words) if self.text(column).strip() else None

    def number(self, column: str) -> int:
        """A count; an empty cell is none."""
        found = self.text(column).strip() or "0"
        if not (found.isascii() and found.isdecimal()):
            self.fail(column, f"{found!r} is not a number")
        return int(found)

    def matching(self, column: str, pattern: str, like: str) -> str:
        """A name of a certain form."""
        found = self.text(column).strip()
        if not re.fullmatch(pattern, found, re.ASCII):
            self.fail(column, f"{found!r} is not a name like {like}")
        return found


def read_file(path: Path) -> str | None:
    """The text of a file that people may have saved from a spreadsheet; None if there is none."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise RequestError(
            f"{path.name} is not UTF-8 text: byte {error.start}", "save it as CSV UTF-8"
        ) from error
    except OSError as error:
        raise host_error(error, path) from error


def read(
    text: str, file: str, known: Callable[[list[str]], str | None]
) -> tuple[list[str], list[Cells]]:
    """Header and rows. `known` says what is wrong with a header, or None."""
    lines = _records(text, file)
    number, header = next(lines, (1, []))
    header = [name.strip() for name in header]
    if problem := known(header) or _twice(header):
        raise RequestError(f"{file} line {number}: {problem}", "restore the header of that file")
    rows = []
    for number, cells in lines:
        if cells and len(cells) != len(header):
            raise RequestError(
                f"{file} line {number} has {len(cells)} cells where {len(header)} are needed",
                "look for a quote that is missing in that line or before it",
            )
        if cells:
            plain = map(unguarded, cells)
            rows.append(Cells(file, number, dict(zip(header, plain, strict=True))))
    return header, rows


def _records(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Each record and the line that it begins on."""
    csv.field_size_limit(_BIGGEST)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        begin = reader.line_num + 1
        try:
            yield begin, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise RequestError(
                f"{file} line {begin} is not CSV: {error}", "correct the quotes of that line"
            ) from error


def _twice(header: list[str]) -> str | None:
    twice = [name for name in header if header.count(name) > 1]
    return f"the column {twice[0]} stands there twice" if twice else None


def exactly(columns: Sequence[str]) -> Callable[[list[str]], str | None]:
    """A header that holds these columns, in this order, and nothing else."""

    def problem(header: list[str]) -> str | None:
        if header == list(columns):
            return None
        return f"the columns must be {','.join(columns)}"

    return problem
