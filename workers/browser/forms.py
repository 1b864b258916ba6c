"""Synthetic values for form fields: valid by type, name, autocomplete, pattern and limits.

Pure and deterministic: the same field gets the same value in every run. Mail goes to `.invalid`,
telephone numbers are 555 ones. Never a password, a card or a one-time code.
"""

import re
import warnings

from workers.browser.page_port import Control, Field

_SECRET = re.compile(
    r"passw|passwort|contrase|secret|token|otp|one-time|cvc|cvv|card|iban|pin\b", re.IGNORECASE
)
_BY_WORD: tuple[tuple[str, str], ...] = (
    (r"e-?mail", "maze@example.invalid"),
    (r"phone|tel\b|mobile", "555-0100"),
    (r"url|website|link", "https://example.invalid/"),
    (r"zip|postal|plz", "12345"),
    (r"first.?name|given", "Ada"),
    (r"last.?name|surname|family", "Maze"),
    (r"year", "2026"),
    (r"price|amount|cost|total|rate", "12.50"),
    (r"qty|quantity|count|stock|number|age|size|limit|days", "3"),
    (r"date", "2026-01-15"),
    (r"color|colour", "#336699"),
    (r"city|town", "Springfield"),
    (r"country", "Utopia"),
    (r"street|address", "1 Test Street"),
    (r"sku|code|slug|key", "maze-1"),
    (r"title|subject|name", "Maze test"),
)
_BY_KIND = {
    "email": "maze@example.invalid",
    "tel": "555-0100",
    "url": "https://example.invalid/",
    "date": "2026-01-15",
    "time": "10:30",
    "datetime-local": "2026-01-15T10:30",
    "month": "2026-01",
    "week": "2026-W03",
    "color": "#336699",
    "search": "maze",
}
_PATTERNS = (
    (r"^\^?\\d\{(\d+)\}\$?$", "0123456789"),
    (r"^\^?\[0-9\]\{(\d+)\}\$?$", "0123456789"),
    (r"^\^?\[A-Z\]\{(\d+)\}\$?$", "ABCDEFGHIJ"),
    (r"^\^?\[a-z\]\{(\d+)\}\$?$", "abcdefghij"),
)
_CANDIDATES = ("Maze test", "maze-1", "maze", "MAZE1", "ABC-123", "ABC", "12345", "123", "1")


def is_secret(control: Control) -> bool:
    """Whether a field asks for what only its owner may give."""
    field = control.field
    if field is None:
        return False
    said = f"{field.name} {field.autocomplete} {control.label}"
    return field.kind == "password" or bool(_SECRET.search(said))


def value_for(control: Control) -> str | None:
    """A valid value for a field, or None when it must be left alone."""
    field = control.field
    if (
        field is None
        or control.disabled
        or is_secret(control)
        or field.kind in {"file", "multiple"}
    ):
        return None
    if field.kind == "select":
        return _option(field)
    if field.kind in {"number", "range"}:
        return _number(field)
    value = _BY_KIND.get(field.kind) or _by_words(control, field)
    if field.pattern and not _fits(field.pattern, value):
        value = _for_pattern(field.pattern) or value
    return value[: field.maxlength] if field.maxlength else value


def _option(field: Field) -> str | None:
    """The first option that is not the one shown at first."""
    given = [value for value in field.options[1:] if value != ""]
    return given[0] if given else None


def _number(field: Field) -> str:
    low, high = _float(field.min), _float(field.max)
    step = _float(field.step) or 1.0
    value = low if low is not None else 3.0
    if low is not None and field.kind == "range":
        value = low + step
    if high is not None and value > high:
        value = high
    return f"{value:g}"


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _by_words(control: Control, field: Field) -> str:
    said = f"{field.autocomplete} {field.name} {control.label}".lower()
    for pattern, value in _BY_WORD:
        if re.search(pattern, said):
            return value
    return "Maze test" if field.kind != "textarea" else "A text that a test wrote."


def _fits(pattern: str, value: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # JavaScript's classes are not Python's
        try:
            return re.fullmatch(pattern, value) is not None
        except re.error:
            return True


def _for_pattern(pattern: str) -> str | None:
    for shape, letters in _PATTERNS:
        if found := re.match(shape, pattern):
            count = int(found.group(1))
            return (letters * (count // len(letters) + 1))[:count]
    return next((value for value in _CANDIDATES if _fits(pattern, value)), None)
