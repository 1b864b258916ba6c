"""What a docstring says: its doctests, and the errors that it names.

Understood are the styles of Sphinx (`:raises X: when`), Google (`Raises:`) and NumPy (an underlined
`Raises`). A doctest that is skipped or whose output is elided is no example.
"""

import ast
import doctest
import re

from workers.writer.analyse.python.facts import Documented, Example
from workers.writer.analyse.python.nodes import Callable_

_SPHINX = re.compile(r"^\s*:(?:raises?|exception|throws)\s+([\w.]+)\s*:\s*(.*)$", re.MULTILINE)
_SECTION = re.compile(r"^(\s*)(?:Raises|Throws|Exceptions)\s*:?\s*$")
_ENTRY = re.compile(r"^\s*`{0,2}([A-Za-z_][\w.]*)`{0,2}\s*(?::\s*(.*))?$")
_PARSER = doctest.DocTestParser()
Documented_ = ast.Module | ast.ClassDef | Callable_


def docstring(node: Documented_) -> tuple[str, int]:
    """The docstring and the line it begins on."""
    text = ast.get_docstring(node, clean=False)
    if text is None or not node.body:
        return "", 0
    return text, node.body[0].lineno


def examples(text: str, first_line: int) -> tuple[Example, ...]:
    """The prompts of a docstring with what they print."""
    try:
        parts = _PARSER.get_examples(text)
    except ValueError:
        return ()
    return tuple(
        Example(
            source=part.source.strip(),
            want=part.want.strip() if part.exc_msg is None else "",
            error=(part.exc_msg or "").strip(),
            line=first_line + part.lineno,
        )
        for part in parts
        if not part.options.get(doctest.SKIP) and "..." not in _told(part)
    )


def _told(part: doctest.Example) -> str:
    """What is printed; of a traceback the last line, since its frames are left out by habit."""
    return part.want if part.exc_msg is None else part.exc_msg


def documented(text: str, first_line: int) -> tuple[Documented, ...]:
    """The errors that a docstring names."""
    found = [
        Documented(error=hit[1], when=hit[2].strip(), line=first_line + _lines(text, hit.start()))
        for hit in _SPHINX.finditer(text)
    ]
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if _SECTION.match(line):
            found += _section(lines, at, first_line)
    return tuple(found)


def _section(lines: list[str], at: int, first_line: int) -> list[Documented]:
    """The entries of a section; deeper lines tell when."""
    numpy = at + 1 < len(lines) and set(lines[at + 1].strip()) == {"-"}
    start = at + 2 if numpy else at + 1
    margin = _margin(lines[at])
    found: list[Documented] = []
    depth = -1
    for number, line in enumerate(lines[start:], start):
        if not line.strip():
            if numpy or not found:
                continue
            break
        here = _margin(line)
        if here < margin or (here == margin and not numpy):
            break
        depth = here if depth < 0 else depth
        entry = _ENTRY.match(line) if here == depth else None
        if here > depth and found:
            last = found.pop()
            when = f"{last.when} {line.strip()}".strip()
            found.append(Documented(error=last.error, when=when, line=last.line))
        elif entry is None or not entry[1].rsplit(".", 1)[-1][:1].isupper():
            break
        else:
            found.append(
                Documented(error=entry[1], when=(entry[2] or "").strip(), line=first_line + number)
            )
    return found


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _lines(text: str, at: int) -> int:
    return text.count("\n", 0, at)
