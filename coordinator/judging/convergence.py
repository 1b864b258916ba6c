"""How much of a suite passes, and whether a layer could be tested at all.

The pass rate counts what a better test could still turn green: passed / (total − code defects −
environment issues − blocked). The raw rate, passed / total, is shown beside it, so that a bug in
the product never hides behind a good figure. Invariant: each scenario counts in one column only,
and a rate over nothing is None, never 100. Leaves out what follows from it (`machines/suite.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from contract.vocabulary import Classification, ScenarioStatus

THRESHOLD = 95.0
"""Per cent of the pass rate at which a run has converged."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one scenario stands: all that a rate needs to know of it."""

    status: ScenarioStatus
    classification: Classification | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Scenarios by how they stand. `failed` are those with none of the excuses."""

    total: int = 0
    passed: int = 0
    failed: int = 0
    code_defects: int = 0
    env_issues: int = 0
    blocked: int = 0
    unrun: int = 0
    """Pending or written: what a run did not reach. It lowers the rate."""

    @property
    def counted(self) -> int:
        """The denominator of the pass rate."""
        return self.total - self.code_defects - self.env_issues - self.blocked

    @property
    def rate(self) -> float | None:
        return percent(self.passed, self.counted)

    @property
    def raw_rate(self) -> float | None:
        return percent(self.passed, self.total)

    @property
    def wholly_blocked(self) -> bool:
        """Nothing could be tested: a problem of the environment, never convergence."""
        return 0 < self.total == self.blocked + self.env_issues


def percent(part: int, whole: int) -> float | None:
    """One decimal; None where there is nothing to be a part of."""
    return round(100 * part / whole, 1) if whole else None


def column(standing: Standing) -> str:
    """The one column of a tally that a scenario counts in."""
    match standing.status:
        case ScenarioStatus.PASSED:
            return "passed"
        case ScenarioStatus.BLOCKED:
            return "blocked"
        case ScenarioStatus.FAILED if standing.classification is Classification.CODE_DEFECT:
            return "code_defects"
        case ScenarioStatus.FAILED if standing.classification is Classification.ENV_ISSUE:
            return "env_issues"
        case ScenarioStatus.FAILED:
            return "failed"
        case ScenarioStatus.PENDING | ScenarioStatus.WRITTEN:
            return "unrun"


def tally(standings: Iterable[Standing]) -> Tally:
    """The counts of some scenarios."""
    columns = [column(standing) for standing in standings]
    counts = {name: columns.count(name) for name in set(columns)}
    return Tally(total=len(columns), **counts)


def converged(overall: Tally, threshold: float = THRESHOLD) -> bool:
    """Whether the tests are as green as they have to be."""
    return overall.rate is not None and overall.rate >= threshold


def only_defects(overall: Tally) -> bool:
    """All that is red is the product's own fault."""
    return overall.code_defects > 0 and overall.failed == 0 and overall.env_issues == 0
