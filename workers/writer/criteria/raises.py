"""The error form: `f(-1) raises ValueError`, `throws RangeError "neg"`, `fails with …`, `rejects`.

Invariant: "raises no error" and "does not raise" are not this. An error is a capitalised name, or
"an error" for any.
"""

import ast
import re

from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import CallRaises
from workers.writer.criteria.literals import value_at
from workers.writer.criteria.phrases import MODAL, after_value
from workers.writer.criteria.sentence import Found, Sentence

_JOINT = re.compile(
    rf"\s*,?\s*(?:it\s+|then\s+)?{MODAL}(?:(?:raises?|throws?|rejects?|fails?|errors?|is\s+rejected"
    r"|be\s+rejected)(?:\s+with)?|(?:results?\s+in|causes?|leads?\s+to|produces?|triggers?))\s+",
    re.IGNORECASE,
)
_SHORT = re.compile(r"\s*(?:->|=>)\s*(?:(?:raises?|throws?)\s+)?", re.IGNORECASE)
_ERROR = re.compile(
    r"(?:an?\s+|the\s+)?([A-Z]\w*(?:\.[A-Z]\w*)*|[a-z_]\w*(?:\.\w+)*\.[A-Z]\w*)"
    r"(?:\(\s*(?P<inside>[\"'][^\"']*[\"'])?\s*\))?(?:\s+(?:error|exception))?"
)
_ANY = re.compile(r"(?:an?\s+)(?:error|exception)\b", re.IGNORECASE)
_MESSAGE = re.compile(
    r"\s*,?\s*(?:(?:with|and|whose)\s+(?:the\s+|an?\s+)?(?:error\s+)?message\s*"
    r"(?P<how>contain(?:s|ing)|matching|matches|is|of|:)?\s*|(?:saying|containing|with)\s+"
    r"|(?P<match>matching)\s+|:\s*)?(?=[\"'“/«])",
    re.IGNORECASE,
)
_REGEX = re.compile(r"/((?:[^/\\\n]|\\.)+)/[a-z]*")
_NAMED_SO = re.compile(r"(?:Error|Exception|Warning|Failure|Interrupt|Exit|Iteration|NotFound)\b")
_PLAIN = frozenset({"The", "A", "An", "If", "When", "This", "No", "None", "Null", "True", "False"})


def read(sentence: Sentence, at: int) -> Found | None:
    """The claim that begins here, and where it ends."""
    text = sentence.text
    head = call_at(text, at)
    if head is None or head[0].free:
        return None
    named = _named(text, head[1])
    if named is None:
        return None
    error, inside, end, sure = named
    message, is_pattern, end = _message(text, end)
    claim = CallRaises(
        call=head[0],
        error=error,
        message=message or inside,
        is_pattern=is_pattern,
        line=sentence.line,
        text=sentence.said,
        sure=min(sure, head[0].sure),
    )
    return claim, after_value(text, end)


def _named(text: str, at: int) -> tuple[str, str, int, float] | None:
    """The error, a message in its brackets, where it ends, how sure it is."""
    joint = _JOINT.match(text, at)
    if joint is not None and (any_error := _ANY.match(text, joint.end())) is not None:
        return "", "", any_error.end(), 0.9
    short = _SHORT.match(text, at) if joint is None else None
    start = joint or short
    found = _ERROR.match(text, start.end()) if start is not None else None
    if found is None or found[1] in _PLAIN:
        return None
    if not _NAMED_SO.search(found[1]):
        if short is not None or not re.search(
            r"raise|throw|reject|fail", joint[0] if joint else ""
        ):
            return None
        if re.search(r"(?:fails?|errors?|rejects?)\s+$", joint[0] if joint else ""):
            return None  # "fails Fast": without "with" only what is called an error is one
        if not re.match(r"[A-Z]\w*[a-z]\w*$", found[1].rsplit(".", 1)[-1]):
            return None
    inside = found["inside"]
    said = ast.literal_eval(inside) if inside else ""
    return found[1], said, found.end(), 1.0 if _NAMED_SO.search(found[1]) else 0.9


def _message(text: str, at: int) -> tuple[str, bool, int]:
    """What the error says, if that is told."""
    lead = _MESSAGE.match(text, at)
    if lead is None:
        return "", False, at
    pattern = _REGEX.match(text, lead.end())
    if pattern is not None:
        return pattern[1], True, pattern.end()
    read_value = value_at(text, lead.end())
    if read_value is None or read_value[0].source[:1] not in "'\"":
        return "", False, at
    said = ast.literal_eval(read_value[0].source)
    matched = (lead["how"] or "").lower().startswith("match") or lead["match"] is not None
    return said, matched, read_value[1]
