"""`error_page`: the server or the app shows an error page instead of what was asked for."""

import re
from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.classify import changed_document
from workers.browser.detect.case import Case
from workers.browser.places import template_of

_SESSION = frozenset({401, 403})
_SAYS = re.compile(
    r"internal server error|bad gateway|service unavailable|gateway time-?out|"
    r"traceback \(most recent call last\)|fatal error|unhandled exception|something went wrong|"
    r"application error|whitelabel error|page not found|not found\s*$|^\s*(404|500|502|503)\b|"
    r"stack trace|whoops",
    re.IGNORECASE,
)


def detect(case: Case) -> Iterator[Suspicion]:
    """Critical for a server's failure, major for a page that is not there."""
    after = case.after
    if after is None or case.ours or not (case.control is None or changed_document(case.effect)):
        return
    status = case.effect.traffic.document_status
    says = _SAYS.search(after.health.heading) or _SAYS.search(after.title)
    if status in _SESSION or (status < 400 and says is None):
        return
    reason = f"status {status}" if says is None else f"it says “{says.group().strip()}”"
    yield case.suspicion(
        BugKind.ERROR_PAGE,
        Severity.CRITICAL if status >= 500 else Severity.MAJOR,
        said=template_of(after.url),
        description=f"{case.what} ends on an error page ({reason})",
        expected="The page that was asked for",
        actual=after.health.heading or after.title or after.health.start_of_text[:120] or reason,
        evidence=(after.url.split("?")[0],),
    )
