"""`unhandled_rejection`: a promise of the page failed and nobody handled it."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: something asynchronous failed without a word to the user."""
    if case.ours or case.environment:
        return
    for line in case.effect.traffic.rejections:
        if not case.is_noise(line):
            yield case.suspicion(
                BugKind.UNHANDLED_REJECTION,
                Severity.MAJOR,
                said=line.splitlines()[0],
                description=f"{case.what} leaves a promise rejected: {line.splitlines()[0]}",
                expected="Every rejected promise is handled",
                actual=line.splitlines()[0],
                evidence=(line,),
            )
