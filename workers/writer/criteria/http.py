"""The HTTP form: `POST /users {"name": "a"} returns 201`, `GET /x without token returns 401`.

Invariant: the method is in capitals and the path begins with a slash; no other host is ever named.
"""

import re

from workers.writer.criteria.claims import HttpExchange, Value, ValueKind
from workers.writer.criteria.literals import value_at
from workers.writer.criteria.phrases import MODAL
from workers.writer.criteria.sentence import Found, Sentence

_HEAD = re.compile(
    r"(?:(?:[Tt]he\s+)?(?:[Ss]ending|[Mm]aking|[Ii]ssuing|endpoint|route)\s+)?(?:[Aa]n?\s+)?\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+"
    r"(?:request\s+)?(?:to\s+)?(/[^\s,;]*)"
)
_BODY = re.compile(
    r"\s*,?\s*(?:with\s+)?(?:(?:an?\s+|the\s+)?(?:json\s+)?(?:body|payload|data)\s*:?\s*)?(?=[{\[])",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\s*,?\s*without\s+(?:an?\s+|any\s+|the\s+)?((?:valid\s+)?(?:auth(?:entication|orization)?"
    r"(?:\s+(?:header|token))?|(?:bearer\s+)?token|login|session|cookie|credentials|api[- ]key"
    r"|body|[`\"']?\w+[`\"']?\s+(?:header|field)))",
    re.IGNORECASE,
)
_STATUS = re.compile(
    rf"\s*,?\s*(?:(?:it\s+|the\s+(?:server|api|response|endpoint)\s+)?{MODAL}"
    r"(?:returns?|responds?(?:\s+with)?|answers?(?:\s+with)?|gives?|yields?|fails?\s+with"
    r"|results?\s+in|is)\s+|->\s*|=>\s*|=\s*|:\s*)"
    r"(?:an?\s+)?(?:http\s+)?(?:status(?:\s+code)?\s*(?:of\s+|:\s*)?)?([1-5]\d\d)\b(?!\s*(?:ms|items"
    r"|rows|bytes|or|[-–/]))(?:\s+\(?(?:OK|Created|Accepted|No Content|Bad Request|Unauthorized"
    r"|Forbidden|Not Found|Conflict|Unprocessable(?: Entity| Content)?|Gone|Too Many Requests"
    r"|Internal Server Error|Method Not Allowed)\b\)?)?",
    re.IGNORECASE,
)
_CONTAINS = re.compile(
    r"\s*,?\s*(?:and\s+)?(?:with\s+|has\s+)?(?:an?\s+|the\s+)?(?:json\s+)?(?:response\s+)?(?:body|json)"
    r"\s*(?:that\s+)?(?:contain(?:s|ing)|includ(?:es|ing)|is|:)?\s*(?=[{\[\"'])",
    re.IGNORECASE,
)


def head_at(text: str, at: int) -> tuple[str, str, Value | None, str, int] | None:
    """Method, path, body, what is lacking, and where it ends."""
    head = _HEAD.match(text, at)
    if head is None:
        return None
    body, end = _value(_BODY, text, head.end())
    without = _WITHOUT.match(text, end)
    lacking = without[1] if without is not None else ""
    end = without.end() if without is not None else end
    if body is None and without is not None:
        body, end = _value(_BODY, text, end)
    return head[1], head[2].rstrip(".:"), body, lacking, end


def status_at(text: str, at: int) -> tuple[int, Value | None, int] | None:
    """The status, what the body contains, and where it ends."""
    status = _STATUS.match(text, at)
    if status is None:
        return None
    contains, end = _value(_CONTAINS, text, status.end())
    return int(status[1]), contains, end


def read(sentence: Sentence, at: int) -> Found | None:
    """The exchange that begins here, and where it ends."""
    head = head_at(sentence.text, at)
    answer = status_at(sentence.text, head[4]) if head is not None else None
    if head is None or answer is None:
        return None
    claim = HttpExchange(
        method=head[0],
        path=head[1],
        body=head[2],
        without=head[3],
        status=answer[0],
        contains=answer[1],
        line=sentence.line,
        text=sentence.said,
    )
    return claim, answer[2]


def _value(lead: re.Pattern[str], text: str, at: int) -> tuple[Value | None, int]:
    found = lead.match(text, at)
    read_value = value_at(text, found.end()) if found is not None else None
    kinds = {ValueKind.DICT, ValueKind.LIST, ValueKind.STR}
    if read_value is None or read_value[0].kind not in kinds:
        return None, at
    return read_value
