"""`unexpected_login`: the app asks who is logged in for a login, or refuses as if nobody were.

Answers 401 and the login page come here first. Whether the session is good is tried in a context of
its own before anything is said (`Effect.session_good`); one that is lost is renewed and is no bug.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.classify import changed_document
from workers.browser.detect.case import Case, endpoint, shown


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: what the control leads to cannot be had."""
    after = case.after
    if not case.effect.session_good or after is None or case.ours:
        return
    if after.health.asks_password and (case.control is None or changed_document(case.effect)):
        yield case.suspicion(
            BugKind.UNEXPECTED_LOGIN,
            Severity.MAJOR,
            said=f"{case.where}|{case.control.label if case.control else ''}",
            description=f"{case.what} leads to the login, although the session is good",
            expected="What the control promises",
            actual=f"{after.url.split('?')[0]} asks for a password",
        )
        return
    for exchange in case.loud(case.effect.traffic.bad_answers):
        if exchange.status == 401 and exchange.resource != "Document" and not case.told:
            yield case.suspicion(
                BugKind.UNEXPECTED_LOGIN,
                Severity.MAJOR,
                said=endpoint(exchange),
                exactly=401,
                description=f"{case.what} is refused as not logged in: {shown(exchange)}",
                expected="A successful answer: the session is good",
                actual=f"{shown(exchange)}, and the page says nothing",
                evidence=(shown(exchange),),
            )
