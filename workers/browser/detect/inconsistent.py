"""`inconsistent`: the same press in the same state does now this, now that.

Judged over fresh contexts. What changes once and stays so is memory, not a bug: the first outcome
has to come back after another one. Errors on the way are bugs of their own kinds.
"""

from collections.abc import Iterator
from itertools import combinations

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def _wavers(outcomes: tuple[str, ...]) -> bool:
    return any(first == last != between for first, between, last in combinations(outcomes, 3))


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: nobody can rely on the control."""
    control = case.control
    if control is None or not _wavers(case.outcomes) or case.environment:
        return
    yield case.suspicion(
        BugKind.INCONSISTENT,
        Severity.MAJOR,
        said=f"{control.path}|{control.role}|{control.label}",
        description=f"{case.what} does not always do the same",
        expected="The same press in the same state has the same outcome",
        actual="In fresh contexts it was: " + ", then ".join(case.outcomes),
    )
