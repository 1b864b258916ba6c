"""`page_hang`: a script of the page never ends, and the page answers nothing any more."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Critical: the user has to close the page."""
    if not case.effect.hung:
        return
    label = case.control.label if case.control else ""
    yield case.suspicion(
        BugKind.PAGE_HANG,
        Severity.CRITICAL,
        said=f"{label}|{case.effect.before.screen}",
        description=f"{case.what} makes the page hang",
        expected="The page goes on answering",
        actual="A script ran without end and was stopped",
    )
