"""`monkey-test-reports/overview.html`: one page that opens from disk, without a network.

Routes in a table, each bug with its steps and screenshot. Invariant: everything that came from the
app under test is escaped. Leaves out the full report with the trees, which comes later.
"""

from pathlib import Path

from contract.action_tree import Step
from coordinator.records.atomic import write_atomic
from coordinator.records.reports import REPORTS, SCREENSHOTS
from coordinator.records.state import State
from coordinator.reporting.findings import Findings, FoundBug, RouteRow, gather
from coordinator.reporting.markup import Markup, fill, join, link

FILE_NAME = "overview.html"
MOST_ROWS = 2_000
MOST_BUGS = 1_000


def write(state: State, folder: Path) -> Path:
    """Replace the page; says where it is."""
    path = folder / REPORTS / FILE_NAME
    write_atomic(path, render(gather(state, folder)).encode())
    return path


def render(findings: Findings) -> str:
    """The page."""
    counters = findings.counters
    return fill(
        "page.html",
        style=Markup(fill("style.css")),
        project=findings.project,
        base_url=findings.base_url,
        tested=counters["tested"],
        total=counters["total_routes"],
        failed=counters["failed"],
        pending=counters["pending"],
        notice=_notice(findings),
        critical=findings.severities["critical"],  # type: ignore[index] # a StrEnum is its text
        major=findings.severities["major"],  # type: ignore[index] # as above
        minor=findings.severities["minor"],  # type: ignore[index] # as above
        bugs=join([_bug(found) for found in findings.bugs[:MOST_BUGS]]) or fill("nothing.html"),
        more_bugs=_more(len(findings.bugs) - MOST_BUGS, "bugs; see the reports of the routes"),
        rows=join([_row(row) for row in findings.routes[:MOST_ROWS]]),
        more_rows=_more(len(findings.routes) - MOST_ROWS, "routes without bugs"),
        problems=_failed(findings),
        discovered=_discovered(findings),
    )


def _notice(findings: Findings) -> Markup:
    if not findings.blocked_reason:
        return Markup("")
    return fill("notice.html", text=f"Blocked: {findings.blocked_reason}")


def _more(count: int, what: str) -> Markup:
    return fill("notice.html", text=f"… and {count} more {what}.") if count > 0 else Markup("")


def _bug(found: FoundBug) -> Markup:
    bug = found.bug
    shot = Markup("")
    if bug.screenshot:
        address = link("..", SCREENSHOTS, found.slug, bug.screenshot)
        shot = fill("shot.html", address=address, label=f"{found.route}: {bug.location}")
    return fill(
        "bug.html",
        severity=bug.severity,
        kind=bug.kind,
        route=found.route,
        description=bug.description,
        location=bug.location,
        expected=bug.expected,
        actual=bug.actual,
        confirmed=_CONFIRMED[bug.confirmed],
        steps=join([fill("item.html", text=words_of(step)) for step in bug.path]),
        evidence=join([fill("item.html", text=line) for line in bug.evidence]),
        shot=shot,
    )


_CONFIRMED = {True: "seen again in a fresh run", False: "not seen again", None: "seen once"}


def words_of(step: Step) -> str:
    """A step for people: `press “Save”`."""
    words = f"{step.action} “{step.label}”"
    return f"{words} with “{step.value}”" if step.value else words


def _row(row: RouteRow) -> Markup:
    return fill(
        "row.html",
        report=link(f"{row.slug}.json"),
        shots=link("..", SCREENSHOTS, row.slug, "01-page-load.png"),
        route=row.route,
        status=row.status,
        tried=row.tried,
        bugs=row.bugs,
        worst=row.worst or "none",
        summary=row.summary,
    )


def _failed(findings: Findings) -> Markup:
    if not findings.failed:
        return Markup("")
    items = [
        fill("item.html", text=f"{entry.route}: {entry.last_error or entry.error}")
        for entry in findings.failed[:MOST_ROWS]
    ]
    return fill("list.html", title="Routes that could not be tested", items=join(items))


def _discovered(findings: Findings) -> Markup:
    if not findings.discovered:
        return Markup("")
    items = [fill("item.html", text=route) for route in findings.discovered[:MOST_ROWS]]
    return fill("list.html", title="Pages met that are not on the map", items=join(items))
