"""`offscreen_control`: a control that no scrolling brings into view.

The part that it stands in is on the page: a drawer that is folded away, a skip link and what is
kept for screen readers are not meant.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: what the control does cannot be had."""
    if not case.plain_looks:
        return
    for spot in case.survey.offscreen:
        if case.is_noise(spot.text):
            continue
        yield case.suspicion(
            BugKind.OFFSCREEN_CONTROL,
            Severity.MAJOR,
            said=f"{spot.place}|{spot.text}",
            description=f"{case.what} shows “{spot.text}” beyond the edge of the page",
            expected="The control can be brought into view",
            actual=f"The middle of “{spot.text}” lies where nobody can scroll to",
            evidence=(spot.locator,),
        )
