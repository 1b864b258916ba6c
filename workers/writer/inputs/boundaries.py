"""Values at the edges that a body shows: around its constants, lengths, texts, keys and moduli.

For each comparison with c: c-1, c, c+1. For `len(x) < n`: lengths n-1, n, n+1. For texts that are
looked for: none of them, one, two, in front, behind, doubled. Leaves out what patterns match.
"""

import ast
from collections.abc import Iterator, Mapping

from workers.writer.analyse.python.facts import Compared, Function, Parameter, Used
from workers.writer.inputs.guessed import kind_of
from workers.writer.inputs.samples import Origin, Sample, unique

_LETTERS = "cabdefghijklmnopqrstuvwxyz"
_LONGEST = 200
_SEARCHES = frozenset(
    f"method:{name}"
    for name in (
        *("startswith", "endswith", "split", "replace", "find", "index", "count", "strip"),
        *("partition", "rsplit", "removeprefix", "removesuffix", "lstrip", "rstrip", "rfind"),
    )
)
Constants = Mapping[str, str]


def boundaries(
    parameter: Parameter, function: Function, constants: Constants
) -> tuple[Sample, ...]:
    """The edges of one parameter; `constants` are the module's names with their values."""
    kind = kind_of(parameter, function).split("[")[0]
    found: list[Sample] = []
    for compared in function.compared:
        found += _compared(compared, parameter.name, kind, constants)
    for used in function.used:
        if used.subject == parameter.name:
            found += _used(used, kind)
        elif used.how == "rounded" and parameter.name in used.subject:
            found += _rounded(used)
    return unique(found)


def of_length(length: int, kind: str) -> str:
    """A value of a length; elements are distinct and not in order."""
    if kind in {"str", "Text"}:
        return repr((_LETTERS * (length // len(_LETTERS) + 1))[:length])
    if kind == "bytes":
        return repr((_LETTERS * (length // len(_LETTERS) + 1))[:length].encode())
    numbers = [str((n * 7 + 3) % max(length, 1) + 1) if length % 7 else str(length - n)
        for n in range(length)]  # fmt: skip
    if kind in {"dict", "Mapping"}:
        return "{" + ", ".join(f"'{_LETTERS[n % 26]}{n}': {n}" for n in range(length)) + "}"
    if kind in {"tuple", "Tuple"}:
        return f"({', '.join(numbers)}{',' if length == 1 else ''})"
    if kind in {"set", "frozenset"}:
        return f"{{{', '.join(numbers)}}}" if length else "set()"
    return f"[{', '.join(numbers)}]"


def _literal(source: str, constants: Constants) -> object:
    try:
        return ast.literal_eval(constants.get(source, source))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return ...


def _compared(compared: Compared, name: str, kind: str, constants: Constants) -> Iterator[Sample]:
    value = _literal(compared.constant, constants)
    why = f"{compared.subject} {compared.op} {compared.constant}"
    sources: list[str] = []
    if compared.subject == f"len({name})" and isinstance(value, int):
        lengths = [n for n in (value - 1, value, value + 1) if 0 <= n <= _LONGEST]
        sources = [of_length(n, kind) for n in lengths]
    elif compared.subject == name:
        sources = _around(value, kind)
    elif name in compared.subject and isinstance(value, int) and "%" not in compared.subject:
        sources = [str(value), str(value + 1)] if kind in {"int", "float", ""} else []
    for source in sources:
        yield Sample(source=source, origin=Origin.BOUNDARY, why=why, line=compared.line)


def _around(value: object, kind: str) -> list[str]:
    """A constant and its neighbours; of a collection its members and something else."""
    if isinstance(value, bool) or value is None:
        return [repr(value)]
    if isinstance(value, int):
        edges = [str(value - 1), str(value), str(value + 1)]
        return [*edges, repr(value - 0.001)] if kind == "float" else edges
    if isinstance(value, float):
        return [repr(round(value + step, 6)) for step in (-1, -0.001, 0, 0.001, 1)]
    if isinstance(value, str):
        return [repr(value), repr(value + "x"), repr(value.swapcase())]
    if isinstance(value, tuple | list | set):
        members = sorted(value, key=repr)[:3]
        other = "'maze-other'" if all(isinstance(one, str) for one in members) else "987654"
        return [*map(repr, members), other]
    return []


def _used(used: Used, kind: str) -> Iterator[Sample]:
    value = _literal(used.what, {})
    why = f"{used.how} {used.what}"
    sources: list[str] = []
    if used.how in _SEARCHES or (used.how == "has" and kind in {"str", ""}):
        sources = _around_text(value) if isinstance(value, str) else []
    elif used.how in {"slice", "index"} and isinstance(value, int):
        edge = abs(value)
        lengths = sorted({max(edge - 1, 0), edge, edge + 1, edge + 2} & set(range(_LONGEST)))
        sources = [of_length(n, kind) for n in lengths]
    elif used.how == "key" and isinstance(value, str):
        sources = [f"{{{value!r}: 3}}", "{}"] if kind in {"dict", "Mapping", ""} else []
    elif used.how == "modulo" and isinstance(value, int) and value:
        sources = [str(n) for n in (0, value - 1, value, value + 1)]
    elif used.how == "rounded":
        yield from _rounded(used)
    for source in sources:
        yield Sample(source=source, origin=Origin.BOUNDARY, why=why, line=used.line)


def _rounded(used: Used) -> Iterator[Sample]:
    """One decimal more than is kept: halves, where roundings differ."""
    digits = _literal(used.what, {})
    if isinstance(digits, int) and 0 <= digits <= 6:
        for value in ("2", "1"):
            source = f"{value}.{'0' * max(digits - 1, 0)}{'7' if digits else ''}5"
            yield Sample(source=source, origin=Origin.BOUNDARY, why="round", line=used.line)


def _around_text(text: str) -> list[str]:
    """A text that is looked for: nowhere, once, twice, in front, behind, doubled."""
    places = ("maze", "ma{}ze", "m{}a{}ze", "{}maze", "maze{}", "ma{}{}ze", "{}")
    return [repr(place.replace("{}", text)) for place in places] if text else []
