"""A call as it stands in a sentence: `add(2, 3)`, `Cart().total()`, `len(split('a,b'))`, `f(x)[0]`.

Invariant: brackets and strings are respected, so a comma in a string parts nothing. Arguments are
literals, calls of the same kind, or free names; anything else (operators, lambdas, dots for "and so
on") makes it no call.
"""

import re

from workers.writer.criteria.claims import Call, Value, ValueKind
from workers.writer.criteria.literals import value_at

_HEAD = re.compile(r"(?:(?:await|new)\s+)?([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s?\(")
_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=(?![=>])|:)\s*")
_NAME = re.compile(r"\s*([a-zA-Z_]\w*)(?=\s*[,)])")
_PATH = re.compile(r"(?:\.[A-Za-z_]\w*(?![\w(])|\[(?:-?\d+|'[^']*'|\"[^\"]*\")\])+")
_MORE = re.compile(r"\.([A-Za-z_]\w*)\(")
_WRAPPERS = frozenset(
    {
        *("len", "list", "sorted", "set", "tuple", "dict", "str", "repr", "sum", "next", "round"),
        *("int", "float", "bool", "abs", "max", "min"),
    }
)
_NO_FUNCTION = frozenset(
    {
        *(
            "and",
            "or",
            "not",
            "if",
            "in",
            "is",
            "for",
            "while",
            "return",
            "print",
            "with",
            "as",
            "of",
        ),
        *("to", "the", "a", "an"),
    }
)
_UNSURE = {ValueKind.MONEY: 0.8, ValueKind.PERCENT: 0.6, ValueKind.UNDEFINED: 0.9}
_DEEPEST = 8


def call_at(text: str, at: int = 0, depth: int = 0) -> tuple[Call, int] | None:
    """The call that begins here, and where it ends."""
    head = _HEAD.match(text, at)
    if head is None or depth > _DEEPEST or head[1] in _NO_FUNCTION:
        return None
    read = _arguments(text, head.end(), depth)
    if read is None or head[1] == "Date":  # dates of JavaScript are read as literals or not at all
        return None
    arguments, end = read
    call = _call(head[1], arguments)
    while (more := _MORE.match(text, end)) is not None:
        read = _arguments(text, more.end(), depth)
        if read is None:
            return None
        call, end = _chained(call, more[1], read[0]), read[1]
    return _with_path(call, text, end)


def sureness(value: Value) -> float:
    """How sure it is that a value means what it says: of 25% nobody knows whether it is 0.25."""
    return _UNSURE.get(value.kind, 1.0)


def _arguments(text: str, at: int, depth: int) -> tuple[tuple[Value, ...], int] | None:
    found: list[Value] = []
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        if text[at : at + 1] == ")":
            return tuple(found), at + 1
        read = _argument(text, at, depth)
        if read is None:
            return None
        value, at = read
        if found and found[-1].name and not value.name:
            return None
        found.append(value)
        after = re.compile(r"\s*(,\s*|(?=\)))").match(text, at)
        if after is None:
            return None
        at = after.end()


def _argument(text: str, at: int, depth: int) -> tuple[Value, int] | None:
    keyword = _KEYWORD.match(text, at)
    name = keyword[1] if keyword is not None else ""
    start = keyword.end() if keyword is not None else at
    read = value_at(text, start)
    if read is not None and re.compile(r"\s*[,)]").match(text, read[1]):
        value, end = read
        return Value(source=value.source, kind=value.kind, written=value.written, name=name), end
    inner = call_at(text, start, depth + 1)
    if inner is not None:
        call, end = inner
        source = call.source
        kind = ValueKind.CALL
        return Value(source=source, kind=kind, written=text[start:end], name=name), end
    free = _NAME.match(text, start)
    if free is None:
        return None
    return Value(source=free[1], kind=ValueKind.NAME, written=free[1], name=name), free.end()


def _call(target: str, arguments: tuple[Value, ...]) -> Call:
    source = f"{target}({shown(arguments)})"
    sure = min((sureness(value) for value in arguments), default=1.0)
    whole = Call(
        target=target, source=source, arguments=arguments, free=_free(arguments), sure=sure
    )
    first = arguments[0] if arguments else None
    if target not in _WRAPPERS or first is None or first.kind is not ValueKind.CALL:
        return whole
    inner = call_at(first.source)
    if inner is None:
        return whole
    return Call(
        target=inner[0].target,
        source=source,
        arguments=inner[0].arguments,
        receiver=inner[0].receiver,
        free=whole.free,
        sure=sure,
    )


def _chained(before: Call, target: str, arguments: tuple[Value, ...]) -> Call:
    return Call(
        target=target,
        source=f"{before.source}.{target}({shown(arguments)})",
        arguments=arguments,
        receiver=before.source,
        free=tuple(dict.fromkeys((*before.free, *_free(arguments)))),
        sure=min([before.sure, *map(sureness, arguments)]),
    )


def _with_path(call: Call, text: str, end: int) -> tuple[Call, int]:
    """With what is taken out of its result: an attribute, an item, the length of JavaScript."""
    path = _PATH.match(text, end)
    if path is None:
        return call, end
    taken = path[0]
    source = call.source + taken
    if taken.endswith(".length"):
        source = f"len({call.source}{taken.removesuffix('.length')})"
    return (
        Call(
            target=call.target,
            source=source,
            arguments=call.arguments,
            receiver=call.receiver,
            free=call.free,
            sure=call.sure,
        ),
        path.end(),
    )


def shown(arguments: tuple[Value, ...]) -> str:
    """Arguments as Python source."""
    return ", ".join(f"{v.name}={v.source}" if v.name else v.source for v in arguments)


def _free(arguments: tuple[Value, ...]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for value in arguments:
        if value.kind is ValueKind.NAME:
            names[value.source] = None
        elif value.kind is ValueKind.CALL and (inner := call_at(value.source)) is not None:
            names.update(dict.fromkeys(inner[0].free))
    return tuple(names)
