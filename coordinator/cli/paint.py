"""The painters: everything that mazewave writes to a terminal goes through here.

stdout carries the result, stderr the progress. Leaves out what is said; `live` and `plain` paint a
run while it goes on.
"""

import sys
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from contract import wire

PIPED_WIDTH = 160


def result(picture: RenderableType) -> None:
    """The result of a command, on stdout."""
    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console = Console(file=sys.stdout, highlight=False, width=PIPED_WIDTH)
    # A line that goes to a program or a file is never broken; the width is for tables.
    console.print(picture, soft_wrap=isinstance(picture, str) or not console.is_terminal)


def result_json(value: Any) -> None:
    """The result of a command for a program."""
    sys.stdout.write(wire.pretty(value).decode())


def say(text: str, style: str = "") -> None:
    """A line of progress, on stderr."""
    progress_console().print(Text(text, style=style), soft_wrap=True)


def complain(sentence: str, hint: str) -> None:
    """What went wrong, and what to do about it."""
    console = progress_console()
    console.print(Text.assemble(("error: ", "bold red"), sentence), soft_wrap=True)
    if hint:
        console.print(Text(f"  → {hint}"), soft_wrap=True)


def progress_console() -> Console:
    return Console(file=sys.stderr, highlight=False)
