"""The threads that speak while a job runs: one says it is alive, one ends it when time is up.

Invariant: both end with the job and never keep the process alive. What the watchdog does at a
limit is handed to it; it knows the clock only.
"""

import threading
import time
from collections.abc import Callable

from contract.channels import BEAT_S

TICK_S = 0.25
PROMPT_S = 0.5
"""News from the handler is passed on after at most this long."""


class Beater(threading.Thread):
    """Calls `send` at once, every `BEAT_S`, and soon after `news()`."""

    def __init__(self, send: Callable[[], None]) -> None:
        super().__init__(name="beat", daemon=True)
        self._send = send
        self._news = threading.Event()
        self._over = threading.Event()

    def news(self) -> None:
        self._news.set()

    def stop(self) -> None:
        self._over.set()

    def run(self) -> None:
        due = 0.0
        while not self._over.is_set():
            if self._news.is_set() or time.monotonic() >= due:
                self._news.clear()
                self._send()
                due = time.monotonic() + BEAT_S
            self._over.wait(PROMPT_S)


class Watchdog(threading.Thread):
    """Two steps at a limit: `strike(why)`, and `grace_s` later `end(why)`.

    `limit()` says when and why (monotonic seconds, or nothing yet); it is asked again and again,
    because a request to stop can come at any time. What struck first stays the reason.
    """

    def __init__(
        self,
        limit: Callable[[], tuple[float, str]],
        strike: Callable[[str], None],
        end: Callable[[str], None],
        grace_s: float,
    ) -> None:
        super().__init__(name="watchdog", daemon=True)
        self._limit = limit
        self._strike = strike
        self._end = end
        self._grace_s = grace_s
        self._over = threading.Event()

    def stop(self) -> None:
        self._over.set()

    def run(self) -> None:
        why = self._wait_for_limit()
        if why is None:
            return
        self._strike(why)
        if not self._over.wait(self._grace_s):
            self._end(why)

    def _wait_for_limit(self) -> str | None:
        while True:
            at, why = self._limit()
            left = at - time.monotonic()
            if left <= 0:
                return why
            if self._over.wait(min(left, TICK_S)):
                return None
