"""`broken_resource`: a script, a stylesheet, a font or a film of the app does not arrive.

Also one that is answered with an HTML page, as a catch-all route does. Pictures are the business
of `broken_image`, data of the `http_*` detectors; what other hosts fail to send may be the
environment.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case, endpoint, shown

KINDS = frozenset({"Script", "Stylesheet", "Font", "Media", "Manifest", "TextTrack"})
_MAJOR = frozenset({"Script", "Stylesheet"})
_WORDS = {"Font": "font", "Stylesheet": "stylesheet", "Script": "script", "Media": "film or sound"}


def detect(case: Case) -> Iterator[Suspicion]:
    """Major for a script or a stylesheet: what it does is missing. Minor for the rest."""
    if case.ours:
        return
    traffic = case.effect.traffic
    for exchange in case.loud(traffic.bad_answers + traffic.failed):
        if exchange.resource not in KINDS:
            continue
        what = _WORDS.get(exchange.resource, "file")
        yield case.suspicion(
            BugKind.BROKEN_RESOURCE,
            Severity.MAJOR if exchange.resource in _MAJOR else Severity.MINOR,
            said=endpoint(exchange),
            description=f"{case.what} asks for a {what} that does not arrive: "
            f"{urlsplit(exchange.url).path}",
            expected=f"The {what} arrives",
            actual=shown(exchange),
            evidence=(shown(exchange),),
        )
