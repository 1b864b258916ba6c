"""`stuck_loading`: a sign that something is on its way, long after nothing comes any more.

The look waits for it (`kit_talk.LOADING_MS`). Only what is on the screen counts: the spinner at the
end of an endless list waits for someone to scroll.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: what the user waits for never comes."""
    if case.ours or case.environment:
        return
    for spot in case.survey.loading[:1]:
        if case.is_noise(spot.text) or case.is_noise(spot.place):
            continue
        shown = f"“{spot.text}”" if spot.text else "a spinner"
        yield case.suspicion(
            BugKind.STUCK_LOADING,
            Severity.MAJOR,
            said=f"{spot.place}|{spot.text}",
            description=f"{case.what} shows {shown} that never goes away",
            expected="The content, or a message why it does not come",
            actual=f"{shown} is still there, and nothing is on its way any more",
            evidence=(spot.locator,),
        )
