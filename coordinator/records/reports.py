"""A route's report and its screenshots, always in step: no orphan in either direction.

Both are staged in `.{slug}.partial/` (no slug starts with a dot), the report last, so that a staged
report means a complete pair. Then the folder takes its place and the report moves out of it into
`monkey-test-reports/`. A crash in between is rolled forward by `repair`, or back where the report
was not staged yet. What a worker sends is checked before: `problem_with` says why a result is
refused. Leaves out fetching blobs and the state file.
"""

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from contract import wire
from contract.action_tree import RouteReport, walk
from contract.identity import plain_slug
from contract.vocabulary import ActionResult, BugSource, NodeState, Outcome
from coordinator.records.atomic import disk_trouble, sync_folder, write_atomic, write_synced
from coordinator.records.state import Completed, Operations, whole_seconds

REPORTS = "monkey-test-reports"
SCREENSHOTS = "monkey-test-screenshots"
MAX_PNG = 16 * 1024 * 1024
REVIEW_SHOT = "09-review-"

_NAME = re.compile(r"[0-9]{2}-[a-z0-9-]+\.png")
_MAGIC = b"\x89PNG\r\n\x1a\n"
_ALWAYS = ("01-page-load.png", "07-final-state.png")
_PARTIAL = ".partial"
_STAGED = "report.json"


def problem_with(
    report: RouteReport, route: str, slug: str, pngs: Mapping[str, bytes]
) -> str | None:
    """Why a worker's report of `route` must be refused, or None.

    The slug is compared too, since it becomes a path: it must be one that we gave to this route.
    """
    if report.route != route:
        return f"the report is of {report.route}, not of {route}"
    if slug.startswith(".") or "/" in slug or not slug.startswith(plain_slug(route)[:100]):
        return f"{slug} is no slug of {route}"
    for name, data in pngs.items():
        if problem := _problem_with_png(name, data):
            return problem
    if missing := sorted(_named(report) - pngs.keys()):
        return f"it names the screenshot {missing[0]!r} but did not send it"
    return None


def _problem_with_png(name: str, data: bytes) -> str | None:
    if not _NAME.fullmatch(name) or len(name) > 200:
        return f"{name[:80]!r} is no name of a screenshot"
    if not data.startswith(_MAGIC):
        return f"{name} is no PNG"
    if len(data) > MAX_PNG:
        return f"{name} has {len(data)} bytes; {MAX_PNG} are allowed"
    return None


def _named(report: RouteReport) -> set[str]:
    """Every screenshot that the report names; a page that crashed has none to name."""
    nodes = {node.screenshot for node in walk(report.action_tree)}
    bugs = {bug.screenshot for bug in (*report.bugs, *report.refuted)}
    return (nodes | bugs) - {""}


def write(folder: Path, slug: str, report: RouteReport, pngs: Mapping[str, bytes]) -> None:
    """Put a checked report and its screenshots in place; screenshots nobody names are left out."""
    wanted = _named(report) | set(_ALWAYS)
    shots = folder / SCREENSHOTS
    stage = shots / f".{slug}{_PARTIAL}"
    with disk_trouble(stage):
        shutil.rmtree(stage, ignore_errors=True)
        stage.mkdir(parents=True)
        for name in sorted(wanted & pngs.keys()):
            write_synced(stage / name, pngs[name])
        write_synced(stage / _STAGED, wire.pretty(report))
        sync_folder(stage)
        _settle(folder, slug, stage)


def write_review(
    folder: Path, slug: str, report: RouteReport, pngs: Mapping[str, bytes], bug_report: str
) -> str:
    """Put the outcome of a review in place; says where the bug report is, relative to `folder`.

    The report goes last: one that says that it was reviewed has its bug report beside it.
    """
    shots, reports = folder / SCREENSHOTS / slug, folder / REPORTS
    for name in sorted(_named(report) & pngs.keys()):
        write_atomic(shots / name, pngs[name])
    file = bug_report_file(slug)
    write_atomic(folder / file, bug_report.encode())
    write_atomic(reports / f"{slug}.json", wire.pretty(report))
    return file


def report_file(slug: str) -> str:
    """Where the report of a route is, relative to the project."""
    return f"{REPORTS}/{slug}.json"


def bug_report_file(slug: str) -> str:
    """Where the bug report of a route is, relative to the project."""
    return f"{REPORTS}/{slug}-bugs.md"


def review_problem(
    report: RouteReport, slug: str, pngs: Mapping[str, bytes], folder: Path
) -> str | None:
    """Why the pictures that came with a review must be refused, or None.

    They have names of their own, so that none of the tester's is replaced.
    """
    for name, data in pngs.items():
        if problem := _problem_with_png(name, data):
            return problem
        if not name.startswith(REVIEW_SHOT):
            return f"{name} is no name for a picture of a review"
    found = [bug for bug in report.bugs if bug.source is BugSource.REVIEWER]
    shown = {bug.screenshot for bug in found} - {""} - pngs.keys()
    missing = [name for name in sorted(shown) if not (folder / SCREENSHOTS / slug / name).is_file()]
    return f"it names the screenshot {missing[0]!r} but did not send it" if missing else None


def _settle(folder: Path, slug: str, stage: Path) -> None:
    """From a complete stage to the final places; may be begun again after any step."""
    place = folder / SCREENSHOTS / slug
    if stage != place:
        if place.exists():
            shutil.rmtree(place)
        stage.rename(place)
        sync_folder(place.parent)
    reports = folder / REPORTS
    reports.mkdir(parents=True, exist_ok=True)
    (place / _STAGED).replace(reports / f"{slug}.json")
    sync_folder(reports)
    sync_folder(place)


def repair(folder: Path) -> int:
    """Finish or undo what a crash interrupted; says how many pairs were touched."""
    shots = folder / SCREENSHOTS
    touched = 0
    with disk_trouble(shots):
        for name in _folders(shots):
            place = shots / name
            staged = (place / _STAGED).is_file()
            slug = name[1:].removesuffix(_PARTIAL) if name.startswith(".") else name
            if staged and _complete(place / _STAGED):
                _settle(folder, slug, place)
            elif name.startswith("."):
                shutil.rmtree(place)
            else:
                continue
            touched += 1
    return touched


def _folders(shots: Path) -> list[str]:
    try:
        with os.scandir(shots) as listing:
            return [entry.name for entry in listing if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return []


def _complete(path: Path) -> bool:
    try:
        wire.loads(path.read_bytes(), RouteReport)
    except wire.WireError:
        return False
    return True


def read_all(folder: Path) -> Iterator[tuple[str, RouteReport]]:
    """Slug and report of every file that parses, sorted by slug."""
    for path in sorted((folder / REPORTS).glob("*.json")):
        try:
            yield path.stem, wire.loads(path.read_bytes(), RouteReport)
        except (OSError, wire.WireError):
            continue


def read(folder: Path, report_file: str) -> RouteReport | None:
    """One report, or None if it does not parse."""
    try:
        return wire.loads((folder / report_file).read_bytes(), RouteReport)
    except (OSError, wire.WireError):
        return None


def entry_for(slug: str, report: RouteReport) -> Completed:
    """What the state says of a report that is on disk."""
    return Completed(
        route=report.route,
        tested_at=whole_seconds(report.tested_at),
        status=report.status,
        bugs_count=len(report.bugs),
        operations_count=operations(report),
        screenshots_dir=f"{SCREENSHOTS}/{slug}/",
        report_file=report_file(slug),
        summary=report.summary,
    )


def operations(report: RouteReport) -> Operations:
    """Nodes tried, failed, disabled; what was skipped or shared was not tried."""
    total = failed = disabled = 0
    for node in walk(report.action_tree):
        if node.action_result is ActionResult.SKIPPED:
            continue
        total += 1
        if node.state is NodeState.DISABLED:
            disabled += 1
        elif node.action_result is ActionResult.ERROR or _dead(node.action_result, node.outcome):
            failed += 1
    passed = total - failed - disabled
    return Operations(total=total, passed=passed, failed=failed, disabled=disabled)


def _dead(result: ActionResult, outcome: Outcome | None) -> bool:
    return result is ActionResult.NO_RESPONSE and outcome is None
