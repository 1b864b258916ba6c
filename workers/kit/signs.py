"""What the threads of one worker tell each other; nothing else is shared between them.

Invariant: signs are only ever raised, never taken back: a worker that has to leave does leave.
"""

import threading
import time


class Signs:
    """`stopping`: asked to stop; the running job may hand itself back. `trouble`: Redis failed, so
    finish the job and be restarted. `broken`: the worker itself cannot go on.
    """

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self.trouble = threading.Event()
        self.broken = threading.Event()
        self._alive_at = time.monotonic()

    def leaving(self) -> bool:
        """No job may be begun any more."""
        return self.stopping.is_set() or self.trouble.is_set() or self.broken.is_set()

    def alive(self) -> None:
        self._alive_at = time.monotonic()

    def silent_s(self) -> float:
        """Seconds since the last fetch, beat or idle tick."""
        return time.monotonic() - self._alive_at
