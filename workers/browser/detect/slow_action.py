"""`slow_action`: the user waits for the server for seconds.

Measured by the browser's network, from the request to the end of its answer, so that a busy machine
of ours is not taken for a slow app. What never ends (a stream, a long poll) is not an answer.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case, endpoint

SLOW_MS = 3000
_VERY_SLOW_MS = 10_000


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor from three seconds on, major from ten."""
    if case.ours:
        return
    for exchange in case.loud(case.effect.traffic.slow):
        if exchange.took_ms < SLOW_MS:
            continue
        seconds = exchange.took_ms / 1000
        yield case.suspicion(
            BugKind.SLOW_ACTION,
            Severity.MAJOR if exchange.took_ms >= _VERY_SLOW_MS else Severity.MINOR,
            said=endpoint(exchange),
            description=f"{case.what} takes {seconds:.1f} s: {endpoint(exchange)} is slow",
            expected=f"An answer within {SLOW_MS // 1000} s",
            actual=f"{endpoint(exchange)} took {seconds:.1f} s",
        )
