"""Synthetic values for form fields: valid by type, name, autocomplete, pattern and limits.

Pure and deterministic: the same field gets the same value in every run. Mail goes to `.invalid`,
telephone numbers are 555 ones. Never a password, a card or a one-time code. What a page's own
patterns say is never run (`patterns.py`).
"""

import re
import warnings

from workers.browser.page_port import Control, Field
from workers.browser.patterns import text_for
from workers.browser.vocabulary import load_words, spoken

_SECRET = re.compile(r"\bcc-|\btoken\b|\bcard\b|\bpin\b|\bpasswd\b", re.IGNORECASE)
_BY_MEANING = {
    "email": "maze@example.invalid",
    "tel": "555-0100",
    "url": "https://example.invalid/",
    "postcode": "12345",
    "full_name": "Ada Maze",
    "given_name": "Ada",
    "family_name": "Maze",
    "user_name": "maze-test",
    "year": "2026",
    "amount": "12.50",
    "count": "3",
    "date": "2026-01-15",
    "color": "#336699",
    "city": "Springfield",
    "country": "Utopia",
    "street": "1 Test Street",
    "company": "Maze Testers",
    "code": "maze-1",
    "text": "A text that a test wrote.",
    "title": "Maze test",
}
_BY_KIND = {
    "email": "maze@example.invalid",
    "tel": "555-0100",
    "url": "https://example.invalid/",
    "color": "#336699",
    "search": "maze",
}
_DATES = {
    "date": ("2026-01-15", "2026-01-20"),
    "time": ("10:30", "11:30"),
    "datetime-local": ("2026-01-15T10:30", "2026-01-20T10:30"),
    "month": ("2026-01", "2026-03"),
    "week": ("2026-W03", "2026-W05"),
}
"""By kind: the beginning of a range, and its end."""
_INVALID = {
    "email": "not a mail address",
    "url": "not an address",
    "tel": "not a number",
    "number": "",
    "select": "",
}
_AUTOCOMPLETE = {
    "email": "email",
    "tel": "tel",
    "url": "url",
    "postal-code": "postcode",
    "name": "full_name",
    "given-name": "given_name",
    "family-name": "family_name",
    "username": "user_name",
    "bday": "date",
    "bday-year": "year",
    "address-level2": "city",
    "country-name": "country",
    "street-address": "street",
    "address-line1": "street",
    "organization": "company",
}
_SIMPLE = re.compile(r"[\w\s\\\[\]{},.^$|:;@#/+!%&'\"<>~=-]*")
_CANDIDATES = ("Maze test", "maze-1", "maze", "MAZE1", "ABC-123", "ABC", "12345", "123", "1")
ON = "on"
"""What a box or a choice is filled with."""
MARK = "#"
"""Between a control's key and the name of a trial."""


def plain_key(key: str) -> str:
    """The key by which the page knows a control, without the name of a trial."""
    return key.partition(MARK)[0]


def is_secret(control: Control) -> bool:
    """Whether a field asks for what only its owner may give."""
    field = control.field
    if field is None:
        return False
    said = spoken(f"{field.name} {field.autocomplete} {control.label}")
    secret = bool(_SECRET.search(said) or load_words().secret.search(said))
    return field.kind == "password" or secret


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
    if field.kind in _DATES:
        return _date(field, _ends(control))
    return _text(control, field)


def invalid_for(control: Control) -> str | None:
    """A value that a field should not take, or None where a person could type none."""
    field = control.field
    if field is None or control.disabled or is_secret(control):
        return None
    if field.kind in {"email", "url", "tel"}:
        return _INVALID[field.kind]
    if field.kind == "number" and (field.min or field.max):
        low, high = _float(field.min), _float(field.max)
        return f"{low - 1:g}" if low is not None else f"{(high or 0) + 1:g}"
    if field.kind in {"text", "textarea"} and field.pattern:
        return "\u2603"  # a snowman is in no pattern that people write
    if field.kind in {"text", "textarea"} and field.minlength > 1:
        return "m"
    meaning = _meaning(control) if field.kind == "text" else ""
    return _INVALID.get(meaning)


def agrees(control: Control) -> bool:
    """Whether a box has to be ticked before its form is taken."""
    boxed = control.role in {"checkbox", "switch"} and control.checked is False
    return boxed and (control.required or bool(load_words().agree.search(control.label)))


def _option(field: Field) -> str | None:
    """The first option that is not the one shown at first."""
    given = [value for value in field.options[1:] if value != ""]
    return given[0] if given else None


def _number(field: Field) -> str:
    """Within the limits and on a step, counted from the lower limit."""
    low, high = _float(field.min), _float(field.max)
    step = _float(field.step) or 1.0
    value = low if low is not None else 3.0
    if low is not None and field.kind == "range":
        value = low + step
    if low is None and value % step:
        value = step
    if high is not None and value > high:
        value = high - (high % step if low is None else 0)
    return f"{value:g}"


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _ends(control: Control) -> bool:
    """Whether a field is the later end of a range."""
    name = control.field.name if control.field is not None else ""
    return bool(load_words().fields["end_date"].search(spoken(f"{name} {control.label}")))


def _date(field: Field, is_end: bool) -> str:
    """Within the limits; such texts sort as what they mean."""
    value = _DATES[field.kind][is_end]
    if field.max and value > field.max:
        value = field.max if is_end or not field.min else field.min
    return max(value, field.min)


def _text(control: Control, field: Field) -> str:
    value = _BY_KIND.get(field.kind) or _by_meaning(control, field)
    if field.options and field.kind != "select":
        value = next((option for option in field.options if option), value)
    if field.pattern:
        value = _for_pattern(field, value)
    elif len(value) < field.minlength:
        value = (value + " maze" * field.minlength)[: field.minlength].rstrip()
        value = value.ljust(field.minlength, "m")
    return value[: field.maxlength] if field.maxlength else value


def _by_meaning(control: Control, field: Field) -> str:
    meaning = _meaning(control)
    if meaning == "date" and _ends(control):
        return _DATES["date"][1]
    if field.kind == "textarea" and meaning not in {"email", "url", "street"}:
        return _BY_MEANING["text"]
    return _BY_MEANING.get(meaning, "Maze test")


def _meaning(control: Control) -> str:
    """What a field asks for: by its autocomplete, else by the words of its name and label."""
    field = control.field
    if field is None:
        return ""
    token = field.autocomplete.split(" ")[-1].lower()
    if token in _AUTOCOMPLETE:
        return _AUTOCOMPLETE[token]
    said = spoken(f"{field.autocomplete} {field.name} {control.label}")
    words = load_words().fields
    return next((m for m, found in words.items() if m in _BY_MEANING and found.search(said)), "")


def _for_pattern(field: Field, value: str) -> str:
    """What is meant if it fits, else a text that the pattern describes."""
    if _fits(field, value):
        return value
    made = text_for(field.pattern, field.minlength)
    if made and not set(field.pattern) & set("*+"):
        return made
    fitting = (given for given in _CANDIDATES if _fits(field, given))
    return next(fitting, made or value)


def _fits(field: Field, value: str) -> bool:
    """Whether a short text fits a pattern without groups, so that matching is quick."""
    pattern = field.pattern
    if len(pattern) > 200 or not _SIMPLE.fullmatch(pattern.replace("?", "").replace("*", "")):
        return False
    if len(value) < field.minlength or (field.maxlength and len(value) > field.maxlength):
        return False
    if sum(pattern.count(sign) for sign in "*+{") > 4:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # JavaScript's classes are not Python's
        try:
            return re.fullmatch(pattern, value) is not None
        except (re.error, OverflowError):
            return False
