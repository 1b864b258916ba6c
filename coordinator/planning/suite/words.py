"""What the words of a criterion say: its layer, its category, its priority.

The rules go from the particular to the general, so that a request with an invalid body is a
contract of the API and not a rule of the business. RFC 2119 words count in capitals only, and not
within code or quotes. Invariant: every text has a layer; what nothing fits states a rule.
"""

import re
from collections.abc import Mapping

from contract.vocabulary import Category, Layer, Priority
from coordinator.planning.suite.requirements import Kind, Moscow

Place = tuple[Layer, Category]

BY_KIND: Mapping[Kind, Place] = {
    Kind.NFR: (Layer.L2, Category.NON_FUNCTIONAL),
    Kind.EPIC: (Layer.L3, Category.USER_FLOW),
}
_API: Place = (Layer.L1, Category.API_CONTRACT)
_FLOW: Place = (Layer.L3, Category.USER_FLOW)
_STATE: Place = (Layer.L2, Category.STATE_TRANSITION)
_RULE: Place = (Layer.L2, Category.BUSINESS_RULE)
_UNIT: Place = (Layer.L1, Category.UNIT)

_CALL = r"\w\(.*\)[`\s]*(?:(?:must|shall|should|may|will)\s+(?:not\s+)?)?"

_RULES: tuple[tuple[re.Pattern[str], Place], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), place)
    for pattern, place in (
        (r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+[`\"']?/", _API),
        (r"\b(?:endpoints?|https? (?:status|[1-5]\d\d)|status codes?)\b", _API),
        (r"\b(?:requests?|responses?|responds?)\b", _API),
        (r"\b(?:clicks?|taps?|fills?(?: in)?|navigates?|sees?)\s+(?:the |on |to )*[`\"“']", _FLOW),
        (r"\b(?:user|visitor|customer) (?:flow|journey)\b|\bend[- ]to[- ]end\b|\bwizard\b", _FLOW),
        (r"\bfirst\b.+\bthen\b|\bthen\b.+\b(?:then|finally)\b|\bstep 1\b", _FLOW),
        (r"\btransitions?\b|\blife ?cycle\b|\bstate machine\b", _STATE),
        (r"\b(?:state|status)\b.+\b(?:changes?|becomes?|moves?|goes|turns?|set to)\b", _STATE),
        (r"\b(?:moves?|changes?|goes|switches) from\b.+\bto\b", _STATE),
        (r"\b(?:becomes?|is marked(?: as)?) [`\"“']?\w+", _STATE),
        (r"\b(?:in)?valid(?:at\w*)?\b|\b(?:reject|forbid|refus)\w*", _RULE),
        (r"\brules?\b|\brequired\b|\ballowed\b|\bpermi(?:t|ssion)", _RULE),
        (_CALL + r"(?:returns?|raises?|throws?|yields?|gives?|equals?|be|contains?)\b", _UNIT),
        (_CALL + r"(?:==?>?|->|is\b|within\b|[<>]=?)", _UNIT),
    )
)  # fmt: skip
_MOST = 2_000
"""Characters that are looked at; a criterion that needs more is no sentence."""
_QUOTED = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"|“[^”]*”", re.DOTALL)
_RFC = (
    (re.compile(r"\b(?:MUST|SHALL|REQUIRED)\b"), Priority.CRITICAL),
    (re.compile(r"\b(?:SHOULD|RECOMMENDED)\b"), Priority.HIGH),
    (re.compile(r"\b(?:MAY|OPTIONAL)\b"), Priority.MEDIUM),
)
_MOSCOW: Mapping[Moscow, Priority] = {
    Moscow.MUST: Priority.CRITICAL,
    Moscow.SHOULD: Priority.HIGH,
    Moscow.COULD: Priority.MEDIUM,
    Moscow.WONT: Priority.MEDIUM,
}


def place_of(text: str, kind: Kind = Kind.REQ) -> Place:
    """The layer and the category of a criterion."""
    if kind in BY_KIND:
        return BY_KIND[kind]
    telling = text[:_MOST]
    return next((place for pattern, place in _RULES if pattern.search(telling)), _RULE)


def priority_of(text: str, moscow: Moscow) -> Priority:
    """The strongest RFC 2119 word of a criterion; without one, what its document says."""
    prose = _QUOTED.sub(" ", text)
    said = (priority for pattern, priority in _RFC if pattern.search(prose))
    return next(said, _MOSCOW[moscow])
