"""Literals of Python and JavaScript, dates, money and percentages, read into Python expressions.

`value_at(text, at)` reads one literal and says where it ends. Invariant: what it returns parses as
a Python expression that holds no free name; numbers that two readings fit (`007`, `1,000` on its
own) are none. Nothing is evaluated. Leaves out comprehensions, arithmetic and templates with holes.
"""

import ast
import re

from workers.writer.criteria.claims import Value, ValueKind

_DEEPEST = 20
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_NUMBER = re.compile(
    r"[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+"
    r"|(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?)"
)
_DATE = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:\d\d)?)?"
)
_SIGN_FIRST = re.compile(r"(-?)([$€£¥])\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_SIGN_LAST = re.compile(r"\s?(?:[€£¥]|(?:EUR|USD|GBP|CHF|JPY)\b)")
_STRING = re.compile(
    r"""([bBrR]{0,2})("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)"""
)
_CURLY = re.compile("“([^“”]*)”|«([^«»]*)»")
_CONSTANTS = {
    "True": ("True", ValueKind.BOOL),
    "False": ("False", ValueKind.BOOL),
    "true": ("True", ValueKind.BOOL),
    "false": ("False", ValueKind.BOOL),
    "TRUE": ("True", ValueKind.BOOL),
    "FALSE": ("False", ValueKind.BOOL),
    "None": ("None", ValueKind.NONE),
    "null": ("None", ValueKind.NONE),
    "undefined": ("None", ValueKind.UNDEFINED),
    "NaN": ("float('nan')", ValueKind.FLOAT),
    "Infinity": ("float('inf')", ValueKind.FLOAT),
}
_MAKERS = {
    *("set", "frozenset", "date", "datetime", "time", "timedelta", "bytes", "bytearray", "float"),
    *("datetime.date", "datetime.datetime", "datetime.timedelta", "decimal.Decimal", "uuid.UUID"),
}
"""Calls in lower case that are as good as a literal; of capitalised ones each is a constructor."""


def value_at(text: str, at: int = 0) -> tuple[Value, int] | None:
    """The literal that begins here, and where it ends."""
    reader = _Reader(text)
    start = reader.skip(at)
    try:
        source, kind, end = reader.value(start, 0)
        ast.parse(source, mode="eval")
    except (_NoValueError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Value(source=source, kind=kind, written=text[start:end]), end


def whole_value(text: str) -> Value | None:
    """The literal that a text is, with nothing before or after it."""
    read = value_at(text)
    return read[0] if read is not None and not text[read[1] :].strip() else None


class _NoValueError(Exception):
    """What begins here is no literal."""


_Found = tuple[str, ValueKind, int]


class _Reader:
    """One pass over a text; each method takes where to begin and gives where it ended."""

    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found is not None else at

    def value(self, at: int, depth: int) -> _Found:
        if depth > _DEEPEST:
            raise _NoValueError
        at = self.skip(at)
        sign = self._text[at : at + 1]
        if sign == "[":
            items, end = self._items(at + 1, "]", depth)
            return f"[{', '.join(items)}]", ValueKind.LIST, end
        if sign == "(":
            return self._tuple(at, depth)
        if sign == "{":
            return self._braces(at, depth)
        for read in (self._string, self._date, self._money, self._number):
            found = read(at)
            if found is not None:
                return found
        return self._word(at, depth)

    def _items(self, at: int, close: str, depth: int) -> tuple[list[str], int]:
        """What is between brackets; `at` is after the opening one."""
        items: list[str] = []
        at = self.skip(at)
        while self._text[at : at + 1] != close:
            source, _, at = self.value(at, depth + 1)
            items.append(source)
            at = self._after_item(at, close)
        return items, at + 1

    def _after_item(self, at: int, close: str) -> int:
        at = self.skip(at)
        if self._text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self._text[at : at + 1] != close:
            raise _NoValueError
        return at

    def _tuple(self, at: int, depth: int) -> _Found:
        items, end = self._items(at + 1, ")", depth)
        if len(items) == 1:
            if "," not in self._text[end - 2 : end] and self._text[at:end].count(",") == 0:
                return items[0], ValueKind.OBJECT, end
            return f"({items[0]},)", ValueKind.TUPLE, end
        return f"({', '.join(items)})", ValueKind.TUPLE, end

    def _braces(self, at: int, depth: int) -> _Found:
        """A dict of Python, an object of JavaScript, or a set."""
        pairs: list[str] = []
        kind = ValueKind.DICT
        at = self.skip(at + 1)
        while self._text[at : at + 1] != "}":
            key, at = self._key(at, depth)
            at = self.skip(at)
            if self._text[at : at + 1] == ":":
                value, _, at = self.value(at + 1, depth + 1)
                pairs.append(f"{key}: {value}")
            else:
                kind = ValueKind.SET
                pairs.append(key)
            at = self._after_item(at, "}")
        if kind is ValueKind.SET and any(": " in pair for pair in pairs if pair[0] not in "'\""):
            raise _NoValueError
        return f"{{{', '.join(pairs)}}}", kind, at + 1

    def _key(self, at: int, depth: int) -> tuple[str, int]:
        word = re.compile(r"[A-Za-z_$][\w$]*(?=\s*:)").match(self._text, at)
        if word is not None and word[0] not in _CONSTANTS:
            return repr(word[0]), word.end()
        source, _, end = self.value(at, depth + 1)
        return source, end

    def _string(self, at: int) -> _Found | None:
        curly = _CURLY.match(self._text, at)
        if curly is not None:
            return repr(curly[1] if curly[1] is not None else curly[2]), ValueKind.STR, curly.end()
        found = _STRING.match(self._text, at)
        if found is None:
            return None
        prefix, body = found[1], found[2]
        if body[0] == "`":
            body = repr(body[1:-1]) if "\\" not in body else '"' + body[1:-1] + '"'
        try:
            value = ast.literal_eval(prefix + body)
        except (ValueError, SyntaxError):
            raise _NoValueError from None
        kind = ValueKind.BYTES if isinstance(value, bytes) else ValueKind.STR
        return repr(value), kind, found.end()

    def _date(self, at: int) -> _Found | None:
        found = _DATE.match(self._text, at)
        if found is None or self._text[found.end() : found.end() + 1].isalnum():
            return None
        year, month, day, hour, minute, second, fraction, zone = found.groups()
        if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
            raise _NoValueError
        if hour is None:
            source = f"datetime.date({int(year)}, {int(month)}, {int(day)})"
            return source, ValueKind.DATE, found.end()
        text = f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}"
        text += f".{fraction.ljust(6, '0')}" if fraction else ""
        text += {"Z": "+00:00", None: ""}.get(zone, zone)
        return f"datetime.datetime.fromisoformat({text!r})", ValueKind.DATETIME, found.end()

    def _money(self, at: int) -> _Found | None:
        found = _SIGN_FIRST.match(self._text, at)
        if found is None or self._goes_on(found.end()):
            return None
        return found[1] + found[3].replace(",", ""), ValueKind.MONEY, found.end()

    def _number(self, at: int) -> _Found | None:
        """A plain number; with a sign after it a share or an amount."""
        found = _NUMBER.match(self._text, at)
        if found is None:
            return None
        source, end = found[0].lstrip("+"), found.end()
        if self._text[end : end + 1] == "n" and source.lstrip("-").isdecimal():
            end += 1
        elif self._text[end : end + 1] == "%":
            return source, ValueKind.PERCENT, end + 1
        money = _SIGN_LAST.match(self._text, end)
        if money is not None:
            return source, ValueKind.MONEY, money.end()
        if self._goes_on(end):
            raise _NoValueError
        is_float = not source.lower().lstrip("-").startswith(("0x", "0b", "0o")) and (
            "." in source or "e" in source.lower()
        )
        return source, ValueKind.FLOAT if is_float else ValueKind.INT, end

    def _goes_on(self, at: int) -> bool:
        """Whether a number is only the beginning of something: `5th`, `1.2.3`, `2-3`, `50 %`."""
        rest = self._text[at : at + 2]
        return bool(re.match(r"[\w$€£¥°/^*+-]|[.:]\d|\s%", rest))

    def _word(self, at: int, depth: int) -> _Found:
        word = _WORD.match(self._text, at)
        if word is None:
            return self._signed(at)
        name, end = word[0], word.end()
        if name in _CONSTANTS:
            if self._text[end : end + 1] in {"(", "-"}:
                raise _NoValueError
            source, kind = _CONSTANTS[name]
            return source, kind, end
        if name == "new":
            return self._new(end, depth)
        last = name.rsplit(".", 1)[-1]
        if self._text[end : end + 1] == "(" and (last[:1].isupper() or name in _MAKERS):
            items, end = self._arguments(end + 1, depth)
            return f"{name}({', '.join(items)})", ValueKind.OBJECT, end
        if "." in name and name[:1].isupper() and last.isupper():
            return name, ValueKind.MEMBER, end
        raise _NoValueError

    def _signed(self, at: int) -> _Found:
        if self._text.startswith("-Infinity", at):
            return "float('-inf')", ValueKind.FLOAT, at + len("-Infinity")
        raise _NoValueError

    def _new(self, at: int, depth: int) -> _Found:
        """A constructor of JavaScript; its dates are ours."""
        source, kind, end = self._word(self.skip(at), depth)
        if kind is not ValueKind.OBJECT:
            raise _NoValueError
        if source.startswith("Date(") and source[5:6] not in "'\"":
            raise _NoValueError  # months count from 0 there, and zones differ
        if source.startswith("Date("):
            source = "datetime.datetime.fromisoformat(" + source.removeprefix("Date(")
        return source.removeprefix("new "), kind, end

    def _arguments(self, at: int, depth: int) -> tuple[list[str], int]:
        items: list[str] = []
        at = self.skip(at)
        while self._text[at : at + 1] != ")":
            keyword = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*").match(self._text, at)
            at = keyword.end() if keyword is not None else at
            source, _, at = self.value(at, depth + 1)
            items.append(f"{keyword[1]}={source}" if keyword is not None else source)
            at = self._after_item(at, ")")
        return items, at + 1
