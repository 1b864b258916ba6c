"""Which errors a function raises, and under which conditions.

The conditions of a `raise` are the tests around it, and those of earlier branches that left the
function. Invariant: `settled` only if nothing but parameters that keep their value decides, with no
loop or handler around. Leaves out errors of what is called.
"""

import ast
from collections.abc import Iterable

import msgspec

from workers.writer.analyse.python.facts import Guard, Raised
from workers.writer.analyse.python.nodes import SCOPES, Callable_, names_in, own, said

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_PURE = frozenset({
    *("len", "isinstance", "abs", "min", "max", "sum", "any", "all", "str", "int", "float", "set"),
    *("type", "bool", "sorted", "list", "tuple", "round", "True", "False", "None", "dict", "bytes"),
})  # fmt: skip


class _Place(msgspec.Struct, frozen=True):
    """Where a statement stands."""

    guards: tuple[tuple[ast.expr, bool], ...] = ()
    caught: str = ""
    loose: bool = False


def raised(function: Callable_, constants: Iterable[str] = ()) -> tuple[Raised, ...]:
    """The errors of a function itself; `constants` are names that never change."""
    stable = _stable(function) | _PURE | set(constants)
    found: list[Raised] = []
    stack: list[tuple[list[ast.stmt], _Place]] = [(function.body, _Place())]
    while stack:
        body, place = stack.pop()
        for statement in body:
            if isinstance(statement, SCOPES):
                continue
            made = _made(statement, place, stable)
            found += [made] if made is not None else []
            stack += _inside(statement, place)
            place = _after(statement, place)
    return tuple(sorted(found, key=lambda one: one.line))


def _stable(function: Callable_) -> set[str]:
    """Parameters that keep their value."""
    args = function.args
    names = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    stored = {
        node.id
        for node, _ in own(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    unknown = set() if function.name == "__post_init__" else {"self", "cls"}
    return names - stored - unknown


def _inside(statement: ast.stmt, place: _Place) -> list[tuple[list[ast.stmt], _Place]]:
    """The bodies of a statement, each with what has to hold there."""
    change = msgspec.structs.replace
    match statement:
        case ast.If():
            holds = change(place, guards=(*place.guards, (statement.test, True)))
            fails = change(place, guards=(*place.guards, (statement.test, False)))
            return [(statement.body, holds), (statement.orelse, fails)]
        case ast.For() | ast.AsyncFor() | ast.While():
            loose = change(place, loose=True)
            return [(statement.body, loose), (statement.orelse, loose)]
        case ast.With() | ast.AsyncWith():
            return [(statement.body, place)]
        case ast.Try() | ast.TryStar():
            loose = change(place, loose=True)
            handlers = [
                (handler.body, change(loose, caught=said(handler.type) or "Exception"))
                for handler in statement.handlers
            ]
            bodies = (statement.body, statement.orelse, statement.finalbody)
            return [*((body, loose) for body in bodies), *handlers]
        case ast.Match():
            return [(case.body, change(place, loose=True)) for case in statement.cases]
        case _:
            return []


def _after(statement: ast.stmt, place: _Place) -> _Place:
    """What holds after a statement, if one of its branches leaves."""
    if isinstance(statement, ast.If):
        guards = place.guards
        if _leaves(statement.body):
            guards = (*guards, (statement.test, False))
        if statement.orelse and _leaves(statement.orelse):
            guards = (*guards, (statement.test, True))
        return msgspec.structs.replace(place, guards=guards)
    if isinstance(statement, ast.For | ast.While | ast.Try | ast.With | ast.Match):
        leaves = any(isinstance(node, _LEAVES) for node in ast.walk(statement))
        return msgspec.structs.replace(place, loose=place.loose or leaves)
    return place


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], _LEAVES)


def _made(statement: ast.stmt, place: _Place, stable: set[str]) -> Raised | None:
    if isinstance(statement, ast.Raise):
        error, message = _error(statement.exc)
        guards = place.guards
    elif isinstance(statement, ast.Assert):
        error, message = "AssertionError", _text(statement.msg)
        guards = (*place.guards, (statement.test, False))
    else:
        return None
    error = error or place.caught
    if not error:
        return None
    settled = not place.loose and all(names_in(test) <= stable for test, _ in guards)
    return Raised(
        error=error,
        message=message,
        guards=tuple(Guard(test=said(test), holds=holds) for test, holds in guards),
        caught=place.caught,
        settled=settled,
        line=statement.lineno,
    )


def _error(node: ast.expr | None) -> tuple[str, str]:
    """The class of an error and what it says, as far as that is fixed."""
    if isinstance(node, ast.Call):
        return said(node.func), _text(node.args[0]) if node.args else ""
    name = said(node)
    return (name, "") if name.rsplit(".", 1)[-1][:1].isupper() else ("", "")


def _text(node: ast.expr | None) -> str:
    """A fixed text, or the longest fixed part of one with holes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
        return max(parts, key=len, default="").strip()
    return ""
