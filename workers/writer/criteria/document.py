"""A text of criteria, taken apart into criteria: items of lists, paragraphs, tables, Given blocks.

Invariant: each line of text belongs to one criterion, a heading, a table or a block of code. What
stands under a heading like "Out of scope" is no criterion. The function that a table is about is
the last one named before it.
"""

import re

from workers.writer.criteria import given, table
from workers.writer.criteria.claims import Claim, Reading, Unread
from workers.writer.criteria.dispatch import read_criterion
from workers.writer.criteria.tidy import masked

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+\S|\s*(?:\*\*|__)?AC[- ]?\d+")
_FENCE = re.compile(r"\s*(```+|~~~+)\s*(\w*)")
_OUTSIDE = re.compile(
    r"(?:out[- ]of[- ]scope|non-?goals?|known (?:issues|bugs|problems)|open questions|deferred"
    r"|won'?t|rejected|history|changelog|notes?|background|current behaviou?r|actual)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`|\b([A-Za-z_][\w.]*)\((?:[\w\s,=]*)\)")
_CLAUSE = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?(?:given|when|then|and|but)\b", re.IGNORECASE)
_READ_CODE = frozenset({"gherkin", "feature"})
Lines = list[tuple[int, str]]


def read(text: str, first_line: int = 1) -> Reading:
    """All claims of a text, and what was not read."""
    claims: list[Claim] = []
    unread: list[Unread] = []
    target, outside, depth = "", False, 0
    for block in _blocks(text, first_line):
        first = block[0][1]
        heading = _HEADING.match(first)
        if heading is not None:
            level = len(first.split()[0])
            if not outside or level <= depth:
                outside, depth = bool(_OUTSIDE.match(heading[1])), level
            target = _named(heading[1]) or target
            continue
        made, missed = ([], []) if outside else _read_block(block, target)
        claims += made
        unread += missed
        target = _named(first) or target if not table.is_rule(block[-1][1]) else target
    return Reading(claims=tuple(claims), unread=tuple(unread))


def _read_block(block: Lines, target: str) -> tuple[list[Claim], list[Unread]]:
    line = block[0][0]
    whole = "\n".join(text for _, text in block)
    if len(block) > 1 and table.is_rule(block[1][1]):
        return table.read_table(block, target)
    joined = " ".join(text.strip() for _, text in block)
    if _breaks_a_string(block, joined):
        return [], [Unread(line=line, text=whole, why="a string goes on over a line")]
    if given.starts(whole):
        claims, unread = read_criterion(joined, line)
        return (claims, []) if claims and not unread else given.read_given(whole, line)
    if joined.rstrip().endswith(":") and _named(joined):
        return [], []  # it leads in to a table or a list
    return read_criterion(joined, line)


def _breaks_a_string(block: Lines, joined: str) -> bool:
    """Whether a line ends inside of a string, so that nobody knows what is in it."""
    hidden, at = masked(joined, brackets=False), -1
    for _, text in block[:-1]:
        at += len(text.strip()) + 1
        if hidden[at] == "\0":
            return True
    return False


def _named(text: str) -> str:
    """The function that a line names last."""
    found = list(_NAMED.finditer(text))
    return (found[-1][1] or found[-1][2]) if found else ""


def _blocks(text: str, first_line: int) -> list[Lines]:
    """Lines that belong together, in order."""
    blocks: list[Lines] = []
    current: Lines = []
    fence, kept = "", False
    lines = text.splitlines()
    for number, line in enumerate(lines[_front(lines) :], first_line + _front(lines)):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence, kept = ("", False) if fence else (mark[1], _kept(mark[2], current))
            if not kept and not fence:
                current = _closed(blocks, current)
            continue
        if fence:
            if kept:
                current.append((number, line))
            continue
        if not line.strip() or (current and _begins(line, current)):
            current = _closed(blocks, current)
        if line.strip():
            current.append((number, line))
    _closed(blocks, current)
    return blocks


def _front(lines: list[str]) -> int:
    """How many lines of metadata stand before the text."""
    if not lines or lines[0].strip() != "---" or "---" not in lines[1:]:
        return 0
    return lines.index("---", 1) + 1


def _kept(language: str, current: Lines) -> bool:
    """Whether a block of code is part of a criterion: scenarios, or the body of a request."""
    is_body = language == "json" and bool(current) and "/" in current[-1][1]
    return language.lower() in _READ_CODE or is_body


def _closed(blocks: list[Lines], current: Lines) -> Lines:
    if current:
        blocks.append(current)
    return []


def _begins(line: str, current: Lines) -> bool:
    """Whether a line begins something new."""
    first = current[0][1]
    if _HEADING.match(line) or _HEADING.match(first):
        return True
    if line.lstrip().startswith("|") != first.lstrip().startswith("|"):
        return True
    if re.match(r"\s*scenario\b", line, re.IGNORECASE):
        return True
    if given.starts(first) and _CLAUSE.match(line):
        has_then = any(re.search(r"\bthen\b", text, re.IGNORECASE) for _, text in current)
        return (
            has_then
            and re.match(r"\s*(?:[-*+]\s+)?(?:\*\*)?given\b", line, re.IGNORECASE) is not None
        )
    return _ITEM.match(line) is not None
