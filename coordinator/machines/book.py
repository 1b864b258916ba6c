"""The routes of a run that are not settled yet, and the attempts at them.

It is the one mutable part of a ledger, and only the machine changes it: a copy for every result
would cost as much as the map is long. Invariant: each unsettled route is in exactly one of
`waiting`, `again` and `out`; every operation takes the same time at any size of map. Leaves out
when to publish and when to give up, which the machine decides.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a route; `(number, epoch)` tells it from every other.

    `tries` counts the attempts before it that were the route's own failure, `error` is the first
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


class RouteBook:
    """Waiting routes in the order of the map, those to be tried again before them."""

    __slots__ = ("again", "completed", "failed", "out", "waiting")

    def __init__(
        self,
        pending: Iterable[str],
        *,
        out: Mapping[str, Attempt] | None = None,
        again: Mapping[str, Attempt] | None = None,
        completed: int = 0,
        failed: int = 0,
    ) -> None:
        self.out: dict[str, Attempt] = dict(out or {})
        self.again: dict[str, Attempt] = dict(again or {})
        self.waiting = deque(r for r in pending if r not in self.out and r not in self.again)
        self.completed = completed
        self.failed = failed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RouteBook):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment] # it changes

    @property
    def left(self) -> int:
        """How many routes are not settled."""
        return len(self.waiting) + len(self.again) + len(self.out)

    @property
    def idle(self) -> int:
        """How many routes could be published."""
        return len(self.waiting) + len(self.again)

    def take(self, epoch: int, deadline: datetime) -> tuple[str, Attempt]:
        """The next route to publish; from now on it is out."""
        if self.again:
            route = next(iter(self.again))
            last = self.again.pop(route)
            attempt = Attempt(
                number=last.number + 1,
                epoch=epoch,
                tries=last.tries,
                error=last.error,
                deadline=deadline,
                base=last.base,
            )
        else:
            route = self.waiting.popleft()
            attempt = Attempt(number=1, epoch=epoch, deadline=deadline)
        self.out[route] = attempt
        return route, attempt

    def note(self, route: str, **facts: object) -> Attempt:
        """Write down what a lease told about a route that is out."""
        attempt = replace(self.out[route], **facts)  # type: ignore[arg-type]
        self.out[route] = attempt
        return attempt

    def give_back(self, route: str) -> None:
        """A route that is out waits again, and nobody is to blame."""
        self.again[route] = self.out.pop(route)

    def blame(self, route: str, error: str) -> Attempt:
        """A route that is out waits again, and this attempt counts."""
        attempt = self.out.pop(route)
        attempt = replace(attempt, tries=attempt.tries + 1, error=attempt.error or error)
        self.again[route] = attempt
        return attempt

    def settle(self, route: str, *, failed: bool) -> None:
        """The route is done, one way or the other."""
        self.out.pop(route, None)
        self.again.pop(route, None)
        if failed:
            self.failed += 1
        else:
            self.completed += 1
