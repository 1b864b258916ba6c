"""`layout_overlap`: parts of one layer lie on one another.

What is taken out of the flow (a menu, a sticky header, a badge) lies on the rest on purpose and is
never compared with it.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major when a control cannot be pressed for what lies on it, else minor."""
    if not case.plain_looks:
        return
    for overlap in case.survey.overlaps:
        above, below = overlap.above, overlap.below
        if case.is_noise(above.text) or case.is_noise(below.text):
            continue
        yield case.suspicion(
            BugKind.LAYOUT_OVERLAP,
            Severity.MAJOR if overlap.blocked else Severity.MINOR,
            said=f"{above.place}|{below.place}",
            description=f"{case.what} shows “{above.text}” on top of “{below.text}”",
            expected="Each part has a place of its own",
            actual=f"“{above.text}” covers "
            + (f"all of “{below.text}”" if overlap.blocked else f"“{below.text}” in part"),
            evidence=(above.locator, below.locator),
        )
