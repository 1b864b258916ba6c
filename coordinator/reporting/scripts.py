"""A Python script for each bug, that follows its steps and shows it: for the person who has to
repair it.

It stands alone: only Playwright is needed. Invariant: the bug is in it as one text of JSON, written
as an ASCII literal of Python; nothing from a page is ever part of the code, also not of a comment.
The parts of a script are templates; each kind of bug brings its own check.
"""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib import resources

from contract.action_tree import Step
from contract.identity import plain_slug
from contract.vocabulary import BugKind, Policy
from coordinator.records.reports import REPORTS
from coordinator.reporting.distinct import DistinctBug
from coordinator.reporting.words import plain

FOLDER = "scripts"
_DATA, _KIT = 'DATA = "{}"\n', 'KIT = "{}"\n'
_LONGEST = 100

CHECKS = {
    BugKind.PAGE_ERROR: "lines",
    BugKind.UNHANDLED_REJECTION: "lines",
    BugKind.CONSOLE_ERROR: "lines",
    BugKind.HTTP_5XX: "network",
    BugKind.HTTP_4XX: "network",
    BugKind.REQUEST_FAILED: "network",
    BugKind.BROKEN_RESOURCE: "network",
    BugKind.DEAD_CONTROL: "dead",
    BugKind.BLANK_PAGE: "blank",
    BugKind.ERROR_PAGE: "error_page",
    BugKind.PAGE_HANG: "hang",
    BugKind.PAGE_CRASH: "crash",
    BugKind.BROKEN_IMAGE: "image",
    BugKind.STUCK_LOADING: "loading",
    BugKind.TEXT_LEAK: "text",
    BugKind.LAYOUT_OVERLAP: "layout",
    BugKind.TEXT_CLIPPED: "layout",
    BugKind.OVERFLOW_X: "layout",
    BugKind.OFFSCREEN_CONTROL: "layout",
    BugKind.A11Y: "a11y",
    BugKind.FOCUS_TRAP_BROKEN: "dialog",
    BugKind.DIALOG_CANNOT_CLOSE: "dialog",
    BugKind.INCONSISTENT: "inconsistent",
    BugKind.UNEXPECTED_LOGIN: "login",
    BugKind.SLOW_ACTION: "slow",
    BugKind.COUNT_MISMATCH: "count",
}
"""What a kind of bug is looked for with; one that is not here is left to a person."""


def file_names(found: Iterable[DistinctBug]) -> dict[str, str]:
    """The file of each bug's script: `BUG-orders-M1.py`, whatever an edited report calls the bug.

    Safe on every file system, also on one for which `M1` and `m1` are the same.
    """
    names: dict[str, str] = {}
    used: set[str] = set()
    for bug in found:
        stem = plain_slug(bug.id.replace("/", "_"))[:_LONGEST]
        if stem.casefold() in used:
            stem += f"-{hashlib.sha256(bug.id.encode()).hexdigest()[:6]}"
        used.add(stem.casefold())
        names[bug.id] = f"{stem}.py"
    return names


def script(found: DistinctBug, name: str, base_url: str, policy: str) -> str:
    """The script that shows a bug on the route of its first sighting."""
    bug = found.bug
    data = {
        "id": plain(found.id),
        "file": name.removesuffix(".py"),
        "kind": bug.kind.value,
        "route": found.first.route,
        "base_url": base_url,
        "writes": policy not in {Policy.READ_ONLY.value, ""},
        "description": plain(bug.description),
        "expected": plain(bug.expected),
        "actual": bug.actual,
        "evidence": list(bug.evidence),
        "path": [_step(step) for step in bug.path],
    }
    check = CHECKS.get(bug.kind, "person")
    parts = [_part(f"script_{name}.txt") for name in ("begin", check, "end")]
    text = "".join(parts)
    text = text.replace(_DATA, f"DATA = {_literal(json.dumps(data, indent=1))}\n", 1)
    return text.replace(_KIT, f"KIT = {_literal(_part('show_bug.js'))}\n", 1)


def _literal(text: str) -> str:
    """A text as Python: one ASCII literal a line, in which no line ends and no quote closes it."""
    lines = "".join(f"    {line!a}\n" for line in text.splitlines(keepends=True))
    return f"(\n{lines})"


def _step(step: Step) -> dict[str, str | bool]:
    return {
        "action": step.action,
        "label": step.label,
        "locator": step.locator,
        "value": step.value,
        "accepts": step.accepts,
    }


@cache
def _part(name: str) -> str:
    folder = resources.files("coordinator.reporting.templates")
    return (folder / name).read_text(encoding="utf-8")


def how_to_run(name: str) -> str:
    """The command, from the project's folder."""
    return f"python {REPORTS}/{FOLDER}/{name}"


def is_ours(script: bytes) -> bool:
    """Whether a file was written here, and may be removed when its bug is no more."""
    return script.startswith(_part("script_begin.txt")[:60].encode())
