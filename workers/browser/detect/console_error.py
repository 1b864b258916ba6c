"""`console_error`: the page itself wrote an error to the console."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: the app noticed something wrong itself; what it means for the user is not known."""
    if case.ours or case.environment:
        return
    for line in case.effect.traffic.console:
        if not case.is_noise(line):
            yield case.suspicion(
                BugKind.CONSOLE_ERROR,
                Severity.MINOR,
                said=line.splitlines()[0] if line else "",
                description=f"{case.what} writes an error to the console: {line}",
                expected="No error in the console",
                actual=line,
                evidence=(line,),
            )
