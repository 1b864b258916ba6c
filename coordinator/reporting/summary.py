"""The last thing that a run says in the terminal: counts, bugs, routes, and what to do next.

Builds the picture, does not print it. Invariant: nothing from a page under test reaches the
terminal uncleaned, since it could move the cursor or forge lines. Leaves out the HTML page.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contract.vocabulary import RunStatus, Severity, Verdict
from coordinator.records.reports import REPORTS
from coordinator.reporting.comparison import Comparison
from coordinator.reporting.distinct import DistinctBug
from coordinator.reporting.findings import Findings, RouteRow
from coordinator.reporting.remedies import remedy
from coordinator.reporting.words import clean, counted, verdict

MOST_BUGS = 30
MOST_ROUTES = 40
MOST_NOTES = 5
LONGEST_WHY = 240
COLOURS = {Severity.CRITICAL: "bold red", Severity.MAJOR: "yellow", Severity.MINOR: "cyan"}


def short(why: str) -> str:
    """A reason on one line, without the places in our code; the state file has all of it."""
    line = clean(why).partition(" workers/")[0]
    return line if len(line) <= LONGEST_WHY else f"{line[:LONGEST_WHY]}…"


def render(
    findings: Findings,
    folder: Path,
    page: Path | None,
    steps: Sequence[str],
    compared: Comparison | None = None,
) -> RenderableType:
    """Everything, top down; `steps` are what to do next."""
    parts: list[RenderableType] = [_headline(findings)]
    if findings.distinct:
        parts += [Text(), *(_bug(found) for found in findings.distinct[:MOST_BUGS])]
        parts += _more(len(findings.distinct) - MOST_BUGS, "bugs")
    if findings.routes:
        parts += [Text(), _table(findings.routes[:MOST_ROUTES])]
        parts += _more(len(findings.routes) - MOST_ROUTES, "routes")
    if findings.failed:
        parts += [Text(), Text("Could not be tested:")]
        parts += [
            Text(f"  {clean(entry.route)}: {short(entry.last_error or entry.error)}")
            for entry in findings.failed[:MOST_ROUTES]
        ]
    parts.append(Text())
    if compared is not None:
        parts += [*_compared(compared), Text()]
    if page is not None:
        parts += [Text(f"Reports: {folder / REPORTS}"), Text(f"Page:    {page}")]
    parts += [Text(f"Note:    {clean(note)}") for note in findings.notes[:MOST_NOTES]]
    parts += _more(len(findings.notes) - MOST_NOTES, "notes; the page has them")
    parts += [Text(f"Next:    {line}") for line in steps]
    return Group(*parts)


def _headline(findings: Findings) -> Text:
    counters = findings.counters
    bugs = len(findings.distinct)
    text = Text(f"{clean(findings.project)} at {clean(findings.base_url)}: ", style="bold")
    text.append(f"{counters['tested']} of {counters['total_routes']} routes tested, ")
    text.append(counted(bugs, "bug"))
    if bugs:
        shares = [f"{count} {name}" for name, count in findings.severities.items() if count]
        text.append(f" ({', '.join(shares)})")
        if len(findings.bugs) > bugs:
            text.append(f" in {len(findings.bugs)} places")
    if counters["failed"]:
        text.append(f", {counters['failed']} could not be tested")
    if counters["pending"]:
        text.append(f", {counters['pending']} pending")
    if findings.blocked_reason:
        text.append(f"\nBlocked: {clean(findings.blocked_reason)}", style="bold red")
    return text


def _bug(found: DistinctBug) -> Text:
    bug = found.bug
    elsewhere = len(found.routes) - 1
    text = Text(f"{bug.severity:<8} ", style=COLOURS[bug.severity])
    text.append(f"{clean(found.first.route)}  ", style="bold")
    text.append(f"{clean(bug.description)} ", style="not bold default")
    text.append(f"[{bug.kind}, {clean(bug.location)}]", style="dim")
    if elsewhere:
        text.append(f" and on {counted(elsewhere, 'more route')}", style="not bold default")
    if bug.verdict in _DOUBTS:
        text.append(f" ({verdict(bug)})", style="yellow")
    return text


_DOUBTS = {Verdict.FLAKY, Verdict.UNCHECKED}


def _compared(compared: Comparison) -> list[RenderableType]:
    """One line for each list, and the new and the fixed bugs in full."""
    counts = f"{len(compared.new)} new, {len(compared.fixed)} fixed, "
    counts += f"{len(compared.still)} still there, {len(compared.gone)} gone"
    parts: list[RenderableType] = [
        Text(f"Compared with {clean(compared.earlier)}: {counts}", style="bold")
    ]
    for word, style, changes in (
        ("new", "red", compared.new),
        ("fixed", "green", compared.fixed),
        ("gone", "dim", compared.gone),
    ):
        for change in changes[:MOST_BUGS]:
            line = Text(f"  {word:<6} ", style=style)
            line.append(f"{clean(change.route)}  ", style="bold")
            line.append(clean(change.bug.description), style="not bold default")
            parts.append(line)
        parts += _more(len(changes) - MOST_BUGS, f"{word} ones")
    return parts


def _table(rows: tuple[RouteRow, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("Route", overflow="fold", ratio=3)
    table.add_column("Status")
    table.add_column("Tried", justify="right")
    table.add_column("Bugs", justify="right")
    for row in rows:
        style = COLOURS[row.worst] if row.worst else ""
        bugs = Text(str(row.bugs), style=style)
        table.add_row(Text(clean(row.route)), Text(row.status), str(row.tried), bugs)
    return table


def _more(count: int, what: str) -> list[RenderableType]:
    return [Text(f"… and {count} more {what}", style="dim")] if count > 0 else []


def next_steps(findings: Findings, page: Path | None, go_on: str, retry: str) -> list[str]:
    """What makes sense now, the most useful first; `go_on` and `retry` are commands."""
    if findings.status is RunStatus.BLOCKED:
        return [f"{remedy(findings.blocked_reason)}, then go on with: {go_on}"]
    if findings.counters["pending"]:
        return [f"go on with: {go_on}"]
    steps = []
    if findings.bugs and page is not None:
        steps.append("open the page above: each bug with its steps and screenshot")
    if findings.failed:
        steps.append(f"try the failed ones again with: {retry}")
    return steps or ["nothing: every route was tested, and no bug was found"]
