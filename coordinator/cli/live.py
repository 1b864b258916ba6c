"""The live view: one bar over the routes, and a line for each job that runs.

It fits into 40 columns: what comes by the hundred is cut, what has to be read is wrapped. Leaves
out what the lines say.
"""

from types import TracebackType
from typing import Self

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from coordinator.cli.lines import Words
from coordinator.cli.paint import progress_console
from coordinator.driver.happenings import Happening, Progress, ReviewDone, RouteDone, Running
from coordinator.reporting.words import clean

MOST_LINES = 12


class LiveView:
    """Shown by `with`; lines of what happened scroll above the bar."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._words = Words()
        self._progress = Progress((), 0, 0, 0)
        self._console = progress_console()
        self._live = Live(console=self._console, transient=True, refresh_per_second=8)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def show(self, happening: Happening) -> None:
        if line := self._words.line(happening):
            cut = isinstance(happening, RouteDone | ReviewDone)
            self._console.print(Text(*line), overflow="ellipsis" if cut else "fold", no_wrap=cut)
        if isinstance(happening, Progress):
            self._progress = happening
        self._live.update(self._picture())

    def _picture(self) -> RenderableType:
        running = self._progress.running
        lines = [_line(job) for job in running[:MOST_LINES]]
        if len(running) > MOST_LINES:
            lines.append(Text(f"… and {len(running) - MOST_LINES} more", style="dim"))
        if not running and not self._progress.workers:
            lines.append(Text("waiting for workers", style="dim"))
        return Group(self._bar(), *lines)

    def _bar(self) -> RenderableType:
        words = self._words
        row = Table.grid(padding=(0, 1), expand=True)
        row.add_column(no_wrap=True)
        row.add_column(ratio=1)
        row.add_column(no_wrap=True, justify="right")
        bar = ProgressBar(total=max(words.total, 1), completed=words.settled)
        counts = f"{words.settled}/{words.total}"
        if words.bugs:
            counts += " 1 bug" if words.bugs == 1 else f" {words.bugs} bugs"
        row.add_row("Reviewing" if words.reviewing else self._title, bar, counts)
        return row


def _line(job: Running) -> Text:
    tally = job.tally
    text = Text(f"  {clean(job.route)} ", no_wrap=True, overflow="ellipsis")
    counts = f"{tally.actions} actions {tally.states} states"
    if tally.bugs:
        counts += " 1 bug" if tally.bugs == 1 else f" {tally.bugs} bugs"
    text.append(counts, style="cyan")
    text.append(f" {clean(job.doing)}", style="dim")
    return text
