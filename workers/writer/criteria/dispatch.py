"""Which form fits a sentence.

Invariant: a form fits only if the sentence ends where the form ended, or goes on with another claim
that is read wholly. So `f(2) returns 5 items` is no claim about 5. A conditional word anywhere in a
criterion that is not part of a form makes all of it unread.
"""

import re

from workers.writer.criteria import http, invariant, predicate, raises, returns, ui
from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import Claim, Unread
from workers.writer.criteria.domain import UnclearDomainError, without_domain
from workers.writer.criteria.sentence import Form, Found, Sentence
from workers.writer.criteria.tidy import masked, plain, sentences, unlisted

FORMS: tuple[Form, ...] = (
    http.read,
    ui.read,
    raises.read,
    predicate.read,
    returns.read,
    invariant.read,
)
_AND = re.compile(r"\s*(?:,\s*and|;\s*and|,\s*then|and\s+then|and|then|,|;)\s+", re.IGNORECASE)
_STRUCK = re.compile(r"~~.*~~|<!--|<del>|<s>")
_QUESTION = re.compile(r"\?\s*$")
_QUALIFIES = re.compile(
    r"\b(?:unless|except|otherwise|only|however|but|until|instead|deprecated|removed|obsolete|todo"
    r"|tbd|wrong|bug|not\s+yet|no\s+longer|if|when|assuming|provided)\b",
    re.IGNORECASE,
)
Reads = tuple[list[Claim], list[Unread]]


def read_criterion(text: str, line: int) -> Reads:
    """The claims of one criterion, sentence by sentence."""
    if _STRUCK.search(text):
        return [], [Unread(line=line, text=text.strip(), why="struck out")]
    parts = sentences(unlisted(text))
    read = [read_sentence(part, line, text.strip()) for part in parts]
    unread = [miss for _, missed in read for miss in missed]
    if any(_QUALIFIES.search(masked(miss.text)) for miss in unread) and len(parts) > 1:
        why = "a sentence beside it sets a condition"
        return [], [Unread(line=line, text=text.strip(), why=why)]
    return [claim for claims, _ in read for claim in claims], unread


def read_sentence(part: str, line: int, said: str) -> Reads:
    """All of a sentence, or nothing of it."""
    missed = part.strip()
    if _QUESTION.search(masked(plain(part))):
        return [], [Unread(line=line, text=missed, why="a question")]
    try:
        text, domain = without_domain(plain(part))
    except UnclearDomainError:
        return [], [Unread(line=line, text=missed, why="what it holds for is not clear")]
    sentence = Sentence(text=text, said=said, line=line, domain=domain)
    claims = _claims(sentence)
    if claims is None or (domain is not None and not all(map(_fits_domain, claims))):
        return [], [Unread(line=line, text=missed, why=_why(text))]
    return claims, []


def _claims(sentence: Sentence) -> list[Claim] | None:
    """One claim after the other up to the end, or None."""
    claims: list[Claim] = []
    at = 0
    while at < len(sentence.text):
        found = _first(sentence, at)
        if found is None:
            return None
        claim, end = found
        claims.append(claim)
        joint = _AND.match(sentence.text, end)
        at = joint.end() if joint is not None else end
        if joint is not None and at >= len(sentence.text):
            return None
    return claims or None


def _first(sentence: Sentence, at: int) -> Found | None:
    """The first form after which the sentence ends or goes on with a claim."""
    for form in FORMS:
        found = form(sentence, at)
        if found is not None and _may_end(sentence, found[1]):
            return found
    return None


def _may_end(sentence: Sentence, at: int) -> bool:
    rest = sentence.text[at:]
    if not rest.strip():
        return True
    joint = _AND.match(sentence.text, at)
    return joint is not None and any(form(sentence, joint.end()) for form in FORMS)


def _fits_domain(claim: Claim) -> bool:
    """Whether what a "for all" is about stands in the claim."""
    free = getattr(claim, "free", ()) or getattr(getattr(claim, "call", None), "free", ())
    domain = getattr(claim, "domain", ())
    return bool(free) and {bound.name for bound in domain} <= set(free)


def _why(text: str) -> str:
    head = call_at(text)
    if head is None:
        return "no form of criterion fits"
    rest = text[head[1] :].strip()
    if head[0].free:
        return f"{', '.join(head[0].free)} in {head[0].source} has no value"
    return f"what follows {head[0].source} is not understood: {rest[:80]}"
