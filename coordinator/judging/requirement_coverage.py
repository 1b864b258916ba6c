"""Which acceptance criteria are borne out by tests, criterion by criterion.

A criterion passed if all its scenarios pass, failed if any fails, is blocked if any is blocked and
none failed, untested if it has none or they were not run. A requirement is `verified` when all its
MUST and SHOULD criteria passed, `unverified` when every criterion failed or is untested, else
`partial`. Invariant: each criterion of each requirement stands there once, tested or not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contract.vocabulary import Priority, ScenarioStatus
from coordinator.judging.convergence import percent


class CriterionStatus(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"
    UNTESTED = "untested"


class CoverageVerdict(StrEnum):
    VERIFIED = "verified"
    PARTIAL = "partial"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class Asked:
    """A criterion that a requirement states."""

    ac_id: str
    description: str
    priority: Priority


@dataclass(frozen=True, slots=True)
class Shown:
    """A scenario of a criterion, and how it went."""

    test: str
    status: ScenarioStatus
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """A criterion and what its tests say; `failure`: the first one's."""

    ac_id: str
    description: str
    priority: Priority
    status: CriterionStatus
    tests: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class RequirementCoverage:
    """A requirement with all its criteria."""

    req_id: str
    title: str
    criteria: tuple[CriterionResult, ...]
    verdict: CoverageVerdict

    def count(self, status: CriterionStatus) -> int:
        return sum(each.status is status for each in self.criteria)

    @property
    def coverage(self) -> float | None:
        """Per cent of the criteria that passed."""
        return percent(self.count(CriterionStatus.PASSED), len(self.criteria))


def criterion(asked: Asked, shown: Sequence[Shown]) -> CriterionResult:
    """What the scenarios of a criterion say of it."""
    failures = [each.failure for each in shown if each.status is ScenarioStatus.FAILED]
    return CriterionResult(
        ac_id=asked.ac_id,
        description=asked.description,
        priority=asked.priority,
        status=_status([each.status for each in shown]),
        tests=tuple(each.test for each in shown),
        failure=next(filter(None, failures), ""),
    )


def _status(statuses: Sequence[ScenarioStatus]) -> CriterionStatus:
    if ScenarioStatus.FAILED in statuses:
        return CriterionStatus.FAILED
    if ScenarioStatus.BLOCKED in statuses:
        return CriterionStatus.BLOCKED
    if statuses and all(status is ScenarioStatus.PASSED for status in statuses):
        return CriterionStatus.PASSED
    return CriterionStatus.UNTESTED


def requirement(req_id: str, title: str, results: Iterable[CriterionResult]) -> RequirementCoverage:
    """A requirement and the verdict over its criteria."""
    criteria = tuple(results)
    return RequirementCoverage(
        req_id=req_id, title=title, criteria=criteria, verdict=_verdict(criteria)
    )


def _verdict(criteria: Sequence[CriterionResult]) -> CoverageVerdict:
    lost = {CriterionStatus.FAILED, CriterionStatus.UNTESTED}
    if all(each.status in lost for each in criteria):
        return CoverageVerdict.UNVERIFIED
    needed = [each for each in criteria if each.priority is not Priority.MEDIUM]
    passed = all(each.status is CriterionStatus.PASSED for each in needed)
    return CoverageVerdict.VERIFIED if passed else CoverageVerdict.PARTIAL
