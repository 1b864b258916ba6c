"""The bug report of a route: what it says, and that no page can write in it."""

import re
from typing import Any

import msgspec
import pytest

from contract.action_tree import ActionTree
from contract.vocabulary import (
    ActionResult,
    BugSource,
    NodeState,
    Outcome,
    Severity,
    Verdict,
)
from coordinator.reporting import markdown
from coordinator.reporting.bug_report import bug_report
from tests.support.reported import HOSTILE, NOON, bug, hostile_report, node, report

HEADINGS = [
    "# Bug Report: /orders",
    "## Summary",
    "## Page Overview",
    "## Bugs Found",
    "### Critical",
    "### Major",
    "#### BUG-a-M1: Pressing “Save” does nothing",
    "### Minor",
    "## Console Errors",
    "## Action Coverage Summary",
    "## Notes",
]


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


def section(text: str, heading: str) -> str:
    """What stands below a heading, up to the next one."""
    return text.partition(f"{heading}\n")[2].partition("\n#")[0].strip()


def test_the_headings_are_those_of_the_format() -> None:
    assert headings(bug_report(report("/orders", bug()))) == HEADINGS


def test_a_bug_is_told_as_a_person_files_it() -> None:
    text = bug_report(report("/orders", bug(), reviewed_at=NOON))
    assert "**Reviewed at:** 2026-11-30T12:00:00Z" in text
    assert section(text, HEADINGS[6]).splitlines() == [
        "- **Severity:** Major",
        "- **Location:** Toolbar: Save",
        "- **Screenshot:** `02-toolbar-save.png`",
        "- **Description:** Pressing “Save” does nothing",
        "- **Expected:** The page responds",
        "- **Actual:** Nothing moved",
        "- **Reproduced:** 3 of 3 fresh runs",
        "- **Steps:**",
        "  1. open “/orders”",
        "  2. press “Save”",
        "- **Source:** tester-reported",
    ]


def test_an_empty_heading_says_none() -> None:
    text = bug_report(report("/orders", reviewed_at=NOON))
    for heading in ("### Critical", "### Major", "### Minor", "## Console Errors", "## Notes"):
        assert section(text, heading) == "None", heading


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"verdict": Verdict.FLAKY, "seen": 1}, "1 of 3 fresh runs (flaky)"),
        (
            {"verdict": Verdict.UNCHECKED, "seen": 0, "runs": 0},
            "0 of 0 fresh runs (not checked; the tester saw it twice)",
        ),
        (
            {"verdict": None, "seen": 0, "runs": 0, "confirmed": False},
            "0 of 0 fresh runs (not checked; the tester did not see it again)",
        ),
    ],
)
def test_how_sure_a_bug_is_stands_with_it(changes: dict[str, Any], says: str) -> None:
    assert f"- **Reproduced:** {says}" in bug_report(report("/orders", bug(**changes)))


def test_what_the_reviewer_found_says_so() -> None:
    text = bug_report(report("/orders", bug(source=BugSource.REVIEWER)))
    assert "- **Source:** reviewer-found" in text


def test_refuted_bugs_are_notes_and_count_nowhere() -> None:
    dropped = bug("M2", verdict=Verdict.REFUTED, seen=0)
    for found in (report("/orders", bug(), dropped), report("/orders", bug(), refuted=(dropped,))):
        text = bug_report(found)
        assert "1 bug (0 critical, 1 major, 0 minor)" in text
        assert "#### BUG-a-M2" not in text
        assert "Refuted: BUG-a-M2" in section(text, "## Notes")


def test_what_could_not_be_checked_and_what_was_left_out_are_notes() -> None:
    skipped = {"action_result": ActionResult.SKIPPED}
    tree = ActionTree(
        toolbar=(
            node("Late", **skipped, outcome=Outcome.BUDGET),
            node("Home", **skipped, outcome=Outcome.SHARED),
            node("Delete", **skipped, outcome=Outcome.POLICY, note="read-only: “Delete”"),
        )
    )
    found = report("/orders", bug(verdict=Verdict.UNCHECKED), action_tree=tree)
    notes = section(bug_report(found), "## Notes")
    assert "Not checked: BUG-a-M1" in notes
    assert "1 control left out: the budget" in notes
    assert "1 site-wide control tested on another route" in notes
    assert "1 control skipped by a rule: read-only: “Delete”" in notes


def test_coverage_is_counted_by_area_with_all_that_is_below() -> None:
    dead = node("Dead", action_result=ActionResult.NO_RESPONSE)
    off = node("Off", state=NodeState.DISABLED, action_result=ActionResult.NOT_CLICKABLE)
    skipped = node("Skipped", action_result=ActionResult.SKIPPED)
    tree = ActionTree(toolbar=(node("Menu", dead, off), skipped), other=(node("Link"),))
    rows = section(bug_report(report("/orders", action_tree=tree)), "## Action Coverage Summary")
    assert "| Toolbar | 4 | 2 | 1 | 1 |" in rows
    assert "| Other | 1 | 1 | 0 | 0 |" in rows
    assert "| Total | 5 | 3 | 1 | 1 |" in rows


def test_a_screenshot_that_is_gone_is_said_to_be() -> None:
    text = bug_report(report("/orders", bug()), missing={"02-toolbar-save.png"})
    assert "- **Screenshot:** `02-toolbar-save.png` (missing)" in text


@pytest.mark.parametrize("words", HOSTILE)
def test_no_page_can_write_in_the_report(words: str) -> None:
    plain = bug_report(report("/orders", bug(), reviewed_at=NOON))
    text = bug_report(msgspec.structs.replace(hostile_report("/orders", words), reviewed_at=NOON))
    assert len(headings(text)) == len(headings(plain))
    assert all(char.isprintable() or char == "\n" for char in text)
    prose = re.sub(r"(`+).*?\1", "", text)
    assert "<" not in prose.replace("\\<", "")
    assert not re.search(r"(?<!\\)\]\(", prose)
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 6, line


@pytest.mark.parametrize("words", HOSTILE)
def test_a_cell_stays_one_cell(words: str) -> None:
    for cell in (markdown.text(words), markdown.code(words)):
        assert "\n" not in cell
        assert not re.search(r"(?<!\\)(\\\\)*\|", cell), cell


def test_severities_have_their_own_headings() -> None:
    found = [bug("C1", severity=Severity.CRITICAL), bug("m1", severity=Severity.MINOR)]
    text = bug_report(report("/orders", *found))
    order = [text.index(word) for word in ("### Critical", "BUG-a-C1", "### Minor", "BUG-a-m1")]
    assert order == sorted(order)
