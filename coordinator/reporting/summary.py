"""The last thing that a run says in the terminal: counts, bugs, routes, and what to do next.

Builds the picture, does not print it. Invariant: nothing from a page under test reaches the
terminal uncleaned, since it could move the cursor or forge lines. Leaves out the HTML page.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contract.vocabulary import RunStatus, Severity
from coordinator.records.reports import REPORTS
from coordinator.reporting.findings import Findings, FoundBug, RouteRow
from coordinator.reporting.remedies import remedy

MOST_BUGS = 30
MOST_ROUTES = 40
LONGEST_WHY = 240
COLOURS = {Severity.CRITICAL: "bold red", Severity.MAJOR: "yellow", Severity.MINOR: "cyan"}


def clean(text: str) -> str:
    """One line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def short(why: str) -> str:
    """A reason on one line, without the places in our code; the state file has all of it."""
    line = clean(why).partition(" workers/")[0]
    return line if len(line) <= LONGEST_WHY else f"{line[:LONGEST_WHY]}…"


def counted(number: int, what: str) -> str:
    """`1 bug`, `2 bugs`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def render(
    findings: Findings, folder: Path, page: Path | None, steps: Sequence[str]
) -> RenderableType:
    """Everything, top down; `steps` are what to do next."""
    parts: list[RenderableType] = [_headline(findings)]
    if findings.bugs:
        parts += [Text(), *(_bug(found) for found in findings.bugs[:MOST_BUGS])]
        parts += _more(len(findings.bugs) - MOST_BUGS, "bugs")
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
    if page is not None:
        parts += [Text(f"Reports: {folder / REPORTS}"), Text(f"Page:    {page}")]
    parts += [Text(f"Next:    {line}") for line in steps]
    return Group(*parts)


def _headline(findings: Findings) -> Text:
    counters = findings.counters
    bugs = len(findings.bugs)
    text = Text(f"{clean(findings.project)} at {clean(findings.base_url)}: ", style="bold")
    text.append(f"{counters['tested']} of {counters['total_routes']} routes tested, ")
    text.append(counted(bugs, "bug"))
    if bugs:
        shares = [f"{count} {name}" for name, count in findings.severities.items() if count]
        text.append(f" ({', '.join(shares)})")
    if counters["failed"]:
        text.append(f", {counters['failed']} could not be tested")
    if counters["pending"]:
        text.append(f", {counters['pending']} pending")
    if findings.blocked_reason:
        text.append(f"\nBlocked: {clean(findings.blocked_reason)}", style="bold red")
    return text


def _bug(found: FoundBug) -> Text:
    bug = found.bug
    text = Text(f"{bug.severity:<8} ", style=COLOURS[bug.severity])
    text.append(f"{clean(found.route)}  ", style="bold")
    text.append(f"{clean(bug.description)} ", style="not bold default")
    text.append(f"[{bug.kind}, {clean(bug.location)}]", style="dim")
    return text


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
