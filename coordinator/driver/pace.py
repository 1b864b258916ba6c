"""When things are due: the only clock of the coordinator, and two ways to read it.

Invariant: writing the state takes at most a sixtieth of the time, so that a result costs hardly
more on a large map than on a small one. Leaves out what is done when it is due.
"""

import time
from datetime import UTC, datetime

COMMIT_S = 0.2
SHARE = 60


class Clock:
    """Wall time for the machine and the files, a steady one for intervals."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def steady(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Every:
    """Due at once, and then `seconds` after the last time it was found due."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._next = clock.steady()

    def due(self) -> bool:
        if self._clock.steady() < self._next:
            return False
        self._next = self._clock.steady() + self._seconds
        return True

    @property
    def left_s(self) -> float:
        return max(0.0, self._next - self._clock.steady())


class CommitPace:
    """At least `COMMIT_S` between commits, and `SHARE` times what the last one took."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._next = clock.steady()

    @property
    def left_s(self) -> float:
        return max(0.0, self._next - self._clock.steady())

    def took(self, seconds: float) -> None:
        self._next = self._clock.steady() + max(COMMIT_S, SHARE * seconds)
