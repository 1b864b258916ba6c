"""`http_4xx`: the page asked for what is not there or not allowed, and told the user nothing.

An answer that the page turns into a message (a dialog, a toast, a field marked invalid) is handled
and is not a bug. 401 and 403 belong to the session, and are looked at there.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect import broken_resource
from workers.browser.detect.case import Case, endpoint, shown

_SESSION = frozenset({401, 403})
_LOUD = frozenset({"Frame", "XHR", "Fetch"})
_ELSEWHERE = frozenset({"Document", "Image"}) | broken_resource.KINDS


def detect(case: Case) -> Iterator[Suspicion]:
    """Major for a script's request or a frame, minor for anything else.

    A whole page that is not there is an `error_page`, a picture a `broken_image`, a script or a
    stylesheet a `broken_resource`.
    """
    if case.ours or case.told:
        return
    for exchange in case.loud(case.effect.traffic.bad_answers):
        if not 400 <= exchange.status < 500 or exchange.status in _SESSION:
            continue
        if exchange.resource in _ELSEWHERE:
            continue
        yield case.suspicion(
            BugKind.HTTP_4XX,
            Severity.MAJOR if exchange.resource in _LOUD else Severity.MINOR,
            said=endpoint(exchange),
            exactly=exchange.status,
            description=f"{case.what} asks for what is not there: {shown(exchange)}",
            expected="A successful answer, or a message to the user",
            actual=f"{shown(exchange)}, and the page says nothing",
            evidence=(shown(exchange),),
        )
