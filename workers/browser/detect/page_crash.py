"""`page_crash`: the renderer of the page died."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Critical: everything on the page is lost."""
    if not case.effect.crashed:
        return
    label = case.control.label if case.control else ""
    yield case.suspicion(
        BugKind.PAGE_CRASH,
        Severity.CRITICAL,
        said=f"{label}|{case.effect.before.screen}",
        description=f"{case.what} crashes the page",
        expected="The page goes on",
        actual="The browser's page process died",
    )
