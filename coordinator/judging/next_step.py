"""What a person should do after a suite run, as a word for tools and a sentence for people.

The rules, in order: bugs come first, since no test can help there; then whether the run converged;
then how far it got. Invariant: every ending has exactly one next step.
"""

from dataclasses import dataclass
from enum import StrEnum

from contract.vocabulary import SuiteStatus
from coordinator.judging.convergence import Tally

GOOD = 80.0


class NextStep(StrEnum):
    REVIEW = "quality-review"
    DEBUG = "quality-debug"
    TEST = "quality-test"


@dataclass(frozen=True, slots=True)
class Advice:
    step: NextStep
    words: str


def next_step(status: SuiteStatus, overall: Tally) -> Advice:
    """The advice at the end of a run."""
    if overall.code_defects:
        count = overall.code_defects
        bugs = "one test contradicts" if count == 1 else f"{count} tests contradict"
        return Advice(NextStep.DEBUG, f"{bugs} the code; correct it there, then run them again")
    if status is SuiteStatus.CONVERGED:
        return Advice(NextStep.REVIEW, "the suite has converged; have it reviewed, and commit it")
    if status in {SuiteStatus.BLOCKED, SuiteStatus.L0_FAILED}:
        return Advice(NextStep.DEBUG, "correct what stands in the way of the tests, then resume")
    if status is SuiteStatus.PLANNED:
        return Advice(NextStep.TEST, "read the plan; the same command without --dry-run runs it")
    return _of_rate(overall)


def _of_rate(overall: Tally) -> Advice:
    """The advice where neither a bug nor the ending itself decides."""
    if overall.total and overall.passed == overall.total:
        return Advice(NextStep.TEST, "all is green in a single pass; go on with more iterations")
    if overall.rate is not None and overall.rate > GOOD:
        return Advice(NextStep.TEST, f"{overall.rate} % pass; run the remaining failures again")
    shown = "nothing could be counted" if overall.rate is None else f"only {overall.rate} % pass"
    return Advice(NextStep.DEBUG, f"{shown}; look into the failures first")
