"""What happens in a run, as lines for people; both views use them.

Invariant: text from the app or a worker is cleaned before it is shown. Leaves out where the lines
go.
"""

from coordinator.driver.happenings import (
    THE_SEARCH,
    Began,
    GoesOn,
    Happening,
    Note,
    Paused,
    ReviewDone,
    ReviewFailed,
    RouteDone,
    RouteFailed,
    RouteRetried,
    RoutesAdded,
    RoutesFound,
    Stopping,
)
from coordinator.machines.exploration import Step
from coordinator.reporting.summary import short
from coordinator.reporting.words import clean, counted


class Words:
    """Turns what happens into lines; counts what the lines need."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.failed = 0
        self.bugs = 0
        self.reviewing = False

    def line(self, happening: Happening) -> tuple[str, str] | None:
        """Text and style, or None if it deserves no line."""
        match happening:
            case Began():
                return self._begin(happening)
            case RouteDone() | ReviewDone():
                return self._settled(happening)
            case RouteFailed() | RouteRetried() if happening.route == THE_SEARCH:
                return _about_the_search(happening)
            case RouteFailed() | ReviewFailed():
                self.failed += 1
                what = "tested" if isinstance(happening, RouteFailed) else "reviewed"
                why = short(happening.error)
                return f"✗ {clean(happening.route)} could not be {what}: {why}", "red"
            case _:
                return self._about_the_run(happening)

    def _begin(self, began: Began) -> tuple[str, str] | None:
        self.total, self.done, self.failed = began.total, began.completed, began.failed
        self.reviewing = began.step is Step.REVIEWING
        left = self.total - self.settled
        if not (self.reviewing and left):
            return None
        return f"every bug is looked at again, in fresh browsers: {counted(left, 'route')}", ""

    def _settled(self, happening: RouteDone | ReviewDone) -> tuple[str, str] | None:
        self.done += 1
        return self._done(happening) if isinstance(happening, RouteDone) else self._seen(happening)

    def _done(self, happening: RouteDone) -> tuple[str, str]:
        count = len(happening.bugs)
        self.bugs += count
        words = f"{clean(happening.route)}  {counted(happening.tally.actions, 'action')}"
        if not count:
            return f"✓ {words}", ""
        return f"! {words}, {counted(count, 'bug')}", "bold"

    def _seen(self, happening: ReviewDone) -> tuple[str, str] | None:
        """A route without bugs deserves no line."""
        self.bugs += happening.found - happening.refuted
        said = [
            f"{count} {word}"
            for word, count in (
                ("confirmed", happening.confirmed),
                ("flaky", happening.flaky),
                ("refuted", happening.refuted),
                ("not looked at", happening.unchecked),
                ("new", happening.found),
            )
            if count
        ]
        return (f"✓ {clean(happening.route)}  {', '.join(said)}", "") if said else None

    def _about_the_run(self, happening: Happening) -> tuple[str, str] | None:
        match happening:
            case RoutesFound() | RoutesAdded():
                return self._found(happening), ""
            case RouteRetried(route=route, why=why):
                return f"↻ {clean(route)} is tried again: {short(why)}", "yellow"
            case Paused(why=why):
                return f"waiting: {clean(why)}", "yellow"
            case GoesOn():
                return "it works again; going on", ""
            case Stopping(running=running):
                jobs = "1 job finishes" if running == 1 else f"{running} jobs finish"
                return f"stopping: {jobs} first; Ctrl-C again leaves now", "yellow"
            case _:
                return (clean(happening.text), "") if isinstance(happening, Note) else None

    def _found(self, happening: RoutesFound | RoutesAdded) -> str:
        if isinstance(happening, RoutesFound):
            return f"{counted(happening.found, 'route')} found, {happening.excluded} left out"
        self.total += happening.count
        return f"+ {counted(happening.count, 'route')} met on the way, tested as well"

    @property
    def settled(self) -> int:
        return self.done + self.failed


def _about_the_search(happening: RouteFailed | RouteRetried) -> tuple[str, str] | None:
    if isinstance(happening, RouteRetried):
        return f"↻ the search is begun again: {short(happening.why)}", "yellow"
    return None  # It ends the command, and that says why.
