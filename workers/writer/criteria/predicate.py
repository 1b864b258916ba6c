"""The predicate form: what holds of a result without naming it: `f(x) is sorted`, `contains 'a'`.

One table of phrases; each says how many values follow and how they are told apart. A call with free
names is a predicate for all their values.
"""

import re

import msgspec

from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import Bound, Call, Op, Predicate, Value, ValueKind
from workers.writer.criteria.phrases import MODAL, after_value, phrase_at
from workers.writer.criteria.sentence import Found, Sentence

_BE = rf"{MODAL}(?:is|be|are|returns?|gives?|yields?|results?\s+in)\s+"
_DO = rf"{MODAL}"
_LIST = r"(?:an?\s+)?(?:list|array|sequence|result|string|value|number)?\s*(?:that\s+is\s+)?"
_REST = {
    "sorted_down": (
        Op.SORTED_DOWN,
        (
            rf"{_BE}(?:sorted|ordered)\s+(?:in\s+)?desc(?:ending)?"
            r"(?:\s+order)?\b"
        ),
    ),
    "sorted": (
        Op.SORTED,
        (
            rf"{_BE}(?:a\s+)?(?:sorted|ordered|in\s+ascending\s+order)"
            r"(?:\s+(?:list|array))?(?:\s+(?:in\s+)?asc(?:ending)?(?:\s+order)?)?\b"
        ),
    ),
    "unique": (
        Op.UNIQUE,
        (
            rf"(?:{_BE}(?:unique|duplicate-free|free\s+of\s+duplicates|distinct)"
            rf"|{_DO}(?:has|have|contains?)\s+(?:no\s+duplicates|(?:only\s+)?unique\s+"
            r"(?:elements|items|values|entries)))\b"
        ),
    ),
    "not_empty": (
        Op.NOT_EMPTY,
        rf"{_BE}(?:not\s+empty|(?:a\s+)?non-?empty(?:\s+(?:list|string))?)\b",
    ),
    "empty": (Op.EMPTY, rf"{_BE}empty(?!\s+\w)"),
    "truthy": (Op.TRUTHY, rf"{_BE}truthy\b"),
    "falsy": (Op.FALSY, rf"{_BE}falsy\b"),
}
_ZERO = {
    "non_negative": (
        Op.GE,
        (
            rf"(?:{_BE}(?:non-?negative|never\s+negative|not\s+negative)"
            r"|\s*is\s+never\s+negative)\b"
        ),
    ),
    "positive": (Op.GT, rf"{_BE}(?:strictly\s+)?positive\b"),
    "negative": (Op.LT, rf"{_BE}(?:strictly\s+)?negative\b"),
}
_ONE = {
    "lacks": (
        Op.LACKS,
        (
            r"(?:(?:does|must|should|shall|will)\s+not|doesn't)\s+"
            r"(?:contain|include)\s+"
        ),
    ),
    "contains": (Op.CONTAINS, rf"{_DO}(?:contains?|includes?)\s+"),
    "starts": (Op.STARTS, rf"{_DO}(?:starts?|begins?)\s+with\s+"),
    "ends": (Op.ENDS, rf"{_DO}ends?\s+with\s+"),
    "length": (
        Op.LENGTH,
        (
            rf"(?:{_DO}(?:has|have)\s+(?:a\s+)?(?:length|size)(?:\s+of)?\s+"
            rf"|{_BE}(?:an?\s+(?:list|array|string|tuple)\s+)?(?:of|with)\s+(?:length|size)\s+)"
        ),
    ),
    "ge": (
        Op.GE,
        (
            rf"(?:{_BE})?(?:>=|at\s+least|not\s+less\s+than|no\s+less\s+than"
            r"|greater\s+than\s+or\s+equal(?:\s+to)?)\s*"
        ),
    ),
    "le": (
        Op.LE,
        (
            rf"(?:{_BE})?(?:<=|at\s+most|not\s+(?:more|greater)\s+than"
            r"|no\s+more\s+than|less\s+than\s+or\s+equal(?:\s+to)?)\s*"
        ),
    ),
    "gt": (Op.GT, rf"(?:{_BE})?(?:>|greater\s+than|more\s+than|above)\s*(?!or\b)"),
    "lt": (Op.LT, rf"(?:{_BE})?(?:<|less\s+than|fewer\s+than|below)\s*(?!or\b)"),
    "ne": (
        Op.NE,
        (
            rf"(?:!==?\s*|(?:{_BE}(?:not\s+equal\s+to|different\s+from|not)"
            r"|(?:does|must|should|shall|will)\s+not\s+(?:equal|return|be))\s+)"
        ),
    ),
}
_TYPES = {
    "int": "int", "integer": "int", "float": "float", "number": "number", "string": "str",
    "str": "str", "bool": "bool", "boolean": "bool", "list": "list", "array": "list",
    "dict": "dict", "dictionary": "dict", "tuple": "tuple", "set": "set", "bytes": "bytes",
}  # fmt: skip
_IS_A = re.compile(
    rf"\s*(?:{_BE}(?:an?\s+|of\s+type\s+)(?:instance\s+of\s+(?P<cls>[A-Z]\w*)|(?P<type>\w+)"
    r"(?:\s+instance)?)|\s*instanceof\s+(?P<js>[A-Z]\w*))",
    re.IGNORECASE,
)
_MATCHES = re.compile(rf"\s*{_DO}match(?:es)?\s+(?:the\s+)?(?:pattern\s+|regex\s+)?", re.IGNORECASE)
_REGEX = re.compile(r"/((?:[^/\\\n]|\\.)+)/[a-z]*")
_BETWEEN = re.compile(rf"\s*(?:{_BE})?(?:in\s+(?:the\s+range\s+)?)?between\s+", re.IGNORECASE)
_WITHIN = re.compile(rf"\s*(?:{_BE})?within\s+(?:±\s*)?", re.IGNORECASE)
_NEAR = re.compile(rf"\s*(?:{_BE}|(?:==|=)\s*)", re.IGNORECASE)
_ITEMS = re.compile(
    rf"\s*{_DO}(?:has|have|contains?|returns?)\s+(?:exactly\s+)?(\d+)\s+"
    r"(?:items?|elements?|entries|entry|characters?|chars|rows?|keys?)(?!\w)",
    re.IGNORECASE,
)
_TWO_ENDS = re.compile(r"\s+and\s+", re.IGNORECASE)
_COMPILED = [
    (op, count, re.compile(rf"\s*{words}", re.IGNORECASE))
    for count, table in ((0, _REST), (-1, _ZERO), (1, _ONE))
    for op, words in table.values()
]
_Said = tuple[Op, tuple[Value, ...], int, float]


def read(sentence: Sentence, at: int) -> Found | None:
    """The claim that begins here, and where it ends."""
    head = call_at(sentence.text, at)
    if head is None or (sentence.domain is not None and not head[0].free):
        return None
    said = said_at(sentence.text, head[1])
    return None if said is None else _claim(sentence, head[0], said)


def _claim(sentence: Sentence, call: Call, said: _Said) -> Found:
    op, operands, end, sure = said
    domain: tuple[Bound, ...] = sentence.domain or ()
    claim = Predicate(call=call, op=op, operands=operands, domain=domain)
    sure = min(sure, call.sure, 0.9 if call.free and sentence.domain is None else 1.0)
    whole = msgspec.structs.replace(claim, line=sentence.line, text=sentence.said, sure=sure)
    return whole, after_value(sentence.text, end)


def said_at(text: str, at: int) -> _Said | None:
    """What is said of a subject that ended here."""
    for special in (_items, _within, _near, _between, _matches):
        found = special(text, at)
        if found is not None:
            return found
    simple = next((found for row in _COMPILED if (found := _simple(text, at, *row))), None)
    return simple or _is_a(text, at)


def _simple(text: str, at: int, op: Op, count: int, words: re.Pattern[str]) -> _Said | None:
    lead = words.match(text, at)
    if lead is None:
        return None
    if count == 0:
        return op, (), lead.end(), 0.9
    if count == -1:
        return op, (Value(source="0", kind=ValueKind.INT, written="0"),), lead.end(), 0.9
    value = phrase_at(text, lead.end())
    if value is None or (op is Op.LENGTH and value[0].kind is not ValueKind.INT):
        return None
    return op, (value[0],), value[1], value[2]


def _items(text: str, at: int) -> _Said | None:
    found = _ITEMS.match(text, at)
    if found is None:
        return None
    sure = 0.7 if "return" in found[0].lower() else 0.9
    return Op.LENGTH, (Value(source=found[1], kind=ValueKind.INT),), found.end(), sure


def _between(text: str, at: int) -> _Said | None:
    lead = _BETWEEN.match(text, at)
    low = phrase_at(text, lead.end()) if lead is not None else None
    joint = _TWO_ENDS.match(text, low[1]) if low is not None else None
    high = phrase_at(text, joint.end()) if joint is not None else None
    if low is None or high is None:
        return None
    end = re.compile(r"\s*,?\s*\(?inclusive\)?", re.IGNORECASE).match(text, high[1])
    sure = min(low[2], high[2], 1.0 if end else 0.9)
    return Op.BETWEEN, (low[0], high[0]), end.end() if end else high[1], sure


def _within(text: str, at: int) -> _Said | None:
    lead = _WITHIN.match(text, at)
    span = phrase_at(text, lead.end()) if lead is not None else None
    joint = re.compile(r"\s+of\s+", re.IGNORECASE).match(text, span[1]) if span else None
    middle = phrase_at(text, joint.end()) if joint is not None else None
    if span is None or middle is None:
        return None
    return Op.WITHIN, (span[0], middle[0]), middle[1], min(span[2], middle[2])


def _near(text: str, at: int) -> _Said | None:
    """`3.14 ± 0.01`."""
    lead = _NEAR.match(text, at)
    middle = phrase_at(text, lead.end()) if lead is not None else None
    joint = re.compile(r"\s*(?:±|\+/-|\+-)\s*").match(text, middle[1]) if middle else None
    span = phrase_at(text, joint.end()) if joint is not None else None
    if span is None or middle is None:
        return None
    return Op.WITHIN, (span[0], middle[0]), span[1], min(span[2], middle[2])


def _matches(text: str, at: int) -> _Said | None:
    lead = _MATCHES.match(text, at)
    if lead is None:
        return None
    regex = _REGEX.match(text, lead.end())
    if regex is not None:
        value = Value(source=repr(regex[1]), kind=ValueKind.REGEX, written=regex[0])
        return Op.MATCHES, (value,), regex.end(), 1.0
    pattern = phrase_at(text, lead.end())
    if pattern is None or pattern[0].kind is not ValueKind.STR:
        return None
    return Op.MATCHES, (pattern[0],), pattern[1], 0.9


def _is_a(text: str, at: int) -> _Said | None:
    found = _IS_A.match(text, at)
    if found is None:
        return None
    name = found["cls"] or found["js"] or _TYPES.get(found["type"].lower(), "")
    if not name:
        return None
    return Op.IS_A, (Value(source=name, kind=ValueKind.NAME, written=name),), found.end(), 0.9
