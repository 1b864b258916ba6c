"""Values of a type, by its annotation.

Invariant: the first value is the plain one; elements of a collection are distinct and not in order,
so that a wrong order shows; sizes are 0, 1 and 3; nesting ends at depth three. Leaves out protocols
and type variables without a bound: those give no value.
"""

import ast
from collections.abc import Mapping

from workers.writer.analyse.python.facts import Class, Field, Parameter

_PLAIN: dict[str, tuple[str, ...]] = {
    "int": ("3", "0", "1", "-1", "7"),
    "float": ("2.5", "0.0", "-1.5", "1.0"),
    "complex": ("2j", "0j"),
    "bool": ("True", "False"),
    "str": ("'maze'", "''", "'Two words'", "' pad '", "'\\xc9t\\xe9'"),
    "bytes": ("b'maze'", "b''"),
    "bytearray": ("bytearray(b'maze')", "bytearray()"),
    "None": ("None",),
    "Decimal": ("decimal.Decimal('2.50')", "decimal.Decimal('0')", "decimal.Decimal('-1.005')"),
    "Fraction": ("fractions.Fraction(1, 3)", "fractions.Fraction(0)"),
    "UUID": ("uuid.UUID('12345678-1234-5678-1234-567812345678')", "uuid.UUID(int=0)"),
    "Path": ("tmp_path / 'maze.txt'",),
    "date": ("datetime.date(2024, 2, 29)", "datetime.date(2023, 12, 31)"),
    "datetime": (
        "datetime.datetime(2024, 2, 29, 12, 30)",
        "datetime.datetime(2023, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)",
    ),
    "time": ("datetime.time(12, 30)", "datetime.time(0, 0)"),
    "timedelta": ("datetime.timedelta(days=1)", "datetime.timedelta(0)"),
    "Any": ("3", "'maze'", "[3, 1, 2]", "None"),
    "object": ("3", "'maze'", "None"),
}
_LISTS = frozenset({"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection"})
_ITERATORS = frozenset({"Iterator", "Generator"})
_SETS = {"set": "{%s}", "Set": "{%s}", "AbstractSet": "{%s}", "MutableSet": "{%s}"}
_FROZEN = frozenset({"frozenset", "FrozenSet"})
_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"})
_TUPLES = frozenset({"tuple", "Tuple"})
_WRAPPERS = frozenset({"Annotated", "Final", "Required", "NotRequired", "ReadOnly", "ClassVar"})
_DEEPEST = 3
_MOST = 8
Classes = Mapping[str, Class]


def values_of(annotation: str, classes: Classes, depth: int = 0) -> tuple[str, ...]:
    """Values of a type; none where it is not known."""
    try:
        node = ast.parse(annotation.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(dict.fromkeys(_values(node, classes, depth)))[:_MOST]


def _values(node: ast.expr, classes: Classes, depth: int) -> tuple[str, ...]:
    if depth > _DEEPEST:
        return ()
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return values_of(node.value, classes, depth)
        return ("None",) if node.value is None else ()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], classes, depth)
    if isinstance(node, ast.Subscript):
        return _generic(_last(node.value), _parts(node.slice), classes, depth)
    return _named(_last(node), classes, depth)


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rsplit(".", 1)[-1]


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _union(parts: list[ast.expr], classes: Classes, depth: int) -> tuple[str, ...]:
    """Two of each, and None at the end."""
    options = [_values(part, classes, depth) for part in parts]
    mixed = [value for found in options for value in found[:4]]
    return (*(v for v in mixed if v != "None"), *(["None"] if "None" in mixed else []))


def _named(name: str, classes: Classes, depth: int) -> tuple[str, ...]:
    if name in _PLAIN:
        return _PLAIN[name]
    if name in classes:
        return instances(classes[name], classes, depth)
    if name in _LISTS | _TUPLES | _DICTS | _FROZEN | _ITERATORS or name in _SETS:
        parts: list[ast.expr] = [ast.Name(id="str")] if name in _DICTS else []
        return _generic(name, [*parts, ast.Name(id="int")], classes, depth)
    return ("lambda value: value",) if name == "Callable" else ()


def _generic(name: str, parts: list[ast.expr], classes: Classes, depth: int) -> tuple[str, ...]:
    if name == "Literal":
        return tuple(ast.unparse(part) for part in parts)
    if name == "Optional":
        return _union([*parts, ast.Constant(value=None)], classes, depth)
    if name == "Union":
        return _union(parts, classes, depth)
    if name in _WRAPPERS:
        return _values(parts[0], classes, depth)
    if name == "Callable":
        return ("lambda value: value",)
    return _collection(name, parts, classes, depth + 1)


def _collection(name: str, parts: list[ast.expr], classes: Classes, depth: int) -> tuple[str, ...]:
    elements = _mixed(_values(parts[0], classes, depth))
    one, three = elements[:1], elements[:3]
    if name in _LISTS:
        return tuple(f"[{', '.join(some)}]" for some in (three, (), one))
    if name in _ITERATORS:
        return tuple(f"iter([{', '.join(some)}])" for some in (three, ()))
    if name in _FROZEN:
        return tuple(f"frozenset([{', '.join(some)}])" for some in (three, (), one))
    if name in _SETS:
        return f"{{{', '.join(three)}}}" if three else "set()", "set()", f"{{{', '.join(one)}}}"
    if name in _DICTS:
        return _dicts(elements, parts, classes, depth)
    return _tuples(parts, classes, depth) if name in _TUPLES else ()


def _mixed(values: tuple[str, ...]) -> tuple[str, ...]:
    """Not in their order, and none of them empty first: 3, 1, 2 rather than 0, 1, 2."""
    known = {_PLAIN["int"]: ("3", "1", "2"), _PLAIN["str"]: ("'c'", "'a'", "'b'")}
    return known.get(values, values)


def _dicts(
    keys: tuple[str, ...], parts: list[ast.expr], classes: Classes, depth: int
) -> tuple[str, ...]:
    held = _values(parts[1], classes, depth) if len(parts) > 1 else ()
    if not held or not keys:
        return ("{}",)
    pairs = [f"{key}: {held[at % len(held)]}" for at, key in enumerate(keys[:3])]
    return f"{{{', '.join(pairs)}}}", "{}", f"{{{pairs[0]}}}"


def _tuples(parts: list[ast.expr], classes: Classes, depth: int) -> tuple[str, ...]:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is Ellipsis:
        some = _mixed(_values(parts[0], classes, depth))[:3]
        return f"({', '.join(some)},)" if some else "()", "()"
    columns = [_values(part, classes, depth) for part in parts]
    if not all(columns):
        return ()
    rows = max(map(len, columns))
    picked = [[column[at % len(column)] for column in columns] for at in range(min(rows, 3))]
    return tuple(f"({', '.join(row)}{',' if len(row) == 1 else ''})" for row in picked)


def instances(cls: Class, classes: Classes, depth: int = 0) -> tuple[str, ...]:
    """Objects of a class of the project: members of an enum, else by its constructor."""
    if depth > _DEEPEST or cls.kind == "protocol":
        return ()
    if cls.kind == "enum":
        return tuple(f"{cls.name}.{member.name}" for member in cls.members)
    fields = _constructed_by(cls)
    required = [field for field in fields if field.default is None]
    columns = [values_of(field.annotation, classes, depth + 1) for field in required]
    if not all(columns):
        return ()
    rows = min(max(map(len, columns), default=1), 3)
    return tuple(
        _built(cls, required, [column[at % len(column)] for column in columns])
        for at in range(rows)
    )


def _constructed_by(cls: Class) -> tuple[Field | Parameter, ...]:
    init = cls.method("__init__")
    if init is None:
        return cls.fields
    return tuple(one for one in init.parameters[1:] if not one.kind.startswith("var_"))


def _built(cls: Class, fields: list[Field | Parameter], values: list[str]) -> str:
    if cls.kind == "typed_dict":
        pairs = ", ".join(
            f"{field.name!r}: {value}" for field, value in zip(fields, values, strict=True)
        )
        return f"{{{pairs}}}"
    words = [f"{field.name}={value}" for field, value in zip(fields, values, strict=True)]
    return f"{cls.name}({', '.join(words)})"
