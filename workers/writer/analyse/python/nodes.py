"""Small questions about nodes of a syntax tree.

Invariant: walks keep their own stack, so depth is no trouble; `said` never raises.
"""

import ast
from collections.abc import Iterator

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
Callable_ = ast.FunctionDef | ast.AsyncFunctionDef


def said(node: ast.AST | None) -> str:
    """The source of a node, or nothing where it is nested too deeply."""
    if node is None:
        return ""
    try:
        return ast.unparse(node)
    except (RecursionError, ValueError):
        return ""


def own(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """All nodes of a scope with their parents, in the order of the source; no inner scopes."""
    stack: list[tuple[ast.AST, ast.AST]] = [(child, node) for child in reversed(list(_body(node)))]
    while stack:
        current, parent = stack.pop()
        yield current, parent
        if not isinstance(current, SCOPES):
            stack += [(child, current) for child in reversed(list(ast.iter_child_nodes(current)))]


def _body(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a scope runs: not its decorators, defaults and annotations."""
    if isinstance(node, Callable_ | ast.ClassDef | ast.Module):
        yield from node.body
    else:
        yield from ast.iter_child_nodes(node)


def dotted(node: ast.AST) -> str:
    """`a.b.c`, or nothing for what is no chain of names. A call in it is passed: `a().b`."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("()")
            node = node.func
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts)).replace(".()", "()")
        else:
            return "." + ".".join(reversed(parts)) if parts else ""


def is_constant(node: ast.AST) -> bool:
    """A literal: numbers with a sign, texts, and collections of them."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return all(map(is_constant, node.elts))
    if isinstance(node, ast.Dict):
        return all(key is not None and is_constant(key) for key in node.keys)
    return isinstance(node, ast.Constant) and node.value is not Ellipsis


def names_in(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
