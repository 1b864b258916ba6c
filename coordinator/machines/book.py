"""The jobs of a run that are not settled yet, and the attempts at them.

It is the one mutable part of a ledger, and only the machine changes it: a copy for every result
would cost as much as the map is long. Invariant: each unsettled job is in exactly one of `waiting`,
`again`, `out` and `later`; every operation takes the same time at any size of map. Leaves out when
to publish and when to give up, which the machine decides, and what a job is about.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from contract.identity import JobId


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a job; `(number, epoch)` tells it from every other.

    `tries` counts the attempts before it that were the job's own failure, `error` is the first
    one's. `deadline`, `missed` (looks in a row that did not find a begun job's beat) and `base`
    (workers that the job had lost before) are what the leases told, and no part of the file.
    """

    number: int
    epoch: int
    tries: int = 0
    error: str = ""
    deadline: datetime | None = field(default=None, compare=False)
    missed: int = field(default=0, compare=False)
    base: int = field(default=0, compare=False)


class JobBook:
    """Waiting jobs in the order of the map, those to be tried again before them.

    `later` holds those of the next phase, with the last attempt where there was one already.
    """

    __slots__ = ("again", "completed", "failed", "later", "out", "waiting")

    def __init__(
        self,
        pending: Iterable[JobId],
        *,
        out: Mapping[JobId, Attempt] | None = None,
        again: Mapping[JobId, Attempt] | None = None,
        later: Mapping[JobId, Attempt | None] | None = None,
        completed: int = 0,
        failed: int = 0,
    ) -> None:
        self.out: dict[JobId, Attempt] = dict(out or {})
        self.again: dict[JobId, Attempt] = dict(again or {})
        self.later: dict[JobId, Attempt | None] = dict(later or {})
        begun = self.out.keys() | self.again.keys()
        self.waiting = deque(job for job in pending if job not in begun)
        self.completed = completed
        self.failed = failed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JobBook):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment] # it changes

    @property
    def left(self) -> int:
        """How many jobs of this phase are not settled."""
        return len(self.waiting) + len(self.again) + len(self.out)

    @property
    def idle(self) -> int:
        """How many jobs could be published."""
        return len(self.waiting) + len(self.again)

    def turn(self) -> None:
        """The next phase begins: what was kept for later is all there is to do and to count."""
        last = {job: attempt for job, attempt in self.later.items() if attempt is not None}
        self.again.update(last)
        self.waiting.extend(job for job in self.later if job not in last)
        self.later.clear()
        self.completed = self.failed = 0

    def take(self, epoch: int, deadline: datetime) -> tuple[JobId, Attempt]:
        """The next job to publish; from now on it is out."""
        if self.again:
            job = next(iter(self.again))
            last = self.again.pop(job)
            attempt = Attempt(
                number=last.number + 1,
                epoch=epoch,
                tries=last.tries,
                error=last.error,
                deadline=deadline,
                base=last.base,
            )
        else:
            job = self.waiting.popleft()
            attempt = Attempt(number=1, epoch=epoch, deadline=deadline)
        self.out[job] = attempt
        return job, attempt

    def note(self, job: JobId, **facts: object) -> Attempt:
        """Write down what a lease told about a job that is out."""
        attempt = replace(self.out[job], **facts)  # type: ignore[arg-type]
        self.out[job] = attempt
        return attempt

    def give_back(self, job: JobId) -> None:
        """A job that is out waits again, and nobody is to blame."""
        self.again[job] = self.out.pop(job)

    def blame(self, job: JobId, error: str) -> Attempt:
        """A job that is out waits again, and this attempt counts."""
        attempt = self.out.pop(job)
        attempt = replace(attempt, tries=attempt.tries + 1, error=attempt.error or error)
        self.again[job] = attempt
        return attempt

    def settle(self, job: JobId, *, failed: bool) -> None:
        """The job is done, one way or the other."""
        self.out.pop(job, None)
        self.again.pop(job, None)
        if failed:
            self.failed += 1
        else:
            self.completed += 1
