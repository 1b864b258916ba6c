"""`request_failed`: a request to the app got no answer at all."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect import broken_resource
from workers.browser.detect.case import Case, endpoint, shown


def detect(case: Case) -> Iterator[Suspicion]:
    """Major for pages and the requests of scripts; minor for anything else.

    A script or a stylesheet that does not arrive is a `broken_resource`.
    """
    if case.ours:
        return
    for exchange in case.loud(case.effect.traffic.failed):
        if exchange.resource in broken_resource.KINDS:
            continue
        major = exchange.resource in {"Document", "XHR", "Fetch"}
        yield case.suspicion(
            BugKind.REQUEST_FAILED,
            Severity.MAJOR if major else Severity.MINOR,
            said=f"{endpoint(exchange)} {exchange.error}",
            description=f"{case.what} sends a request that gets no answer: {shown(exchange)}",
            expected="An answer from the server",
            actual=shown(exchange),
            evidence=(shown(exchange),),
        )
