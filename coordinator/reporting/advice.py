"""What to do with what was found: the recommendations of every final report.

Pure. Each line follows from a number in the findings; nothing is guessed about the app's code.
"""

from collections import Counter

from contract.vocabulary import BugKind, RouteStatus, Severity, Verdict
from coordinator.reporting.findings import Findings
from coordinator.reporting.words import counted, of_kind

_WHERE = {
    BugKind.HTTP_5XX: "the server's log says why",
    BugKind.ERROR_PAGE: "the server's log says why",
    BugKind.PAGE_ERROR: "the evidence names the line of the script",
    BugKind.UNHANDLED_REJECTION: "the evidence names the line of the script",
    BugKind.DEAD_CONTROL: "connect the control, or take it off the page",
    BugKind.HTTP_4XX: "correct the address, or tell the user what is missing",
    BugKind.REQUEST_FAILED: "the server ends the connection without an answer",
    BugKind.BROKEN_IMAGE: "restore the files, or correct their addresses",
    BugKind.BROKEN_RESOURCE: "restore the files, or correct their addresses",
    BugKind.CONSOLE_ERROR: "the app itself reports that something went wrong",
    BugKind.PAGE_HANG: "a handler of the page never ends",
}


def advice(findings: Findings) -> list[str]:
    """The most urgent first; one line at least."""
    lines = [*_bugs(findings), *_doubts(findings), *_coverage(findings)]
    return lines or ["Nothing needs to be done: every route was tested, and no bug was found."]


def _bugs(findings: Findings) -> list[str]:
    lines = []
    if critical := findings.severities[Severity.CRITICAL]:
        is_are = "is" if critical == 1 else "are"
        lines.append(
            f"Begin with the critical bugs: {critical} {is_are} open, and what they stop is "
            "lost to the user as a whole."
        )
    many = [found for found in findings.distinct if len(found.routes) > 1]
    if many:
        lines.append(
            f"{counted(len(many), 'bug')} on several routes each; one repair in the shared part "
            "mends them all."
        )
    kinds = Counter(found.bug.kind for found in findings.distinct)
    for kind, count in kinds.most_common():
        if count > 1 and kind in _WHERE:
            lines.append(f"{of_kind(kind)}: {count} bugs of one kind; {_WHERE[kind]}.")
    return lines


def _doubts(findings: Findings) -> list[str]:
    verdicts = Counter(found.bug.verdict for found in findings.distinct)
    lines = []
    if flaky := verdicts[Verdict.FLAKY]:
        lines.append(
            f"{counted(flaky, 'bug')} showed in some fresh runs only: look for what depends on "
            "timing or on earlier data."
        )
    if unchecked := verdicts[Verdict.UNCHECKED]:
        lines.append(f"{counted(unchecked, 'bug')} could not be looked at again; try by hand.")
    return lines


def _coverage(findings: Findings) -> list[str]:
    lines = []
    if findings.failed:
        lines.append(
            f"{counted(len(findings.failed), 'route')} could not be tested: "
            "mazewave explore --retry-failed tries again."
        )
    cut = sum(row.status is RouteStatus.PARTIAL and not row.bugs for row in findings.routes)
    if cut:
        lines.append(
            f"On {counted(cut, 'route')} the budget ended first: --preset thorough goes further."
        )
    if findings.discovered:
        lines.append(
            f"{counted(len(findings.discovered), 'page')} met on the way are not on the map: add "
            "those that matter to ROUTE_MAP.md."
        )
    return lines
