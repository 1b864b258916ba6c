"""Blobs that nobody will ask for any more, dropped some time after their result was merged.

Two routes may show the same picture, and a blob is named by its content: it is dropped only when no
result named it for longer than a job can take, so that a worker that found it there can still refer
to it. A blob that is dropped too early costs one more attempt, never a result.
"""

from collections.abc import Iterable

from coordinator.driver.blobs import Blobs
from coordinator.driver.pace import Clock


class Leftovers:
    """`kept_s`: longer than any job takes from its first blob to the merge of its result."""

    def __init__(self, blobs: Blobs, clock: Clock, kept_s: float) -> None:
        self._blobs = blobs
        self._clock = clock
        self._kept_s = kept_s
        self._due: dict[str, float] = {}

    def add(self, digests: Iterable[str]) -> None:
        """These were merged just now; the latest mention counts."""
        due = self._clock.steady() + self._kept_s
        for digest in digests:
            self._due.pop(digest, None)
            self._due[digest] = due

    def sweep(self, *, everything: bool = False) -> None:
        """Drop what is due; the mapping is in the order of time."""
        now = self._clock.steady()
        ripe = []
        for digest, due in self._due.items():
            if due > now and not everything:
                break
            ripe.append(digest)
        for digest in ripe:
            del self._due[digest]
        self._blobs.drop(ripe)
