"""Runs that are over, made by hand: reports on disk and the state that knows them."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from contract.action_tree import ActionTree, Bug, Node, RouteReport, Step
from contract.identity import RunId
from contract.vocabulary import BugKind, BugSource, ReviewStatus, RouteStatus, Severity, Verdict
from coordinator.records import reports
from coordinator.records.state import Ours, State
from coordinator.reporting.bug_report import bug_report
from tests.support.fake_browser import SHOTS, png, report_of

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "[click](javascript:alert(3)) ![x](http://evil.example/x.png)",
    "\x1b[2J\x1b]0;owned\x07 red",
    "a | b | c",
    "a \\| b \\\\| c",
    "# heading\n# another\n\n- item",
    "`code` *bold* _it_ ~gone~ \\",
    "\u202egnp.exe\u202c עברית",
    "'); import os; os.system('id') #\"\"\"\n'''",
    "{{7*7}} ${x} %s %(prog)s $x &amp; &lt;",
    "]]> <!-- --> \x00 \ufffe \U0001f600",
)
"""What an app may be full of: markup, escapes, code, letters that no file may hold."""

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def bug(number: str = "M1", **changes: Any) -> Bug:
    """A dead button, or what the changes make of it."""
    plain = Bug(
        id=f"BUG-a-{number}",
        severity=Severity.MAJOR,
        kind=BugKind.DEAD_CONTROL,
        description="Pressing “Save” does nothing",
        location="toolbar: Save",
        expected="The page responds",
        actual="Nothing moved",
        screenshot=SHOTS[1],
        path=(Step(action="press", label="Save", locator="#save", key="main/button/save"),),
        confirmed=True,
        source=BugSource.TESTER,
        signature=f"dead_control|{number}",
        verdict=Verdict.CONFIRMED,
        seen=3,
        runs=3,
    )
    return msgspec.structs.replace(plain, **changes)


def report(route: str, *bugs: Bug, **changes: Any) -> RouteReport:
    """A page with one button, tested at noon."""
    found = msgspec.structs.replace(report_of(route), tested_at=NOON, bugs=bugs)
    status = RouteStatus.PARTIAL if bugs else RouteStatus.PASS
    return msgspec.structs.replace(found, **{"status": status, **changes})


def node(label: str, *children: Node, **changes: Any) -> Node:
    """A control, tried without trouble unless the changes say otherwise."""
    plain = report_of("/").action_tree.toolbar[0]
    return msgspec.structs.replace(plain, label=label, children=children, **changes)


def hostile_report(route: str, words: str) -> RouteReport:
    """A page whose every text is `words`."""
    step = Step(action="press", label=words, locator=words, value=words, key=words)
    bad = bug(
        description=words,
        location=words,
        expected=words,
        actual=words,
        evidence=(words,),
        signature=words,
        path=(step,),
    )
    control = node(words, node(words), note=words, error=words, locator=words, key=words)
    plain = report(route, bad)
    page = msgspec.structs.replace(
        plain.page_info, title=words, column_headers=(words,), has_table=True, tabs=(words,)
    )
    tree = ActionTree(toolbar=(control,))
    return msgspec.structs.replace(
        plain, page_info=page, action_tree=tree, console_errors=(words,), summary=words
    )


def project(folder: Path, found: Iterable[RouteReport], name: str = "shop") -> State:
    """Reports, screenshots and bug reports on disk, and a state in which all are reviewed."""
    found = list(found)
    ours = Ours(run_id=RunId("r"), policy="read-only")
    state = State(project=name, base_url="http://shop.test", created_at=NOON, ours=ours)
    state.add_routes(one.route for one in found)
    pngs = {shot: png(1) for shot in SHOTS}
    for one in found:
        slug = state.slugs[one.route]
        reports.write(folder, slug, one, pngs)
        filed = f"{reports.REPORTS}/{slug}-bugs.md"
        (folder / filed).write_text(bug_report(one))
        entry = reports.entry_for(slug, one)
        state.complete(
            msgspec.structs.replace(
                entry, review_status=ReviewStatus.COMPLETE, bug_report_file=filed
            )
        )
    return state
