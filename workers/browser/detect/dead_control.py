"""`dead_control`: a control that a person would use does nothing at all.

It is filed only after a second look: the walk waits longer and tries once more on a fresh load
before it says `no_response` without an outcome. What merely looks pressable (a pointer cursor, a
tab stop) is left alone: a dead button that is not dead costs the user more than a missed one.
"""

from collections.abc import Iterator

from contract.vocabulary import ActionResult, BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.classify import SURE
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: a feature that the page offers is not there."""
    control, verdict = case.control, case.verdict
    if control is None or verdict is None or control.sign not in SURE or case.environment:
        return
    if verdict.result is not ActionResult.NO_RESPONSE or verdict.outcome is not None:
        return
    yield case.suspicion(
        BugKind.DEAD_CONTROL,
        Severity.MAJOR,
        said=f"{control.path}|{control.role}|{control.label}",
        description=f"{case.what} does nothing",
        expected="The page responds",
        actual="Nothing moved: no change, no request, no message, also on a fresh load",
    )
