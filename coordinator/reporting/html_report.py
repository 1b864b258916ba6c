"""`monkey-test-reports/final-report.html`: the page that a run ends with; it opens from disk.

Bugs with steps, screenshot and verdict, and the maze map. Invariant: everything that came from the
app is escaped, and the page's policy lets no script run but its own, by its digest. The trees are
data of their own in the page, because a page from disk may fetch nothing. Leaves out reading
reports (`publish`) and what a tree holds (`maze_map`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from contract.vocabulary import ActionResult, Severity, Verdict
from coordinator.records.reports import SCREENSHOTS
from coordinator.reporting import words
from coordinator.reporting.comparison import Comparison
from coordinator.reporting.distinct import DistinctBug
from coordinator.reporting.findings import Findings, RouteRow
from coordinator.reporting.html_parts import bars, changes, lists, tiles
from coordinator.reporting.markup import NOTHING, Markup, data, digest, fill, join, link, raw
from coordinator.reporting.scripts import how_to_run
from coordinator.reporting.words import counted, plain

FILE_NAME = "final-report.html"
MOST_ROWS = 5_000
MOST_BUGS = 1_000
_OPEN = 1
"""So many of the worst bugs are open at first."""

GROUPS = {
    ActionResult.ERROR: "error",
    ActionResult.NO_RESPONSE: "silent",
    ActionResult.NOT_CLICKABLE: "off",
    ActionResult.SKIPPED: "off",
    ActionResult.PAGE_NAVIGATED: "opens",
    ActionResult.DIALOG_OPENED: "opens",
    ActionResult.CONFIRMATION_DIALOG: "opens",
    ActionResult.DROPDOWN_OPENED: "opens",
    ActionResult.POPUP_OPENED: "opens",
}
"""The colour of an outcome; one that is not here is a change like any other."""


def render(
    findings: Findings,
    trees: Mapping[str, Mapping[str, Any]],
    outcomes: Counter[ActionResult],
    files: Mapping[str, str],
    compared: Comparison | None = None,
) -> str:
    """The page. `trees` are those of routes; `files` the scripts by the id of their bug."""
    style, script = raw("report.css"), raw("report.js")
    anchors = {row.route: f"route-{n}" for n, row in enumerate(findings.routes[:MOST_ROWS])}
    rows = findings.routes[:MOST_ROWS]
    return fill(
        "report.html",
        policy=_policy(style, script),
        style=style,
        script=script,
        **_head(findings, anchors),
        links=_links(findings, compared),
        comparison=changes(compared) if compared else NOTHING,
        bugs_count=_bugs_count(findings),
        bugs=_bugs(findings, anchors, files),
        map_count=_map_count(findings, len(trees)),
        results=_results(outcomes),
        routes=join(_route(row, anchors[row.route], row.route in trees) for row in rows),
        more_routes=_more(len(findings.routes) - MOST_ROWS, "routes without bugs"),
        lists=lists(findings),
        trees=_data(findings, trees, anchors),
    )


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; img-src 'self' file:; style-src {digest(style)}; "
        f"script-src {digest(script)}; base-uri 'none'; form-action 'none'"
    )


def _head(findings: Findings, anchors: Mapping[str, str]) -> dict[str, object]:
    counts = findings.severities
    total = len(findings.distinct)
    reached = len({found.route for found in findings.bugs})
    on = f"on {reached} of {counted(len(findings.routes), 'tested route')}"
    times = findings.dates
    return {
        "project": plain(findings.project),
        "base_url": plain(findings.base_url),
        "dates": f"{times[0]:%Y-%m-%d %H:%M} – {times[1]:%Y-%m-%d %H:%M} UTC" if times else "",
        "how": f"policy {findings.policy}" if findings.policy else "",
        "notice": _notice(findings),
        "total": total,
        "headline": f"{'bug' if total == 1 else 'bugs'} {on}" if total else f"bugs {on}",
        "critical": counts[Severity.CRITICAL],
        "major": counts[Severity.MAJOR],
        "minor": counts[Severity.MINOR],
        "bar": bars(counts),
        "tiles": tiles(findings),
        "cells": _cells(findings, anchors),
    }


def _notice(findings: Findings) -> Markup:
    if not findings.blocked_reason:
        return NOTHING
    return fill("report_notice.html", text=f"Blocked: {plain(findings.blocked_reason)}")


def _more(count: int, what: str) -> Markup:
    if count <= 0:
        return NOTHING
    return fill("report_notice.html", text=f"… and {count} more {what}.")


def _cells(findings: Findings, anchors: Mapping[str, str]) -> Markup:
    cells = [
        fill(
            "report_cell.html",
            worst=row.worst or "none",
            anchor=anchors[row.route],
            title=f"{plain(row.route)}: {counted(row.bugs, 'bug')}",
        )
        for row in findings.routes[:MOST_ROWS]
    ]
    cells += [
        fill(
            "report_cell.html",
            worst="untested",
            anchor="failed",
            title=f"{plain(entry.route)}: could not be tested",
        )
        for entry in findings.failed[:MOST_ROWS]
    ]
    return join(cells)


def _links(findings: Findings, compared: Comparison | None) -> Markup:
    names = {"compared": "Compared"} if compared else {}
    names |= {"bugs": "Bugs", "map": "Maze map"}
    names |= {"failed": "Failed"} if findings.failed else {}
    names |= {"advice": "Recommendations"}
    return join(fill("report_link.html", anchor=key, name=name) for key, name in names.items())


def _bugs_count(findings: Findings) -> str:
    total, places = len(findings.distinct), len(findings.bugs)
    words = counted(total, "bug")
    return f"{words}, in {places} places" if places > total else words


def _map_count(findings: Findings, trees: int) -> str:
    routes = counted(len(findings.routes), "route")
    return routes if trees == len(findings.routes) else f"{routes}, {trees} of them with their tree"


def _bugs(findings: Findings, anchors: Mapping[str, str], files: Mapping[str, str]) -> Markup:
    if not findings.distinct:
        return fill("report_nothing.html", text="No bugs were found.")
    shown = findings.distinct[:MOST_BUGS]
    cards = [
        _bug(found, anchors, files.get(found.id, ""), opened=number < _OPEN)
        for number, found in enumerate(shown)
    ]
    return join([*cards, _more(len(findings.distinct) - MOST_BUGS, "bugs; see FINAL-REPORT.md")])


def _bug(found: DistinctBug, anchors: Mapping[str, str], script: str, *, opened: bool) -> Markup:
    bug, route = found.bug, found.first.route
    lines = [plain(line, 300) for text in bug.evidence for line in text.splitlines()]
    others = len(found.routes) - 1
    return fill(
        "report_bug.html",
        id=plain(found.id),
        severity=found.severity.value,
        open=Markup(" open") if opened else NOTHING,
        title=words.title(bug),
        route=plain(route),
        elsewhere=_span(f"and {counted(others, 'more route')}") if others else NOTHING,
        kind=words.of_kind(bug.kind),
        mark=_mark(bug.verdict, words.verdict(bug)),
        thumb=_thumb(found),
        steps=join(fill("report_item.html", text=line) for line in words.steps(bug, route)),
        expected=plain(bug.expected),
        actual=plain(bug.actual),
        location=words.location(bug),
        reproduced=words.reproduced(bug),
        source=bug.source.value,
        routes_word="Route" if not others else "Routes",
        routes=join(_route_link(name, anchors) for name in found.routes[:200]),
        evidence=fill("report_evidence.html", text="\n".join(lines)) if lines else NOTHING,
        command=how_to_run(script) if script else "–",
        shot=_shot(found),
    )


def _mark(verdict: Verdict | None, said: str) -> Markup:
    return fill("report_mark.html", kind=verdict.value if verdict else "unchecked", text=said)


def _span(text: str) -> Markup:
    return fill("report_span.html", text=text)


def _route_link(route: str, anchors: Mapping[str, str]) -> Markup:
    if route not in anchors:
        return fill("report_route_name.html", route=plain(route))
    return fill("report_route_link.html", anchor=anchors[route], route=plain(route))


def _address(found: DistinctBug) -> str:
    return link("..", SCREENSHOTS, found.first.slug, found.bug.screenshot)


def _thumb(found: DistinctBug) -> Markup:
    if not found.first.pictured:
        return NOTHING
    return fill("report_thumb.html", address=_address(found))


def _shot(found: DistinctBug) -> Markup:
    name = plain(found.bug.screenshot)
    if found.first.pictured:
        label = f"{plain(found.first.route)}: {words.location(found.bug)}"
        return fill("report_shot.html", address=_address(found), label=label, name=name)
    text = f"The screenshot {name} is missing." if name else "There is no screenshot of this bug."
    return fill("report_no_shot.html", text=text)


def _results(outcomes: Counter[ActionResult]) -> Markup:
    return join(
        fill(
            "report_result.html",
            result=result.value,
            group=GROUPS.get(result, ""),
            name=name,
            count=outcomes[result],
        )
        for result, name in words.RESULTS.items()
        if outcomes[result]
    )


def _route(row: RouteRow, anchor: str, drawn: bool) -> Markup:
    counts = [
        fill("report_count.html", severity=severity.value, count=count)
        for severity, count in row.severities.items()
        if count
    ]
    return fill(
        "report_route.html",
        anchor=anchor,
        worst=row.worst or "none",
        tree=f"tree-{anchor}" if drawn else "",
        slug=row.slug,
        route=plain(row.route),
        summary=plain(row.summary, 300),
        counts=join(counts),
        status=row.status.value,
        otherwise="Opening the tree …" if drawn else "The tree of this route is not in this page.",
    )


def _data(
    findings: Findings, trees: Mapping[str, Mapping[str, Any]], anchors: Mapping[str, str]
) -> Markup:
    said: dict[str, Sequence[str]] = {
        result.value: (name, GROUPS.get(result, "")) for result, name in words.RESULTS.items()
    }
    parts = [fill("report_tree.html", anchor="words", data=data(said))]
    parts += [
        fill("report_tree.html", anchor=f"tree-{anchors[row.route]}", data=data(trees[row.route]))
        for row in findings.routes
        if row.route in trees and row.route in anchors
    ]
    return join(parts)
