"""The UI form: `click "Save"`, `fill "Email" with "a@b"`, `see "Welcome"`, `url is /home`.

Invariant: what is used or seen is quoted. One step per match; steps are joined by the dispatcher.
"""

import re

from workers.writer.criteria.claims import UiStep
from workers.writer.criteria.sentence import Found, Sentence

_WHO = r"(?:(?:I|we|you|the\s+(?:user|visitor|customer))\s+)?(?:(?:must|should|can|shall|will)\s+)?"
_QUOTED = r"[\"“'](?P<name>[^\"”']+)[\"”']"
_ROLES = r"button|link|heading|tab|checkbox|field|menu\s+item|text|dialog|alert|message"
_ROLE = rf"(?P<role>{_ROLES})"
_MADE = {
    "click": rf"{_WHO}(?:clicks?|press(?:es)?|taps?)\s+(?:on\s+)?(?:the\s+)?(?:{_ROLE}\s+)?"
    rf"{_QUOTED}(?:\s+(?P<role2>{_ROLES}))?",
    "fill": rf"{_WHO}fills?\s+(?:in\s+)?(?:the\s+)?(?:field\s+)?{_QUOTED}(?:\s+field)?\s+with\s+"
    r"[\"“'](?P<value>[^\"”']*)[\"”']",
    "enter": rf"{_WHO}(?:enters?|types?)\s+[\"“'](?P<value>[^\"”']*)[\"”']\s+(?:in|into)\s+"
    rf"(?:the\s+)?(?:field\s+)?{_QUOTED}(?:\s+field)?",
    "not_see": rf"{_WHO}(?:(?:do|does|must|should)\s+not|don't|doesn't)\s+sees?\s+(?:the\s+)?"
    rf"(?:{_ROLE}\s+)?{_QUOTED}",
    "see": rf"{_WHO}sees?\s+(?:the\s+)?(?:{_ROLE}\s+)?{_QUOTED}",
    "visible": rf"(?:(?:the|a)\s+)?{_ROLE}\s+{_QUOTED}\s+(?:is|must\s+be|should\s+be)\s+"
    r"(?:visible|shown|displayed)",
    "url": r"(?:the\s+)?(?:url|address|location)\s+(?:is|becomes|must\s+be|should\s+be)\s+"
    r"[\"']?(?P<path>/[^\s\"',;]*)[\"']?",
}
_COMPILED = {act: re.compile(words, re.IGNORECASE) for act, words in _MADE.items()}


def read(sentence: Sentence, at: int) -> Found | None:
    """The step that begins here, and where it ends."""
    for act, words in _COMPILED.items():
        found = words.match(sentence.text, at)
        if found is not None:
            return _step(sentence, act, found), found.end()
    return None


def _step(sentence: Sentence, act: str, found: re.Match[str]) -> UiStep:
    parts = found.groupdict()
    return UiStep(
        act="fill" if act == "enter" else act,
        name=(parts.get("name") or parts.get("path") or "").rstrip(".") or "/",
        role=(parts.get("role") or parts.get("role2") or "").lower(),
        value=parts.get("value") or "",
        line=sentence.line,
        text=sentence.said,
    )
