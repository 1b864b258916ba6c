"""`page_error`: a script of the page threw and nobody caught it."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def _is_page_as_script(line: str, case: Case) -> bool:
    """What follows from a script that was answered with a page, which is a `broken_resource`."""
    failed = case.effect.traffic.failed
    return "Unexpected token '<'" in line and any("HTML page" in item.error for item in failed)


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: part of the page did not run. The message alone tells two errors apart."""
    if case.ours or case.environment:
        return
    for line in case.effect.traffic.exceptions:
        if not case.is_noise(line) and not _is_page_as_script(line, case):
            yield case.suspicion(
                BugKind.PAGE_ERROR,
                Severity.MAJOR,
                said=line.splitlines()[0],
                description=f"{case.what} throws an uncaught error: {line.splitlines()[0]}",
                expected="No uncaught error",
                actual=line.splitlines()[0],
                evidence=(line,),
            )
