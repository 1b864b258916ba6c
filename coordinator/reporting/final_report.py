"""`monkey-test-reports/FINAL-REPORT.md`: the run as a whole, to be read, mailed or kept in git.

Pure. Invariant: its counts are the sums over the route reports; a bug that shows on many routes
stands here once, with all of them. Leaves out the trees, which the HTML page has.
"""

from collections.abc import Iterable, Mapping, Sequence

from contract.vocabulary import Severity, Verdict
from coordinator.records.reports import SCREENSHOTS
from coordinator.reporting import words
from coordinator.reporting.advice import advice
from coordinator.reporting.bug_report import HEADINGS, bug_lines, moment
from coordinator.reporting.comparison import Change, Comparison
from coordinator.reporting.distinct import DistinctBug
from coordinator.reporting.findings import Findings, RouteRow
from coordinator.reporting.markdown import code, items, table, text
from coordinator.reporting.scripts import how_to_run
from coordinator.reporting.words import counted

FILE_NAME = "FINAL-REPORT.md"
MOST_ROWS = 5_000


def render(findings: Findings, files: Mapping[str, str], compared: Comparison | None = None) -> str:
    """The file. `files` are the scripts by the id of their bug."""
    sections = [
        _header(findings),
        _section("Executive Summary", _executive(findings)),
        _section("Bug Statistics", _statistics(findings)),
        _compared(compared),
        _section("Route Health Overview", _health(findings)),
        _bugs(findings, Severity.CRITICAL, files),
        _bugs(findings, Severity.MAJOR, files),
        _section("Routes Without Issues", _clean(findings.routes)),
        _section("Failed Routes", _failed(findings)),
        _section("Recommendations", items(text(line) for line in advice(findings))),
        _section("Notes", items(_notes(findings))),
    ]
    return "\n".join(line for lines in sections for line in lines) + "\n"


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {heading}", "", *lines]


def _header(findings: Findings) -> list[str]:
    counters, times = findings.counters, findings.dates
    dates = f"{moment(times[0])} to {moment(times[1])}" if times else "–"
    return [
        f"# Final Report: {text(findings.project)}",
        "",
        f"**Project:** {text(findings.project)}  ",
        f"**Base URL:** {code(findings.base_url)}  ",
        f"**Date range:** {dates}  ",
        f"**Routes tested:** {counters['tested']} of {counters['total_routes']}",
    ]


def _executive(findings: Findings) -> list[str]:
    counters, counts = findings.counters, findings.severities
    shares = ", ".join(f"{counts[severity]} {severity.value}" for severity in Severity)
    tried = sum(row.operations.total for row in findings.routes)
    tested = f"{counters['tested']} of {counted(counters['total_routes'], 'route')}"
    bugs = counted(len(findings.distinct), "bug")
    lines = [f"{tested} tested, {counted(tried, 'control')} used. {bugs} found: {shares}."]
    verdicts = [found.bug.verdict for found in findings.distinct]
    sure, flaky = verdicts.count(Verdict.CONFIRMED), verdicts.count(Verdict.FLAKY)
    if any(verdicts):
        lines.append(
            f"The review confirmed {sure}, found {flaky} flaky, and refuted {findings.refuted}, "
            "which are not counted."
        )
    if counters["failed"] or counters["pending"]:
        lines.append(f"{counters['failed']} routes failed, {counters['pending']} are pending.")
    if findings.blocked_reason:
        lines.append(f"The run is blocked: {text(findings.blocked_reason)}")
    return lines


def _statistics(findings: Findings) -> list[str]:
    """Bugs, and how often they show: the sums over the route reports."""
    bugs, places = findings.severities, findings.sightings
    rows = [(HEADINGS[one], bugs[one], places[one]) for one in Severity]
    rows.append(("Total", sum(bugs.values()), sum(places.values())))
    return table(("Severity", "Bugs", "Shown on routes"), rows, numbers=2)


def _health(findings: Findings) -> list[str]:
    rows = [_route(row) for row in findings.routes[:MOST_ROWS]]
    rows += [(code(entry.route), "failed", "–", "–", "–", "–") for entry in findings.failed]
    total = tuple(findings.sightings.values())
    rows.append(("Total", "", *total, sum(total)))
    lines = table(("Route", "Status", "Critical", "Major", "Minor", "Total Bugs"), rows, numbers=4)
    left_out = len(findings.routes) - MOST_ROWS
    return lines + (["", f"… and {left_out} more routes without bugs."] if left_out > 0 else [])


def _route(row: RouteRow) -> tuple[object, ...]:
    return (code(row.route), row.status.value, *row.severities.values(), row.bugs)


def _bugs(findings: Findings, severity: Severity, files: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    for found in findings.distinct:
        if found.severity is severity:
            lines += _bug(found, files.get(found.id, ""))
    return _section(f"{HEADINGS[severity]} Bugs", lines or ["None"])


def _bug(found: DistinctBug, script: str) -> list[str]:
    more = [f"- **Routes:** {_routes(found.routes)}"]
    if script:
        more.append(f"- **Script:** {code(how_to_run(script))}")
    first = found.first
    return [
        *bug_lines(
            found.bug,
            first.route,
            first.pictured,
            level=3,
            name=found.id,
            folder=f"{SCREENSHOTS}/{first.slug}/",
            more=more,
        ),
        "",
    ]


def _routes(routes: Sequence[str], most: int = 50) -> str:
    shown = ", ".join(code(route) for route in routes[:most])
    return f"{shown} and {len(routes) - most} more" if len(routes) > most else shown


def _clean(rows: Iterable[RouteRow]) -> list[str]:
    return items((code(row.route) for row in rows if not row.bugs), most=MOST_ROWS)


def _failed(findings: Findings) -> list[str]:
    return items(
        f"{code(entry.route)}: {text(entry.last_error or entry.error, 500)}"
        for entry in findings.failed
    )


def _notes(findings: Findings) -> list[str]:
    notes = [text(note) for note in findings.notes]
    notes += [
        f"Minor: {text(found.id)} {_routes(found.routes)} {text(words.title(found.bug))}"
        f" ({code(f'{SCREENSHOTS}/{found.first.slug}/{found.bug.screenshot}')})"
        for found in findings.distinct
        if found.severity is Severity.MINOR
    ]
    if findings.refuted:
        notes.append(f"{counted(findings.refuted, 'refuted bug')} stand in the route reports only")
    if findings.discovered:
        some = _routes(findings.discovered)
        notes.append(f"Pages met that are not on the map: {some}")
    return notes


def _compared(compared: Comparison | None) -> list[str]:
    if compared is None:
        return []
    groups = {
        "New": compared.new,
        "Fixed": compared.fixed,
        "Still there": compared.still,
        "Gone (its route or control is not tested any more)": compared.gone,
    }
    lines = [f"The earlier run: {code(compared.earlier)}", ""]
    for name, changes in groups.items():
        lines += [f"### {name}: {len(changes)}", "", *items(map(_change, changes)), ""]
    return _section("Compared with an earlier run", lines[:-1])


def _change(change: Change) -> str:
    return f"{change.bug.severity}: {code(change.route)} {text(words.title(change.bug))}"
