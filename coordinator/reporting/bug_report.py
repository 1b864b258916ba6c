"""`{slug}-bugs.md`: the bugs of one route, as a person files them.

Pure: a report in, text out. Invariant: all that came from the page is escaped. Leaves out where the
file goes, and bugs of other routes.
"""

from collections import Counter
from collections.abc import Collection
from datetime import datetime

from contract.action_tree import Bug, Node, RouteReport, walk
from contract.vocabulary import ActionResult, NodeState, Outcome, Severity, Verdict
from coordinator.reporting import words
from coordinator.reporting.markdown import code, items, table, text
from coordinator.reporting.words import counted

HEADINGS = {Severity.CRITICAL: "Critical", Severity.MAJOR: "Major", Severity.MINOR: "Minor"}


def bug_report(report: RouteReport, *, missing: Collection[str] = ()) -> str:
    """The whole file. `missing` are screenshots that the report names and the disk lacks."""
    lines = [
        f"# Bug Report: {text(report.route)}",
        "",
        f"**Route:** {code(report.route)}  ",
        f"**Tested at:** {moment(report.tested_at)}  ",
        f"**Test Status:** {report.status.value}  ",
        f"**Reviewed at:** {moment(report.reviewed_at)}",
        *_section("## Summary", [_summary(report)]),
        *_section("## Page Overview", _page(report)),
        "",
        "## Bugs Found",
    ]
    counted_bugs = [bug for bug in report.bugs if bug.verdict is not Verdict.REFUTED]
    for severity in Severity:
        lines += ["", f"### {HEADINGS[severity]}"]
        found = [bug for bug in counted_bugs if bug.severity is severity]
        for bug in found:
            lines += ["", *bug_lines(bug, report.route, bug.screenshot not in missing)]
        lines += [] if found else ["", "None"]
    errors = [code(line) for line in (*report.page_info.console_errors, *report.console_errors)]
    lines += _section("## Console Errors", items(dict.fromkeys(errors), most=50))
    lines += _section("## Action Coverage Summary", coverage(report))
    lines += _section("## Notes", items(_notes(report)))
    return "\n".join(lines) + "\n"


def bug_lines(
    bug: Bug,
    route: str,
    pictured: bool,
    *,
    level: int = 4,
    name: str = "",
    folder: str = "",
    more: Collection[str] = (),
) -> list[str]:
    """One bug under its heading. `name` is its id where the report's is not unique; `more` are
    lines of a painter's own."""
    shot = code(f"{folder}{bug.screenshot}") if bug.screenshot else "–"
    return [
        f"{'#' * level} {text(name or bug.id)}: {text(words.title(bug))}",
        "",
        f"- **Severity:** {HEADINGS[bug.severity]}",
        f"- **Location:** {text(words.location(bug))}",
        f"- **Screenshot:** {shot}{'' if pictured or not bug.screenshot else ' (missing)'}",
        f"- **Description:** {text(bug.description)}",
        f"- **Expected:** {text(bug.expected)}",
        f"- **Actual:** {text(bug.actual)}",
        f"- **Reproduced:** {words.reproduced(bug)}",
        "- **Steps:**",
        *(f"  {n}. {text(line)}" for n, line in enumerate(words.steps(bug, route), 1)),
        f"- **Source:** {bug.source.value}",
        *more,
    ]


def moment(when: datetime | None) -> str:
    """A time as it stands in the files."""
    return "–" if when is None else f"{when:%Y-%m-%dT%H:%M:%SZ}"


def coverage(report: RouteReport) -> list[str]:
    """A row for each area; what was skipped was found but not tested."""
    rows = []
    for area, nodes in report.action_tree.areas().items():
        below = [node for top in nodes for node in _below(top)]
        rows.append((words.AREAS[area], *_counts(below)))
    rows.append(("Total", *_counts(walk(report.action_tree))))
    return table(("Area", "Elements Found", "Tested", "Errors", "Disabled"), rows, numbers=4)


def _counts(nodes: list[Node]) -> tuple[int, int, int, int]:
    disabled = sum(node.state is NodeState.DISABLED for node in nodes)
    tested = [
        node
        for node in nodes
        if node.action_result is not ActionResult.SKIPPED and node.state is NodeState.ENABLED
    ]
    return len(nodes), len(tested), sum(map(words.failed, tested)), disabled


def _below(top: Node) -> list[Node]:
    found, stack = [], [top]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += node.children
    return found


def _section(heading: str, lines: list[str]) -> list[str]:
    return ["", heading, "", *(lines or ["None"])]


def _summary(report: RouteReport) -> str:
    kept = [bug for bug in report.bugs if bug.verdict is not Verdict.REFUTED]
    counts = Counter(bug.severity for bug in kept)
    shares = ", ".join(f"{counts[severity]} {severity.value}" for severity in Severity)
    return f"{counted(len(kept), 'bug')} ({shares}). {text(report.summary)}"


def _page(report: RouteReport) -> list[str]:
    page = report.page_info
    lines = [f"- **Title:** {text(page.title)}"]
    if page.has_table:
        columns = ", ".join(text(name) for name in page.column_headers)
        lines.append(f"- **Table:** {counted(page.row_count, 'row')}, columns: {columns or '–'}")
    if page.tabs:
        lines.append(f"- **Tabs:** {', '.join(text(name) for name in page.tabs)}")
    return lines


def _notes(report: RouteReport) -> list[str]:
    refuted = [bug for bug in report.bugs if bug.verdict is Verdict.REFUTED] + [*report.refuted]
    notes = [
        f"Refuted: {text(bug.id)}, {text(words.title(bug))} "
        f"(seen in {bug.seen} of {bug.runs} fresh runs; not counted)"
        for bug in refuted
    ]
    notes += [
        f"Not checked: {text(bug.id)} could not be looked at again"
        for bug in report.bugs
        if bug.verdict is Verdict.UNCHECKED
    ]
    if report.reviewed_at is None:
        notes.append("The bugs of this route have not been reviewed yet")
    return notes + _left_out(report)


def _left_out(report: RouteReport) -> list[str]:
    """What was found and not used, by the rule that says why."""
    skipped = [n for n in walk(report.action_tree) if n.action_result is ActionResult.SKIPPED]
    counts = Counter(node.outcome for node in skipped)
    notes = []
    if budget := counts.pop(Outcome.BUDGET, 0):
        notes.append(f"{counted(budget, 'control')} left out: the budget of the route was spent")
    if shared := counts.pop(Outcome.SHARED, 0):
        notes.append(f"{counted(shared, 'site-wide control')} tested on another route")
    if rest := sum(counts.values()):
        rules = dict.fromkeys(text(n.note) for n in skipped if n.note and n.outcome in counts)
        some = "; ".join(list(rules)[:10])
        notes.append(f"{counted(rest, 'control')} skipped by a rule: {some or '–'}")
    return notes
