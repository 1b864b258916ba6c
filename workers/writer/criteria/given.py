"""Given/When/Then, on one line or on many.

Invariant: each Then is read wholly, else the criterion is unread; what Given and When mean is left
to who knows the code, so their words and literals are kept. A When that is an HTTP request or steps
in a page gives those claims. Without a When or a Then there is nothing to claim.
"""

import re

from workers.writer.criteria import http
from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import (
    Claim,
    Clause,
    GivenWhenThen,
    HttpExchange,
    Op,
    Outcome,
    UiStep,
    Unread,
    Value,
    ValueKind,
)
from workers.writer.criteria.dispatch import read_sentence
from workers.writer.criteria.literals import value_at
from workers.writer.criteria.phrases import MODAL, phrase_at
from workers.writer.criteria.predicate import said_at
from workers.writer.criteria.tidy import bare, masked

_STARTS = re.compile(
    r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ xX]\]\s+)?(?:\*\*|__)?(?:(?:AC|TC)[- ]?\d+\s*[:.)–-]?\s*)?"
    r"(?:\*\*|__)?(Scenario|Given|When)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?:^|(?<=[\s,;.]))(given|when|then|and|but)\b(?:\*\*|__)?\s*:?,?\s+", re.IGNORECASE
)
_THEN = re.compile(r"\bthen\b", re.IGNORECASE)
_WHO = re.compile(r"^(?:I|a client|the client)\s+(?:sends?\s+)?")
_SUBJECT = re.compile(
    r"(?:(?:the|its|their|his|her)\s+)?(?P<name>[a-z_][\w.]*(?:\s+[a-z_]\w*){0,3}?)"
    r"(?P<of>\s+of\s+the\s+\w+)?(?=\s+(?:is|are|has|have|must|should|shall|contains?|includes?|equals?"
    r"|matches|starts|ends|becomes|will|does)\b|\s*(?:==?|>=?|<=?|!=)\s*)",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"\s+{MODAL}(?:is|are|be|becomes|equals?|equal\s+to|is\s+equal\s+to)\s+|\s*==?\s*",
    re.IGNORECASE,
)
_RAISED = re.compile(
    r"(?:an?\s+)?(?P<error>[A-Z]\w*(?:Error|Exception)|(?:an?\s+)?(?:error|exception))\s+"
    r"(?:is|must\s+be|should\s+be)\s+(?:raised|thrown)|(?:it\s+)?(?:raises|throws|fails\s+with)\s+"
    r"(?:an?\s+)?(?P<error2>[A-Z]\w*(?:Error|Exception))",
)
_RETURNED = re.compile(
    rf"(?:it\s+)?{MODAL}(?:returns?|gives?)\s+(?!an?\s+(?!empty))", re.IGNORECASE
)
_STATUS = re.compile(
    r"(?:the\s+)?(?:response\s+)?(?:status(?:\s+code)?|response)\s+(?:is|must\s+be|should\s+be)\s+"
    r"([1-5]\d\d)$",
    re.IGNORECASE,
)
Reads = tuple[list[Claim], list[Unread]]


def starts(line: str) -> bool:
    """Whether a criterion of this form begins here."""
    found = _STARTS.match(line)
    if found is None:
        return False
    return found[1].lower() in {"given", "scenario"} or _THEN.search(line) is not None


def read_given(text: str, line: int) -> Reads:
    """The claims of one criterion, whose lines are joined."""
    missed = Unread(line=line, text=text.strip(), why="no form fits what is said after Then")
    parts = _parts(text)
    if not parts["when"] or not parts["then"]:
        return [], [Unread(line=line, text=text.strip(), why="it lacks a When or a Then")]
    web = _web(parts, line, text.strip())
    if web is not None:
        return web, []
    outcomes = [_outcome(part) for part in parts["then"]]
    if len(parts["when"]) != 1 or any(outcome is None for outcome in outcomes):
        return [], [missed]
    when = _clause(parts["when"][0])
    claim = GivenWhenThen(
        given=tuple(_clause(part) for part in parts["given"]),
        when=when,
        then=tuple(outcome for outcome in outcomes if outcome is not None),
        line=line,
        text=text.strip(),
        sure=0.9 if when.call is not None else 0.7,
    )
    return [claim], []


def _parts(text: str) -> dict[str, list[str]]:
    """The clauses under each word; And and But belong to the word before."""
    flat = re.sub(r"(?im)^\s*scenario[^\n]*$", "", text)
    flat = " ".join(bare(line) for line in flat.splitlines() if line.strip())
    found: dict[str, list[str]] = {"given": [], "when": [], "then": []}
    hidden = masked(flat)
    marks = list(_PARTS.finditer(hidden))
    current = ""
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        word = mark[1].lower()
        body = flat[mark.end() : after.start() if after is not None else len(flat)]
        if word in found:
            current = word
        if not current:
            continue
        body = body.strip().rstrip(",;.").strip()
        if word in {"and", "but"} and found[current] and not _stands_alone(current, body):
            found[current][-1] += f" {word} {body}"
        elif body:
            found[current].append(body)
    return found


def _stands_alone(word: str, body: str) -> bool:
    """Whether what follows an And is a clause of its own, not the rest of one."""
    return word != "given" or re.match(r"(?:an?|the|no|\d+|I|that)\s", body) is not None


def _clause(text: str) -> Clause:
    call = call_at(text)
    known = call is not None and not text[call[1] :].strip() and not call[0].free
    return Clause(text=text, values=_values(text), call=call[0] if call and known else None)


def _values(text: str) -> tuple[Value, ...]:
    """The literals in a clause, in their order."""
    found = []
    at = 0
    while at < len(text):
        starts_word = at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "_.-")
        read = value_at(text, at) if starts_word and not text[at].isspace() else None
        if read is not None:
            found.append(read[0])
            at = read[1]
        else:
            at += 1
    return tuple(found)


def _outcome(text: str) -> Outcome | None:
    raised = _RAISED.fullmatch(text)
    if raised is not None:
        error = raised["error"] or raised["error2"]
        known = error if error[0].isupper() else ""
        name = Value(source=known or "Exception", kind=ValueKind.NAME, written=error)
        return Outcome(subject="", op=Op.RAISES, operands=(name,))
    returned = _RETURNED.match(text)
    value = phrase_at(text, returned.end()) if returned is not None else None
    if value is not None and value[1] == len(text):
        return Outcome(subject="result", op=Op.EQ, operands=(value[0],))
    head = call_at(text)
    if head is not None:
        return _said(text, head[0].source, head[1])
    subject = _SUBJECT.match(text)
    return _said(text, subject["name"].strip(), subject.end()) if subject is not None else None


def _said(text: str, name: str, at: int) -> Outcome | None:
    """What is said of a subject that ends here: an attribute, or a call with names of the Given."""
    said = said_at(text, at)
    if said is not None and said[2] == len(text):
        return Outcome(subject=name, op=said[0], operands=said[1])
    joint = _IS.match(text, at)
    value = phrase_at(text, joint.end()) if joint is not None else None
    if value is None or value[1] != len(text):
        return None
    return Outcome(subject=name, op=Op.EQ, operands=(value[0],))


def _web(parts: dict[str, list[str]], line: int, said: str) -> list[Claim] | None:
    """The claims of a criterion about requests or a page."""
    head = http.head_at(_WHO.sub("", parts["when"][0]), 0)
    status = _STATUS.match(parts["then"][0]) if head is not None else None
    if head is not None and status is not None and len(parts["then"]) == 1:
        method, path, body, without, _ = head
        exchange = HttpExchange(
            method=method, path=path, status=int(status[1]), body=body, without=without,
            line=line, text=said, sure=0.8 if parts["given"] else 0.9,
        )  # fmt: skip
        return [exchange]
    steps: list[Claim] = []
    for part in (*parts["when"], *parts["then"]):
        claims, _ = read_sentence(part, line, said)
        if not claims or not all(isinstance(claim, UiStep) for claim in claims):
            return None
        steps += claims
    return steps
