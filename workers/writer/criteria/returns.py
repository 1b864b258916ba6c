"""The call form: `f(2, 3) returns 5`, `f(2, 3) == 5`, `expect(f(2)).toBe(5)`.

Leaves out calls with free names, which are invariants or nothing.
"""

import re

from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import CallReturns
from workers.writer.criteria.phrases import MODAL, after_value, phrase_at
from workers.writer.criteria.sentence import Found, Sentence

_SURE = re.compile(
    rf"\s*{MODAL}(?:returns?|equals?|(?:is|be|are)\s+equal\s+to|evaluates?\s+to|be|is)\s+"
    r"|\s*(?:=>|->|===?|=)\s*",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    rf"\s*{MODAL}(?:yields?|gives?(?:\s+back)?|produces?|results?\s+in|outputs?|computes?)\s+"
    rf"|\s*,?\s*{MODAL}(?:it\s+)?returns?\s+"
    r"|\s*,?\s*(?:the\s+)?result\s+(?:is|must be|should be)\s+"
    r"|\s*:\s*",
    re.IGNORECASE,
)
_EXPECT = re.compile(r"expect\(\s*")
_MATCHER = re.compile(r"\s*\)\s*\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql)\(\s*")


def read(sentence: Sentence, at: int) -> Found | None:
    """The claim that begins here, and where it ends."""
    text = sentence.text
    expected = _expected(sentence, at)
    if expected is not None:
        return expected
    head = call_at(text, at)
    if head is None or head[0].free:
        return None
    call, end = head
    joint = _SURE.match(text, end)
    sure = 1.0
    if joint is None:
        joint, sure = _LIKELY.match(text, end), 0.9
    value = phrase_at(text, joint.end()) if joint is not None else None
    if value is None:
        return None
    sure = min(sure, value[2], call.sure)
    claim = CallReturns(
        call=call, expected=value[0], line=sentence.line, text=sentence.said, sure=sure
    )
    return claim, after_value(text, value[1])


def _expected(sentence: Sentence, at: int) -> Found | None:
    """As tests of JavaScript write it."""
    text = sentence.text
    head = _EXPECT.match(text, at)
    inner = call_at(text, head.end()) if head is not None else None
    matcher = _MATCHER.match(text, inner[1]) if inner is not None else None
    value = phrase_at(text, matcher.end()) if matcher is not None else None
    if inner is None or value is None or inner[0].free:
        return None
    close = re.compile(r"\s*\)").match(text, value[1])
    if close is None:
        return None
    claim = CallReturns(
        call=inner[0], expected=value[0], line=sentence.line, text=sentence.said, sure=value[2]
    )
    return claim, close.end()
