"""Text in Markdown so that nothing from a page under test can become markup.

Invariant: what `text` and `code` return is one line; it cannot end a table's cell, begin a heading
or a list, make a link or a picture, carry HTML, or hold an escape code of a terminal.
"""

import re
from collections.abc import Iterable, Sequence

from coordinator.reporting.words import plain

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKS = re.compile(r"[\\`*\[\]|~#!$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def text(words: str, most: int = 2_000) -> str:
    """Words from anywhere, as a reader sees them; an en dash where there are none."""
    line = "".join(_ENTITIES.get(letter, letter) for letter in plain(words, most))
    return _MARKS.sub(lambda found: f"\\{found.group()}", line) or "–"


def code(words: str) -> str:
    """The same as code, also in a table; its fence is longer than any in the words."""
    line = re.sub(r"(\\*)\|", lambda run: f"{run[1]}{' ' if run[1] else ''}\\|", plain(words))
    if not line:
        return "–"
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], numbers: int = 0) -> list[str]:
    """The lines of a table of escaped cells; the last `numbers` columns are set to the right."""
    words = len(heads) - numbers
    rule = ["---"] * words + ["---:"] * numbers
    lines = [_row(heads), f"|{'|'.join(rule)}|"]
    return lines + [_row([str(cell) for cell in row]) for row in rows]


def items(lines: Iterable[str], most: int = 1_000) -> list[str]:
    """A list of escaped lines, or `None`, as an empty heading says."""
    found = list(lines)
    shown = [f"- {line}" for line in found[:most]] or ["None"]
    return shown + ([f"- … and {len(found) - most} more"] if len(found) > most else [])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
