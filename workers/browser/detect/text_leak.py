"""`text_leak`: the page shows what only its program should see.

`undefined`, `NaN`, `[object Object]`, raw template and translation keys, traces. Words are judged
in their surroundings: a text that explains what NaN means is no leak, nor is a list of
placeholders.
"""

import re
from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case
from workers.browser.survey import Spot

_TRACE = re.compile(
    r"Traceback \(most recent call last\)|\bUncaught (\w*Error|\(in promise\))|SQLSTATE\[|"
    r"\b(Type|Reference|Syntax)Error: |\bFatal error: .+ on line \d+|"
    r"\b(java|javax|org|System)(\.\w+)+(Exception|Error)\b|\bat .+ \(?\S+:\d+:\d+\)?"
)
_OBJECT = re.compile(r"\[object (?!Object\]['\"])\w+\]|\[missing \"[\w.]+\" translation\]")
_MISSING = re.compile(r"translation missing: |\[missing[ _]translation", re.IGNORECASE)
_VALUE = re.compile(r"(?<![\w.$'\"“-])(undefined|NaN|Invalid Date)(?![\w.(='\"”])")
_PROSE = re.compile(
    r"\b(is|are|was|be|an?|the|if|as|or|and|not|when|value|values|type|behaviou?r|returns?)\b",
    re.IGNORECASE,
)
_VALUE_MAX = 40
_TEMPLATE = re.compile(r"\{\{\s*[\w.$|() ]+\s*\}\}|\$\{[\w.]+\}|<%=?[^%]*%>|\{%[^%]*%\}|%\(\w+\)s")
_TEMPLATE_MAX = 60
_PLACEHOLDERS = 3
_KEY = re.compile(r"[a-z][A-Za-z0-9_-]*(\.[a-z][A-Za-z0-9_-]*){2,}")
_HOSTS = frozenset({"com", "org", "net", "io", "www", "dev", "app", "java"})
_KEY_WORDS = frozenset(
    {
        "label",
        "labels",
        "title",
        "titles",
        "button",
        "buttons",
        "btn",
        "placeholder",
        "tooltip",
        "heading",
        "caption",
        "subtitle",
        "cta",
        "headline",
    }
)


def _leaks(said: str) -> str:
    """The part of a text that leaks, or nothing."""
    for pattern in (_TRACE, _OBJECT, _MISSING):
        if found := pattern.search(said):
            return found.group()
    value = _VALUE.search(said)
    if value and len(said) <= _VALUE_MAX and not _PROSE.search(said.replace(value.group(), "")):
        return value.group()
    parts = set(re.split(r"[._-]", said))
    key = _KEY.fullmatch(said) and parts & _KEY_WORDS and not parts & _HOSTS
    return said if key else ""


def _templates(spots: tuple[Spot, ...]) -> dict[str, Spot]:
    """Raw template code; several different ones are a list of what may be used."""
    found = {
        match.group(): spot
        for spot in spots
        if not spot.control
        and len(spot.text) <= _TEMPLATE_MAX
        and (match := _TEMPLATE.search(spot.text))
    }
    return found if len(found) < _PLACEHOLDERS else {}


def detect(case: Case) -> Iterator[Suspicion]:
    """Major for a trace, which shows the program's inside; minor for a value that went astray."""
    if case.ours or case.environment:
        return
    spots = tuple(spot for spot in case.survey.leaks if not case.is_noise(spot.text))
    leaks = [(leak, spot) for spot in spots if (leak := _leaks(spot.text))]
    for leak, spot in [*leaks, *_templates(spots).items()]:
        trace = _TRACE.search(spot.text) is not None
        yield case.suspicion(
            BugKind.TEXT_LEAK,
            Severity.MAJOR if trace else Severity.MINOR,
            said=f"{leak}|{spot.place}",
            description=f"{case.what} shows “{spot.text}”",
            expected="Text for people",
            actual=f"“{leak}” in the text “{spot.text}”",
            evidence=(spot.locator,),
        )
