"""`http_5xx`: the app's server failed while answering a request."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect import broken_resource
from workers.browser.detect.case import Case, endpoint, shown

_ELSEWHERE = frozenset({"Document"}) | broken_resource.KINDS


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: a part of the page has no data. A page that fails as a whole is an `error_page`."""
    for exchange in case.loud(case.effect.traffic.bad_answers):
        if exchange.status < 500 or exchange.resource in _ELSEWHERE:
            continue
        yield case.suspicion(
            BugKind.HTTP_5XX,
            Severity.MAJOR,
            said=endpoint(exchange),
            exactly=exchange.status,
            description=f"{case.what} makes the server fail: {shown(exchange)}",
            expected="An answer below 500",
            actual=shown(exchange),
            evidence=(shown(exchange),),
        )
