"""`request_failed`: a request to the app got no answer at all."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case, endpoint, shown


def detect(case: Case) -> Iterator[Suspicion]:
    """Major for pages, scripts and their requests; minor for pictures, fonts and the like."""
    if case.ours:
        return
    for exchange in case.effect.traffic.failed:
        if not case.is_ours(exchange) or case.is_noise(exchange.url):
            continue
        major = exchange.resource in {"Document", "XHR", "Fetch", "Script", "Stylesheet"}
        yield case.suspicion(
            BugKind.REQUEST_FAILED,
            Severity.MAJOR if major else Severity.MINOR,
            said=f"{endpoint(exchange)} {exchange.error}",
            description=f"{case.what} sends a request that gets no answer: {shown(exchange)}",
            expected="An answer from the server",
            actual=shown(exchange),
            evidence=(shown(exchange),),
        )
