"""`page_error`: a script of the page threw and nobody caught it."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: part of the page did not run. The message alone tells two errors apart."""
    if case.ours or case.environment:
        return
    for line in case.effect.traffic.exceptions:
        if not case.is_noise(line):
            yield case.suspicion(
                BugKind.PAGE_ERROR,
                Severity.MAJOR,
                said=line.splitlines()[0],
                description=f"{case.what} throws an uncaught error: {line.splitlines()[0]}",
                expected="No uncaught error",
                actual=line.splitlines()[0],
                evidence=(line,),
            )
