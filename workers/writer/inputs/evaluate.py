"""Conditions decided for given literals: comparisons, arithmetic and a few harmless calls.

Invariant: nothing of the project runs, and nothing takes long: no powers, no names but those given,
texts and lists of at most a thousand. What is not understood raises `Unknown`.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sized
from typing import Any

_COMPARES: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Div: operator.truediv, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
}  # fmt: skip
_CALLS: dict[str, Callable[..., Any]] = {
    "len": len, "abs": abs, "min": min, "max": max, "sum": sum, "bool": bool, "set": set,
    "isinstance": isinstance, "sorted": sorted, "any": any, "all": all, "type": type,
}  # fmt: skip
_TYPES: dict[str, Any] = {
    "int": int, "str": str, "float": float, "bool": bool, "list": list, "dict": dict,
    "tuple": tuple, "set": set, "bytes": bytes,
}  # fmt: skip
_METHODS = frozenset({
    *("strip", "lower", "upper", "startswith", "endswith", "isdigit", "isalpha", "isalnum"),
    *("isspace", "isupper", "islower", "keys", "values"),
})  # fmt: skip
_LONGEST = 1000


class Unknown(Exception):
    """The condition is not understood, or fails for these values."""


def holds(test: str, values: Mapping[str, object]) -> bool:
    """Whether a condition holds."""
    try:
        node = ast.parse(test, mode="eval").body
        return bool(_value(node, values))
    except Unknown:
        raise
    except (SyntaxError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise Unknown from error
    except (AttributeError, RecursionError, MemoryError) as error:
        raise Unknown from error


def _value(node: ast.expr, values: Mapping[str, object]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return _name(node.id, values)
    read = _READERS.get(type(node))
    if read is None:
        raise Unknown
    return read(node, values)


def _unary(node: ast.UnaryOp, values: Mapping[str, object]) -> object:
    value = _value(node.operand, values)
    if isinstance(node.op, ast.Not):
        return not value
    if isinstance(node.op, ast.USub):
        return -value
    raise Unknown


def _binary(node: ast.BinOp, values: Mapping[str, object]) -> object:
    operate = _BINARY.get(type(node.op))
    if operate is None:
        raise Unknown
    return _small(operate(_value(node.left, values), _value(node.right, values)))


def _held(node: ast.List | ast.Tuple | ast.Set, values: Mapping[str, object]) -> object:
    held = [_value(element, values) for element in node.elts]
    return held if isinstance(node, ast.List) else tuple(held)


def _name(name: str, values: Mapping[str, object]) -> object:
    if name in values:
        return values[name]
    if name in _TYPES:
        return _TYPES[name]
    raise Unknown


def _both(node: ast.BoolOp, values: Mapping[str, object]) -> object:
    """As Python does: the value that decided."""
    result: object = None
    for part in node.values:
        result = _value(part, values)
        if bool(result) is isinstance(node.op, ast.Or):
            return result
    return result


def _compared(node: ast.Compare, values: Mapping[str, object]) -> bool:
    left = _value(node.left, values)
    for op, part in zip(node.ops, node.comparators, strict=True):
        right = _value(part, values)
        if not _COMPARES[type(op)](left, right):
            return False
        left = right
    return True


def _called(node: ast.Call, values: Mapping[str, object]) -> object:
    arguments = [_value(argument, values) for argument in node.args]
    if node.keywords:
        raise Unknown
    if isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        return _CALLS[node.func.id](*arguments)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        return getattr(_value(node.func.value, values), node.func.attr)(*arguments)
    raise Unknown


def _small(value: object) -> object:
    if isinstance(value, Sized) and len(value) > _LONGEST:
        raise Unknown
    return value


_READERS: dict[type[ast.expr], Callable[[Any, Mapping[str, object]], object]] = {
    ast.UnaryOp: _unary,
    ast.BoolOp: _both,
    ast.Compare: _compared,
    ast.BinOp: _binary,
    ast.List: _held,
    ast.Tuple: _held,
    ast.Set: _held,
    ast.Call: _called,
}
