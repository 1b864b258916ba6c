"""Writing everything that the user reads of a run, from the state and the reports on disk.

`FINAL-REPORT.md`, `final-report.html`, `junit.xml`, a script for each bug, and again the bug
reports of routes that were reviewed. Each file is replaced whole. Of a large map the first
`MOST_TREES` routes are drawn, those with bugs before the others; the page says how many. Leaves out
what the files look like: that is each painter's.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contract.vocabulary import ActionResult
from coordinator.records import reports
from coordinator.records.atomic import disk_trouble, write_atomic
from coordinator.records.reports import REPORTS
from coordinator.records.state import State
from coordinator.reporting import final_report, html_report, junit, maze_map, scripts
from coordinator.reporting.bug_report import bug_report
from coordinator.reporting.comparison import Comparison
from coordinator.reporting.earlier import since_the_run_before
from coordinator.reporting.findings import Findings, gather, pictures, slug_of

MOST_TREES = 2_000
MOST_NODES = 100_000


@dataclass
class _Drawn:
    """What the reports gave, in the order of the routes."""

    trees: dict[str, dict[str, Any]] = field(default_factory=dict)
    suites: list[junit.Suite] = field(default_factory=list)
    outcomes: Counter[ActionResult] = field(default_factory=Counter)


def write(state: State, folder: Path) -> Path:
    """Replace the pages of a run; says where the one to open is."""
    findings = gather(state, folder)
    return write_all(findings, state, folder, since_the_run_before(state, findings, folder))


def write_all(
    findings: Findings, state: State, folder: Path, compared: Comparison | None = None
) -> Path:
    """The same for findings that were gathered already."""
    drawn = _draw(findings, folder)
    files = scripts.file_names(findings.distinct)
    place = folder / REPORTS
    page = place / html_report.FILE_NAME
    _write_scripts(findings, files, place / scripts.FOLDER)
    _write_bug_reports(state, folder)
    write_atomic(place / junit.FILE_NAME, _bytes(junit.document(findings, drawn.suites)))
    text = final_report.render(findings, files, compared)
    write_atomic(place / final_report.FILE_NAME, _bytes(text))
    html = html_report.render(findings, drawn.trees, drawn.outcomes, files, compared)
    write_atomic(page, _bytes(html))
    return page


def _draw(findings: Findings, folder: Path) -> _Drawn:
    """Read the reports once, for the trees and for the CI server."""
    drawn = _Drawn()
    ids = {
        (seen.route, seen.bug.id): found.id
        for found in findings.distinct
        for seen in found.sightings
    }
    for row in findings.routes:
        full = len(drawn.trees) >= MOST_TREES or drawn.outcomes.total() >= MOST_NODES
        report = None if full else reports.read(folder, row.report_file)
        if report is None:
            drawn.suites.append(junit.bare_suite(row))
            continue
        drawn.trees[row.route] = maze_map.tree(report, pictures(folder, row.slug), ids)
        drawn.suites.append(junit.suite(row, report))
        drawn.outcomes += maze_map.outcomes(report)
    return drawn


def _write_scripts(findings: Findings, files: dict[str, str], place: Path) -> None:
    """One script a bug; those of bugs that are no more are removed."""
    for found in findings.distinct:
        name = files[found.id]
        text = scripts.script(found, name, findings.base_url, findings.policy)
        if not _holds(place / name, text):
            write_atomic(place / name, _bytes(text))
    with disk_trouble(place):
        for old in place.glob("*.py"):
            if old.name not in files.values() and scripts.is_ours(old.read_bytes()):
                old.unlink()


def _write_bug_reports(state: State, folder: Path) -> None:
    """The bug reports that the state names, as the reports are now."""
    for entry in state.entries():
        name = f"{REPORTS}/{slug_of(entry)}-bugs.md"
        if entry.bug_report_file != name:
            continue
        report = reports.read(folder, entry.report_file)
        if report is None:
            continue
        there = pictures(folder, slug_of(entry))
        named = {bug.screenshot for bug in report.bugs if bug.screenshot}
        text = bug_report(report, missing=named - there)
        if not _holds(folder / name, text):
            write_atomic(folder / name, _bytes(text))


def _holds(path: Path, text: str) -> bool:
    """Whether a file is as it should be already; to write it again would cost a sync."""
    try:
        return path.read_bytes() == _bytes(text)
    except OSError:
        return False


def _bytes(text: str) -> bytes:
    """Half a character, as a script may make one, is shown as a question mark."""
    return text.encode(errors="replace")


def paths(folder: Path) -> Iterable[Path]:
    """The files to name at the end of a run."""
    place = folder / REPORTS
    return (
        place / html_report.FILE_NAME,
        place / final_report.FILE_NAME,
        place / junit.FILE_NAME,
        place / scripts.FOLDER,
    )
