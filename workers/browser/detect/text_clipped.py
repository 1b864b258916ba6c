"""`text_clipped`: a box cuts through a text, without an ellipsis or another sign of purpose."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: the text can be guessed."""
    if not case.plain_looks:
        return
    for spot in case.survey.clipped:
        if case.is_noise(spot.text):
            continue
        yield case.suspicion(
            BugKind.TEXT_CLIPPED,
            Severity.MINOR,
            said=spot.place,
            description=f"{case.what} shows a text that is cut off: “{spot.text}”",
            expected="The whole text, or an ellipsis",
            actual=f"The box around “{spot.text}” is too small for it",
            evidence=(spot.locator,),
        )
