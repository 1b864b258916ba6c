"""Which way a run is entered, decided from facts alone.

In this order: a saved run that is running is resumed; failures of an earlier one are run again, if
that was asked for; requirements lead to the spec, open gaps to the gap entry; else the code itself
is read. Invariant: there is always exactly one entry, and it says why.
"""

from dataclasses import dataclass
from enum import StrEnum

from contract.vocabulary import SourceRoute
from coordinator.errors import RequestError


class Entry(StrEnum):
    RESUME = "resume"
    RE_RUN = "re-run"
    SPEC = "spec"
    GAP = "gap"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Facts:
    """What was found. `earlier_failures`: failed scenarios in the master of an earlier run."""

    running: bool = False
    re_run: bool = False
    earlier: bool = False
    earlier_failures: int = 0
    requirements: int = 0
    open_gaps: int = 0
    saved_route: SourceRoute | None = None
    """The `source_route` of the run that would be resumed."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`route` is how files call the entry; a resumed run keeps its own."""

    entry: Entry
    route: SourceRoute
    why: str


def decide(facts: Facts) -> Decision:
    """The entry that these facts lead to."""
    if facts.running:
        route = facts.saved_route or _anew(facts).route
        return Decision(Entry.RESUME, route, "an earlier run has not ended")
    if facts.re_run and facts.earlier_failures:
        count = facts.earlier_failures
        return Decision(Entry.RE_RUN, SourceRoute.RE_RUN, f"{_many(count, 'test')} failed before")
    if facts.re_run and not facts.earlier:
        raise RequestError(
            "there is no earlier run whose failures could be run again",
            "leave --re-run out to begin one",
        )
    return _anew(facts)


def _anew(facts: Facts) -> Decision:
    if facts.requirements:
        count = _many(facts.requirements, "requirement")
        return Decision(Entry.SPEC, SourceRoute.SPEC, f"there are {count}")
    if facts.open_gaps:
        count = _many(facts.open_gaps, "open gap")
        return Decision(Entry.GAP, SourceRoute.GAP, f"there are {count}")
    return Decision(Entry.CODE, SourceRoute.CODE, "there are neither requirements nor open gaps")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
