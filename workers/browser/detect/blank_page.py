"""`blank_page`: the page shows nothing, often with a cheerful 200."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case
from workers.browser.places import template_of


def detect(case: Case) -> Iterator[Suspicion]:
    """Critical: there is nothing to use."""
    if case.after is None or not case.after.health.blank or case.ours:
        return
    yield case.suspicion(
        BugKind.BLANK_PAGE,
        Severity.CRITICAL,
        said=template_of(case.after.url),
        description=f"{case.what} ends on a blank page",
        expected="A page with content",
        actual="No text, no picture and no control is visible",
        evidence=case.effect.traffic.exceptions,
    )
