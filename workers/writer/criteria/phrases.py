"""Values as sentences name them: `5`, `the string 'a'`, `an empty list`, and what may stand around.

Invariant: a word that contradicts its value (`the string 5`) makes it no value.
"""

import re

from workers.writer.criteria.calls import sureness
from workers.writer.criteria.claims import Value, ValueKind
from workers.writer.criteria.literals import value_at

MODAL = (
    r"(?:(?:must|shall|should|will|has\s+to|have\s+to|needs?\s+to|is\s+expected\s+to"
    r"|is\s+required\s+to|to)\s+)?(?:always\s+|correctly\s+)?"
)
_NUMBERS = {ValueKind.INT, ValueKind.FLOAT, ValueKind.MONEY, ValueKind.PERCENT}
_NOUNS = {
    "string": {ValueKind.STR},
    "text": {ValueKind.STR},
    "str": {ValueKind.STR},
    "number": _NUMBERS,
    "integer": {ValueKind.INT},
    "int": {ValueKind.INT},
    "float": {ValueKind.FLOAT},
    "decimal": {ValueKind.FLOAT, ValueKind.OBJECT},
    "boolean": {ValueKind.BOOL},
    "bool": {ValueKind.BOOL},
    "list": {ValueKind.LIST},
    "array": {ValueKind.LIST},
    "tuple": {ValueKind.TUPLE},
    "pair": {ValueKind.TUPLE},
    "set": {ValueKind.SET, ValueKind.OBJECT},
    "dict": {ValueKind.DICT},
    "dictionary": {ValueKind.DICT},
    "object": {ValueKind.DICT, ValueKind.OBJECT},
    "mapping": {ValueKind.DICT},
    "date": {ValueKind.DATE, ValueKind.OBJECT},
    "bytes": {ValueKind.BYTES},
    "json": {ValueKind.DICT, ValueKind.LIST},
    "value": set(ValueKind),
}
_NOUN = re.compile(rf"(?:(?:the|an?)\s+)?({'|'.join(_NOUNS)})\s+(?=\S)", re.IGNORECASE)
_ARTICLE = re.compile(r"exactly\s+", re.IGNORECASE)
_EMPTY = re.compile(
    r"(?:an?\s+|the\s+)?empty\s+(list|array|string|text|dict|dictionary|object|mapping|tuple|set)\b",
    re.IGNORECASE,
)
_EMPTIES = {
    "list": ("[]", ValueKind.LIST),
    "array": ("[]", ValueKind.LIST),
    "string": ("''", ValueKind.STR),
    "text": ("''", ValueKind.STR),
    "tuple": ("()", ValueKind.TUPLE),
    "set": ("set()", ValueKind.SET),
}
_NOT = re.compile(r"\s*(?:,|\()\s*not\s+", re.IGNORECASE)
_ASIDE = re.compile(
    r"\s*\((?:(?:an?\s+)?empty\s+\w+|(?:in\s+)?(?:seconds|minutes|hours|days|cents|bytes)"
    r"|rounded(?:\s+(?:up|down))?)\)",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\s*,?\s+(?:because|since it is|as it is)\s+[^,;]+$", re.IGNORECASE)


def phrase_at(text: str, at: int) -> tuple[Value, int, float] | None:
    """The value named here, where it ends, and how sure it is."""
    exactly = _ARTICLE.match(text, at)
    at = exactly.end() if exactly is not None else at
    empty = _EMPTY.match(text, at)
    if empty is not None:
        source, kind = _EMPTIES.get(empty[1].lower(), ("{}", ValueKind.DICT))
        return Value(source=source, kind=kind, written=empty[0]), empty.end(), 0.9
    noun = _NOUN.match(text, at)
    read = value_at(text, noun.end() if noun is not None else at)
    if read is None:
        return None
    value, end = read
    if noun is not None and value.kind not in _NOUNS[noun[1].lower()]:
        return None
    return value, end, sureness(value)


def after_value(text: str, at: int) -> int:
    """Past what may follow a value without changing it: `, not 4`, `because …`."""
    denied = _NOT.match(text, at)
    if denied is not None and (read := value_at(text, denied.end())) is not None:
        at = read[1] + (text[read[1] : read[1] + 1] == ")")
    aside = _ASIDE.match(text, at)
    at = aside.end() if aside is not None else at
    reason = _BECAUSE.match(text, at)
    return reason.end() if reason is not None else at
