"""What happens in a run, as lines for people; both views use them.

Invariant: text from the app or a worker is cleaned before it is shown. Leaves out where the lines
go.
"""

from coordinator.driver.happenings import (
    Began,
    GoesOn,
    Happening,
    Note,
    Paused,
    RouteDone,
    RouteFailed,
    RouteRetried,
    RoutesFound,
    Stopping,
)
from coordinator.machines.exploration import DISCOVERY
from coordinator.reporting.summary import clean, counted, short


class Words:
    """Turns what happens into lines; counts what the lines need."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.failed = 0
        self.bugs = 0

    def line(self, happening: Happening) -> tuple[str, str] | None:
        """Text and style, or None if it deserves no line."""
        match happening:
            case Began(total=total, completed=completed, failed=failed):
                self.total, self.done, self.failed = total, completed, failed
                return None
            case RouteDone():
                return self._done(happening)
            case RouteFailed() | RouteRetried() if happening.route == DISCOVERY:
                return _about_the_search(happening)
            case RouteFailed(route=route, error=error):
                self.failed += 1
                return f"✗ {clean(route)} could not be tested: {short(error)}", "red"
            case RouteRetried(route=route, why=why):
                return f"↻ {clean(route)} is tried again: {short(why)}", "yellow"
            case _:
                return self._about_the_run(happening)

    def _done(self, happening: RouteDone) -> tuple[str, str]:
        self.done += 1
        count = len(happening.bugs)
        self.bugs += count
        words = f"{clean(happening.route)}  {counted(happening.tally.actions, 'action')}"
        if not count:
            return f"✓ {words}", ""
        return f"! {words}, {counted(count, 'bug')}", "bold"

    def _about_the_run(self, happening: Happening) -> tuple[str, str] | None:
        match happening:
            case RoutesFound(found=found, excluded=excluded):
                return f"{counted(found, 'route')} found, {excluded} left out", ""
            case Paused(why=why):
                return f"waiting: {clean(why)}", "yellow"
            case GoesOn():
                return "it works again; going on", ""
            case Stopping(running=running):
                jobs = "1 job finishes" if running == 1 else f"{running} jobs finish"
                return f"stopping: {jobs} first; Ctrl-C again leaves now", "yellow"
            case Note(text=text):
                return clean(text), ""
            case _:
                return None

    @property
    def settled(self) -> int:
        return self.done + self.failed


def _about_the_search(happening: RouteFailed | RouteRetried) -> tuple[str, str] | None:
    if isinstance(happening, RouteRetried):
        return f"↻ the search is begun again: {short(happening.why)}", "yellow"
    return None  # It ends the command, and that says why.
