"""The facts of one function: its signature, its documentation, its body, its errors."""

import ast

from workers.writer.analyse.python.body import read_body
from workers.writer.analyse.python.docs import docstring, documented, examples
from workers.writer.analyse.python.effects import Aliases
from workers.writer.analyse.python.facts import Function, Parameter
from workers.writer.analyse.python.nodes import Callable_, said
from workers.writer.analyse.python.raising import raised

_KINDS = {"staticmethod": "static", "classmethod": "class", "property": "property",
    "cached_property": "property", "functools.cached_property": "property"}  # fmt: skip


def read_function(
    node: Callable_, known: Aliases, module_names: frozenset[str], owner: str = ""
) -> Function:
    """`owner` is the class around it."""
    text, first = docstring(node)
    body = read_body(node, known, module_names)
    decorators = tuple(said(decorator) for decorator in node.decorator_list)
    return Function(
        name=node.name,
        qualname=f"{owner}.{node.name}" if owner else node.name,
        kind=_kind(decorators, owner),
        line=node.lineno,
        end_line=node.end_lineno or node.lineno,
        parameters=parameters(node.args),
        returns=said(node.returns),
        decorators=decorators,
        is_async=isinstance(node, ast.AsyncFunctionDef),
        is_generator=body.is_generator,
        docstring=text,
        examples=examples(text, first),
        documented=documented(text, first),
        raised=raised(node, module_names),
        compared=body.compared,
        used=body.used,
        texts=body.texts,
        patterns=body.patterns,
        calls=body.calls,
        touches=body.touches,
        globals_changed=body.globals_changed,
        arguments_changed=body.arguments_changed,
        returns_a_value=body.returns_a_value,
    )


def parameters(args: ast.arguments) -> tuple[Parameter, ...]:
    """The signature, in the order in which it is written."""
    positional = [*args.posonlyargs, *args.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    only = len(args.posonlyargs)
    found = [
        _parameter(arg, "positional_only" if at < only else "positional", default)
        for at, (arg, default) in enumerate(
            zip(positional, [*missing, *args.defaults], strict=True)
        )
    ]
    if args.vararg is not None:
        found.append(_parameter(args.vararg, "var_positional", None))
    found += [
        _parameter(arg, "keyword_only", default)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    if args.kwarg is not None:
        found.append(_parameter(args.kwarg, "var_keyword", None))
    return tuple(found)


def _parameter(arg: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
    return Parameter(
        name=arg.arg,
        kind=kind,
        annotation=said(arg.annotation),
        default=said(default) if default is not None else None,
    )


def _kind(decorators: tuple[str, ...], owner: str) -> str:
    if not owner:
        return "function"
    found = (_KINDS.get(decorator) for decorator in decorators)
    return next((kind for kind in found if kind), "method")
