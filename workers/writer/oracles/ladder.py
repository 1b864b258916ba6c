"""The ladder of oracles as data.

O1 an example that a person wrote; O2 a declared contract; O3 a relation; O4 another implementation
or version; O5 what was observed; O6 that nothing is raised. Invariant: of two sources that disagree
the higher rank is asserted, never the observation; O3 may be red only if the docs
say it.
"""

from enum import StrEnum

import msgspec

from workers.writer.analyse.python.facts import Guard
from workers.writer.criteria.claims import Claim


class Rank(StrEnum):
    EXAMPLE = "O1"
    CONTRACT = "O2"
    RELATION = "O3"
    DIFFERENTIAL = "O4"
    OBSERVED = "O5"
    TOTAL = "O6"


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """`alone`: whether such an oracle may be the only one of a test."""

    weight: float
    may_be_red: bool
    alone: bool = True


LADDER: dict[Rank, Rung] = {
    Rank.EXAMPLE: Rung(weight=1.0, may_be_red=True),
    Rank.CONTRACT: Rung(weight=0.8, may_be_red=True),
    Rank.RELATION: Rung(weight=0.6, may_be_red=True),
    Rank.DIFFERENTIAL: Rung(weight=0.5, may_be_red=False),
    Rank.OBSERVED: Rung(weight=0.3, may_be_red=False),
    Rank.TOTAL: Rung(weight=0.1, may_be_red=False, alone=False),
}


class MustRaise(msgspec.Struct, frozen=True, kw_only=True, tag="must_raise"):
    """An error that comes when all guards are as they say; `said`: as the docs put it."""

    error: str
    message: str = ""
    guards: tuple[Guard, ...] = ()
    said: str = ""


class MustReturn(msgspec.Struct, frozen=True, kw_only=True, tag="must_return"):
    """What is returned has this type."""

    annotation: str
    values: tuple[str, ...] = ()
    """All that may come, where the type lists it."""


class MustAccept(msgspec.Struct, frozen=True, kw_only=True, tag="must_accept"):
    """Each of these values is taken by a parameter."""

    parameter: str
    values: tuple[str, ...]


class Relation(msgspec.Struct, frozen=True, kw_only=True, tag="relation"):
    """A law over one or two functions, as an expression where there is one."""

    kind: str
    targets: tuple[str, ...]
    law: str = ""
    words: str = ""
    """What the docs say for it; without, only names speak for it."""


class Expectation(msgspec.Struct, frozen=True, kw_only=True):
    """What has to hold of a target, and where that is written."""

    rank: Rank
    target: str
    what: Claim | MustRaise | MustReturn | MustAccept | Relation
    path: str
    line: int
    sure: float = 1.0

    @property
    def may_be_red(self) -> bool:
        """Whether a failure may be held against the code."""
        if isinstance(self.what, Relation) and not self.what.words:
            return False
        return LADDER[self.rank].may_be_red

    @property
    def weight(self) -> float:
        return LADDER[self.rank].weight


def strongest(expectations: list[Expectation]) -> Expectation | None:
    """The one to be asserted where several speak of the same."""
    return max(expectations, key=lambda one: (one.weight, one.sure), default=None)
