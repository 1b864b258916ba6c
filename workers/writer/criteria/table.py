"""The table form: a Markdown table whose columns are parameters and what is expected of them.

Invariant: one column says what is expected or which error comes; a row with a cell that is no value
is given back as unread, and takes no other row with it. Cells hold literals; a bare word is a text
(`ValueKind.BARE`), which is less sure. A table with a column of whole calls is read call by call.
"""

import re

import msgspec

from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import (
    CallRaises,
    CallReturns,
    Case,
    Cases,
    Claim,
    Unread,
    Value,
    ValueKind,
)
from workers.writer.criteria.literals import whole_value
from workers.writer.criteria.phrases import phrase_at
from workers.writer.criteria.tidy import plain

_EXPECTED = re.compile(
    r"(?:expected(?: (?:result|output|value|return|return value))?|results?|returns?|outputs?"
    r"|return value|gives|->|=>)$",
    re.IGNORECASE,
)
_ERROR = re.compile(r"(?:(?:expected )?(?:error|exception)|raises|throws)$", re.IGNORECASE)
_CALL = re.compile(r"(?:call|expression|example|code)$", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:#|id|no\.?|case|name|notes?|comments?|description|why|reason)$", re.IGNORECASE
)
_PARAMETER = re.compile(r"[A-Za-z_]\w*$")
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_RAISES = re.compile(r"(?:raises?|throws?)?\s*([A-Z]\w*(?:Error|Exception|Warning))$")
_NOTHING = frozenset({"", "-", "–", "—", "n/a", "none"})
Reads = tuple[list[Claim], list[Unread]]


def is_rule(line: str) -> bool:
    """Whether a line parts the head of a table from its rows."""
    return "-" in line and "|" in line and _RULE.match(line) is not None


def cells(line: str) -> list[str]:
    """The cells of a row; a bar behind a backslash or in code parts none."""
    text = re.sub(r"`[^`]*`", lambda code: code[0].replace("|", "\0"), line.strip())
    text = text.replace(r"\|", "\0").removeprefix("|")
    text = text.removesuffix("|")
    return [cell.replace("\0", "|").strip() for cell in text.split("|")]


class _Columns(msgspec.Struct, frozen=True):
    names: tuple[str, ...]
    parameters: tuple[int, ...]
    expected: int
    error: int
    call: int


def read_table(lines: list[tuple[int, str]], target: str) -> Reads:
    """The claims of a table; `lines` with their numbers, the head first."""
    line, head = lines[0]
    columns = _columns([plain(cell) for cell in cells(head)])
    whole = "\n".join(text for _, text in lines)
    if columns is None:
        return [], [Unread(line=line, text=whole, why="no column says what is expected")]
    rows, unread = [], []
    claims: list[Claim] = []
    for number, text in lines[2:]:
        made = _row(cells(text), columns, number, text)
        if made is None:
            unread.append(Unread(line=number, text=text.strip(), why="a cell of it is no value"))
        elif isinstance(made, Case):
            rows.append(made)
        else:
            claims.append(made)
    if rows:
        claims.append(_cases(rows, columns, target, line, whole))
    return claims, unread


def _cases(rows: list[Case], columns: _Columns, target: str, line: int, whole: str) -> Cases:
    bare = any(
        value.kind is ValueKind.BARE
        for row in rows
        for value in (*row.arguments, *([row.expected] if row.expected else []))
    )
    return Cases(
        target=target,
        parameters=tuple(columns.names[at] for at in columns.parameters),
        rows=tuple(rows),
        line=line,
        text=whole,
        sure=(0.7 if bare else 1.0) if target else 0.6,
    )


def _columns(names: list[str]) -> _Columns | None:
    """Which column is what, or None where the table is about something else."""
    found = {"expected": -1, "error": -1, "call": -1}
    parameters = []
    for at, name in enumerate(names):
        kind = _kind(name)
        if kind in found and found[kind] == -1:
            found[kind] = at
        elif kind == "parameter":
            parameters.append(at)
        elif kind != "aside":
            return None
    if (found["expected"] < 0 and found["error"] < 0) or not (parameters or found["call"] >= 0):
        return None
    if found["call"] >= 0 and parameters:
        return None
    return _Columns(
        tuple(names), tuple(parameters), found["expected"], found["error"], found["call"]
    )


def _kind(name: str) -> str:
    kinds = {"expected": _EXPECTED, "error": _ERROR, "call": _CALL, "aside": _ASIDE}
    found = next((kind for kind, words in kinds.items() if words.match(name)), "")
    return found or ("parameter" if _PARAMETER.match(name) else "")


def _row(row: list[str], columns: _Columns, line: int, text: str) -> Case | Claim | None:
    if len(row) != len(columns.names):
        return None
    expected, error = _outcome(row, columns)
    if (expected is None) == (error == ""):
        return None
    if columns.call >= 0:
        return _called(plain(row[columns.call]), expected, error, line, text)
    arguments = [_cell(row[at]) for at in columns.parameters]
    if any(value is None for value in arguments):
        return None
    known = tuple(value for value in arguments if value is not None)
    return Case(line=line, arguments=known, expected=expected, error=error)


def _outcome(row: list[str], columns: _Columns) -> tuple[Value | None, str]:
    """What a row expects: a value or an error."""
    error = plain(row[columns.error]) if columns.error >= 0 else ""
    said = row[columns.expected] if columns.expected >= 0 else ""
    raised = _RAISES.match(plain(said)) or _RAISES.match(error)
    if raised is not None:
        return None, raised[1]
    if error.lower() not in _NOTHING or not said:
        return None, ""
    return _cell(said), ""


def _called(
    text: str, expected: Value | None, error: str, line: int, said: str
) -> CallReturns | CallRaises | None:
    head = call_at(text)
    if head is None or text[head[1] :].strip() or head[0].free:
        return None
    call, said = head[0], said.strip()
    if expected is None:
        return CallRaises(call=call, error=error, line=line, text=said)
    sure = 0.7 if expected.kind is ValueKind.BARE else call.sure
    return CallReturns(call=call, expected=expected, line=line, text=said, sure=sure)


def _cell(text: str) -> Value | None:
    """The literal of a cell, or its bare word."""
    bare = plain(text) if "`" in text else text.strip()
    value = whole_value(bare)
    if value is not None:
        return value
    phrase = phrase_at(bare, 0)
    if phrase is not None and phrase[1] == len(bare):
        return phrase[0]
    if re.fullmatch(r"[A-Za-z][\w-]*", bare) and bare.lower() not in _NOTHING:
        return Value(source=repr(bare), kind=ValueKind.BARE, written=bare)
    return None
