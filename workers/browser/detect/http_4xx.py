"""`http_4xx`: the page asked for what is not there or not allowed, and told the user nothing.

An answer that the page turns into a message (a dialog, a toast, a field marked invalid) is handled
and is not a bug. 401 and 403 belong to the session, and are looked at there.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.classify import delta
from workers.browser.detect.case import Case, endpoint, shown

_SESSION = frozenset({401, 403})
_LOUD = frozenset({"Frame", "XHR", "Fetch"})
_ELSEWHERE = frozenset({"Document", "Image"})


def _told(case: Case) -> bool:
    after, before = case.after, case.effect.before
    if after is None or case.control is None:
        return False
    told = set(after.toasts) - set(before.toasts) or len(after.dialogs) > len(before.dialogs)
    return bool(told) or after.invalid > before.invalid or bool(delta(after).dialogs)


def detect(case: Case) -> Iterator[Suspicion]:
    """Major for a script's request or a frame, minor for a resource.

    A whole page that is not there is an `error_page`, a picture a `broken_image`.
    """
    if case.ours:
        return
    for exchange in case.effect.traffic.bad_answers:
        if not 400 <= exchange.status < 500 or exchange.status in _SESSION or _told(case):
            continue
        if (
            exchange.resource in _ELSEWHERE
            or case.is_noise(exchange.url)
            or not case.is_ours(exchange)
        ):
            continue
        major = exchange.resource in _LOUD
        yield case.suspicion(
            BugKind.HTTP_4XX,
            Severity.MAJOR if major else Severity.MINOR,
            said=endpoint(exchange),
            exactly=exchange.status,
            description=f"{case.what} asks for what is not there: {shown(exchange)}",
            expected="A successful answer, or a message to the user",
            actual=f"{shown(exchange)}, and the page says nothing",
            evidence=(shown(exchange),),
        )
