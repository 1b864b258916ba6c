"""Arguments that people wrote: calls of a function with literals, in any Python text.

Tests, examples of documentation and callers are such texts. Invariant: only calls whose arguments
are all literals; a text that does not parse gives none.
"""

import ast
from collections.abc import Iterator

from workers.writer.analyse.python.facts import Function
from workers.writer.analyse.python.nodes import is_constant, said
from workers.writer.inputs.samples import Arguments, Origin, Sample


def recorded(text: str, function: Function, origin: Origin) -> tuple[Arguments, ...]:
    """The calls of a function in a text, in their order."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    calls = sorted(_calls(tree, function.name), key=lambda call: (call.lineno, call.col_offset))
    found = [_arguments(call, function, origin) for call in calls]
    return tuple(one for one in found if one is not None)


def _calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            func = node.func
            called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            if called == name:
                yield node


def _arguments(call: ast.Call, function: Function, origin: Origin) -> Arguments | None:
    """By parameter, or None where one is no literal or fits no parameter."""
    named = [one for one in function.parameters if not one.kind.startswith("var_")]
    if function.kind in {"method", "class", "property"}:
        named = named[1:]
    places = [one.name for one in named if one.kind != "keyword_only"]
    words = [word.arg for word in call.keywords]
    if len(call.args) > len(places) or not set(words) <= {one.name for one in named}:
        return None
    given = [*zip(places, call.args, strict=False), *((w.arg, w.value) for w in call.keywords)]
    if not all(is_constant(value) for _, value in given):
        return None
    why = f"written in line {call.lineno}"
    return Arguments(
        values=tuple(
            (name or "", Sample(source=said(value), origin=origin, why=why, line=call.lineno))
            for name, value in given
        ),
        why=why,
    )
