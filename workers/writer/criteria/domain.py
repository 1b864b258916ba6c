"""What a "for all" says: `for all x`, `for every non-negative integer n`, `for any a, b >= 0`.

Invariant: a domain that is not understood wholly is None, since a relation that is tried outside of
its domain accuses code that is right.
"""

import re

from workers.writer.criteria.claims import Bound, Op
from workers.writer.criteria.literals import whole_value

_BEFORE = re.compile(
    r"(?:for\s+(?:all|any|every|each)|∀)\s+([^:]+?)\s*(?:[:,]\s*)(?=\S+\()", re.IGNORECASE
)
_AFTER = re.compile(
    r"\s*[,(]?\s*(?:for\s+(?:all|any|every|each)|∀)\s+([^()]+?)\)?\s*$", re.IGNORECASE
)
_WHERE = re.compile(
    r"\s*,?\s+(?:where|if|when|given)\s+(\w\s*(?:>=|<=|>|<|!=)\s*-?[\d.]+)\s*$", re.IGNORECASE
)
_COMPARED = re.compile(r"(?:(?:with|where)\s+)?(\w+)\s*(>=|<=|>|<|!=)\s*(\S+)$")
_NAMED = re.compile(
    r"(?:values?\s+(?:of\s+)?)?(?:(non-?negative|positive|negative|non-?empty)\s+)?"
    r"(?:(\w+?)\s+)?([a-z]\w?|[a-z]\d|xs|ys|text|items|value|values|number|name|key)"
    r"(?:\s+in\s+(\w+))?$",
    re.IGNORECASE,
)
_TYPES = {
    "int": "int", "ints": "int", "integer": "int", "integers": "int", "number": "number",
    "numbers": "number", "float": "float", "floats": "float", "string": "str", "strings": "str",
    "text": "str", "texts": "str", "list": "list", "lists": "list", "array": "list",
    "arrays": "list", "bool": "bool", "booleans": "bool", "dict": "dict", "dicts": "dict",
}  # fmt: skip
_LIMITS = {"nonnegative": (Op.GE, "0"), "positive": (Op.GT, "0"), "negative": (Op.LT, "0")}
_OPS = {">=": Op.GE, "<=": Op.LE, ">": Op.GT, "<": Op.LT, "!=": Op.NE}


class UnclearDomainError(Exception):
    """A "for all" whose extent is not understood."""


def without_domain(text: str) -> tuple[str, tuple[Bound, ...] | None]:
    """The sentence without its "for all", and what that said; None where there is none."""
    for pattern in (_BEFORE, _AFTER, _WHERE):
        found = pattern.search(text) if pattern is not _BEFORE else pattern.match(text)
        if found is None:
            continue
        rest = text[found.end() :] if pattern is _BEFORE else text[: found.start()]
        return rest.strip(), _bounds(found[1])
    return text, None


def _bounds(said: str) -> tuple[Bound, ...]:
    bounds: list[Bound] = []
    carried = ""
    for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", said.strip()):
        made, carried = _one(part.strip(), carried)
        bounds += made
    return tuple(bounds)


def _one(part: str, carried: str) -> tuple[list[Bound], str]:
    """The bounds of one name. A type goes on for the names after it: `integers a, b`."""
    compared = _COMPARED.match(part)
    if compared is not None:
        value = whole_value(compared[3])
        if value is None:
            raise UnclearDomainError
        return [Bound(name=compared[1], op=_OPS[compared[2]], value=value.source)], carried
    named = _NAMED.match(part)
    if named is None:
        raise UnclearDomainError
    adjective, before, name, after = named.groups()
    kind = before or after or carried
    if kind and kind.lower() not in _TYPES:
        raise UnclearDomainError
    bounds = [Bound(name=name, op=Op.IS_A, value=_TYPES[kind.lower()])] if kind else []
    plain = (adjective or "").lower().replace("-", "")
    if plain == "nonempty":
        bounds.append(Bound(name=name, op=Op.NOT_EMPTY, value=""))
    elif plain:
        op, value_text = _LIMITS[plain]
        bounds.append(Bound(name=name, op=op, value=value_text))
    return bounds, kind
