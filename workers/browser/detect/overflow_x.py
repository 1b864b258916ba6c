"""`overflow_x`: the whole page can be scrolled sideways, because a part is wider than it.

A part that scrolls by itself is meant to.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: everything can be reached."""
    wide = case.survey.wide
    if wide is None or not case.plain_looks or case.is_noise(wide.spot.text):
        return
    yield case.suspicion(
        BugKind.OVERFLOW_X,
        Severity.MINOR,
        said=wide.spot.place,
        description=f"{case.what} makes the page scroll sideways",
        expected="The page is as wide as the window",
        actual=f"{wide.spot.locator} makes it {wide.pixels} pixels wider",
        evidence=(wide.spot.locator,),
    )
