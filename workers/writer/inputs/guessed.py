"""The type of a parameter that has no annotation.

In this order: its default, what a docstring says, what the body does with it, its name; else a
ladder of types to be tried. Invariant: each guess says what it rests on.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from workers.writer.analyse.python.facts import Function, Parameter
from workers.writer.inputs.samples import Origin, Sample
from workers.writer.inputs.typed import Classes, values_of

_TEXT = frozenset({
    *("startswith", "endswith", "split", "strip", "lower", "upper", "replace", "title", "encode"),
    *("casefold", "lstrip", "rstrip", "splitlines", "isdigit", "isalpha", "format", "capitalize"),
    *("partition", "rsplit", "isupper", "islower", "join", "zfill", "isspace", "isalnum"),
})  # fmt: skip
_MAPPING = frozenset({"items", "keys", "values", "get", "setdefault"})
_LIST = frozenset({"append", "extend", "sort", "insert", "reverse"})
_SET = frozenset({"union", "intersection", "difference", "issubset"})
_LADDER = ("3", "'maze'", "[3, 1, 2]", "{'maze': 1}", "None")
_DOCS = (
    r":param\s+(?P<type>[\w.\[\], |]+?)\s+{name}\s*:",
    r":type\s+{name}\s*:\s*(?P<type>[\w.\[\], |]+)",
    r"^\s*{name}\s*\((?P<type>[\w.\[\], |]+?)(?:,\s*optional)?\)\s*:",
    r"^\s*{name}\s*:\s*(?P<type>[\w.\[\]|]+)(?:,\s*optional)?\s*$",
)
_SPOKEN = {"string": "str", "integer": "int", "boolean": "bool", "array": "list", "number": "float"}


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    text = resources.files(__package__).joinpath("names.toml").read_text("utf-8")
    return {word: tuple(values) for word, values in tomllib.loads(text)["words"].items()}


def guessed(parameter: Parameter, function: Function, classes: Classes) -> tuple[Sample, ...]:
    """Values for a parameter without an annotation."""
    kind, origin, why = _kind(parameter, function)
    found = values_of(kind, classes) if kind else ()
    if not found:
        found, origin, why = _by_name(parameter.name)
    return tuple(Sample(source=source, origin=origin, why=why) for source in found)


def kind_of(parameter: Parameter, function: Function) -> str:
    """The type of a parameter, as far as it can be told: as an annotation."""
    return parameter.annotation or _kind(parameter, function)[0]


def _kind(parameter: Parameter, function: Function) -> tuple[str, Origin, str]:
    default = _of_literal(parameter.default or "")
    if default:
        return default, Origin.DEFAULT, f"default {parameter.default}"
    documented = _documented(parameter.name, function.docstring)
    if documented:
        return documented, Origin.TYPE, "docstring"
    used, why = _by_use(parameter.name, function)
    return used, Origin.USE, why


def _of_literal(source: str) -> str:
    """The type of a literal by how it begins."""
    if source in {"True", "False"}:
        return "bool"
    if re.match(r"-?\d", source):
        return "float" if re.search(r"[.e]", source) else "int"
    found = {"'": "str", '"': "str", "[": "list", "{": "dict", "(": "tuple"}.get(source[:1], "")
    return "bytes" if source.startswith(("b'", 'b"')) else found


def _documented(name: str, text: str) -> str:
    for pattern in _DOCS:
        found = re.search(pattern.replace("{name}", re.escape(name)), text, re.MULTILINE)
        if found is not None:
            said = found["type"].strip()
            return _SPOKEN.get(said.lower(), said)
    return ""


def _by_use(name: str, function: Function) -> tuple[str, str]:
    """By what the body does with it."""
    used = [use for use in function.used if use.subject == name]
    attributes = {use.what for use in used if use.how == "attribute"}
    hows = {use.how for use in used}
    for kind, methods in (("str", _TEXT), ("dict", _MAPPING), ("list", _LIST), ("set", _SET)):
        if attributes & methods:
            return kind, f".{min(attributes & methods)}()"
    if "key" in hows:
        return "dict", "read by key"
    compared = [one for one in function.compared if one.subject == name]
    kinds = [_of_literal(one.constant) for one in compared if one.op not in {"in", "not in"}]
    if any(kinds):
        return next(kind for kind in kinds if kind), "compared with a constant"
    return _by_operators(hows, [_of_literal(use.what) for use in used if use.how == "added"])


def _by_operators(hows: set[str], added: list[str]) -> tuple[str, str]:
    found = {
        ("int", "used with %"): "modulo" in hows,
        ("list", "iterated or indexed"): {"slice", "index", "iterated", "subscript"} & hows,
        ("str", "added to a text"): "str" in added,
        ("float", "computed with"): {"computed", "rounded"} & hows,
    }
    return next((guess for guess, fits in found.items() if fits), ("", ""))


def _by_name(name: str) -> tuple[tuple[str, ...], Origin, str]:
    words = [name.lower(), *reversed(re.split(r"[_\d]+", name.lower()))]
    found = next((_names()[word] for word in words if word in _names()), None)
    if found is not None:
        return found, Origin.NAME, f"named {name}"
    return _LADDER, Origin.LADDER, "nothing tells its type"
