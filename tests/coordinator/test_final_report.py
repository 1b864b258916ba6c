"""The final report in all its forms: the same counts everywhere, one bug for one signature, and
files that are whole whatever the app, a user's editor or the disk did.
"""

import json
import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from contract.action_tree import ActionTree
from contract.vocabulary import ActionResult, NodeState, Severity, Verdict
from coordinator.records import reports
from coordinator.records.reports import REPORTS, SCREENSHOTS
from coordinator.records.state import State
from coordinator.reporting import html_report, publish
from coordinator.reporting.distinct import FoundBug, distinct
from coordinator.reporting.findings import gather
from tests.support.reported import HOSTILE, bug, hostile_report, node, project, report

MENU = {"signature": "dead_control|menu|button|Help", "description": "Pressing “Help” does nothing"}


def three_routes(folder: Path) -> State:
    """A broken shared menu on two routes, a bug of one route's own, a clean route."""
    first = report("/a", bug("M1", **MENU), bug("C1", severity=Severity.CRITICAL))
    second = report("/b", bug("M1", id="BUG-b-M1", **MENU))
    return project(folder, [first, second, report("/clean")])


def published(state: State, folder: Path) -> dict[str, str]:
    """The files by name."""
    publish.write(state, folder)
    place = folder / REPORTS
    names = ("FINAL-REPORT.md", "final-report.html", "junit.xml")
    return {name: (place / name).read_text() for name in names}


def test_the_sections_are_those_of_the_format(tmp_path: Path) -> None:
    text = published(three_routes(tmp_path), tmp_path)["FINAL-REPORT.md"]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [
        "Executive Summary",
        "Bug Statistics",
        "Route Health Overview",
        "Critical Bugs",
        "Major Bugs",
        "Routes Without Issues",
        "Failed Routes",
        "Recommendations",
        "Notes",
    ]
    assert "**Routes tested:** 3 of 3" in text
    assert "**Date range:** 2026-11-30T12:00:00Z to 2026-11-30T12:00:00Z" in text


def test_a_bug_on_many_routes_is_one_bug_with_the_list_of_routes(tmp_path: Path) -> None:
    state = three_routes(tmp_path)
    found = gather(state, tmp_path)
    assert [one.routes for one in found.distinct] == [("/a",), ("/a", "/b")]
    files = published(state, tmp_path)
    text = files["FINAL-REPORT.md"]
    assert text.count("Pressing “Help” does nothing\n\n") == 1
    assert "- **Routes:** `/a`, `/b`" in text
    assert "| Major | 1 | 2 |" in text
    assert "| Total | 2 | 3 |" in text
    assert files["final-report.html"].count('<details class="bug ') == 2
    assert len(list((tmp_path / REPORTS / "scripts").glob("*.py"))) == 2


def test_counts_are_the_sums_over_the_route_reports(tmp_path: Path) -> None:
    state = three_routes(tmp_path)
    found = gather(state, tmp_path)
    sums = dict.fromkeys(Severity, 0)
    for _, one in reports.read_all(tmp_path):
        for each in one.bugs:
            sums[each.severity] += 1
    assert found.sightings == sums
    assert sum(row.bugs for row in found.routes) == sum(sums.values()) == len(found.bugs)
    assert sum(found.severities.values()) == len(found.distinct)
    assert "| Total |  | 1 | 2 | 0 | 3 |" in published(state, tmp_path)["FINAL-REPORT.md"]


def test_the_worst_and_surest_sighting_stands_for_a_bug() -> None:
    flaky = FoundBug("/a", "a", bug(verdict=Verdict.FLAKY, seen=1))
    sure = FoundBug("/b", "b", bug())
    (one,) = distinct([flaky, sure])
    assert one.first is sure
    assert one.routes == ("/b", "/a")


def test_bugs_without_a_signature_stand_alone_and_ids_are_unique() -> None:
    same = [FoundBug(route, "a", bug(signature="")) for route in ("/a", "/b", "/c")]
    assert [one.id for one in distinct(same)] == ["BUG-a-M1", "BUG-a-M1-2", "BUG-a-M1-3"]


def test_refuted_bugs_are_not_counted_anywhere(tmp_path: Path) -> None:
    dropped = bug("M2", verdict=Verdict.REFUTED, seen=0, description="It was not so")
    state = project(tmp_path, [report("/a", bug(), dropped, refuted=(dropped,))])
    found = gather(state, tmp_path)
    assert (len(found.bugs), found.refuted) == (1, 2)
    for name, text in published(state, tmp_path).items():
        assert "It was not so" not in text, name


def test_flaky_bugs_are_marked(tmp_path: Path) -> None:
    state = project(tmp_path, [report("/a", bug(verdict=Verdict.FLAKY, seen=1))])
    files = published(state, tmp_path)
    assert "1 of 3 fresh runs (flaky)" in files["FINAL-REPORT.md"]
    assert '<span class="mark flaky">flaky</span>' in files["final-report.html"]
    assert "(major, flaky)" in files["junit.xml"]


def test_every_bug_names_an_existing_screenshot_or_says_that_it_is_missing(tmp_path: Path) -> None:
    state = three_routes(tmp_path)
    text = published(state, tmp_path)["FINAL-REPORT.md"]
    named = re.findall(r"\*\*Screenshot:\*\* `(.*?)`", text)
    assert named
    assert all((tmp_path / name).is_file() for name in named)
    (tmp_path / SCREENSHOTS / "a" / "02-toolbar-save.png").unlink()
    files = published(state, tmp_path)
    assert "`monkey-test-screenshots/a/02-toolbar-save.png` (missing)" in files["FINAL-REPORT.md"]
    assert "The screenshot 02-toolbar-save.png of BUG-a-M1 on /a is missing." in " ".join(
        files["final-report.html"].split()
    )
    assert "monkey-test-screenshots/a/02" not in files["final-report.html"]


@pytest.mark.parametrize("name", ["../../../etc/passwd", "a/b.png", "javascript:alert(1)", ".."])
def test_a_screenshot_with_a_made_up_name_is_no_address(tmp_path: Path, name: str) -> None:
    state = project(tmp_path, [report("/a", bug())])
    edited = report("/a", bug(screenshot=name))
    (tmp_path / REPORTS / "a.json").write_bytes(msgspec.json.encode(edited))
    html = published(state, tmp_path)["final-report.html"]
    for address in re.findall(r'(?:href|src)="([^"#][^"]*)"', html):
        assert address.startswith("../monkey-test-screenshots/a/"), address
        assert "/.." not in address[2:]


@pytest.mark.parametrize("damage", [b"", b"{", b'{"route": 7}', b"\xff\xfe"])
def test_a_damaged_report_is_a_note_and_no_crash(tmp_path: Path, damage: bytes) -> None:
    state = three_routes(tmp_path)
    (tmp_path / REPORTS / "a.json").write_bytes(damage)
    note = "The report of /a is missing or damaged; its 2 bugs are not shown."
    files = published(state, tmp_path)
    assert note in files["FINAL-REPORT.md"]
    assert note in files["final-report.html"]
    assert "| Total | 1 | 1 |" in files["FINAL-REPORT.md"]


def test_failed_routes_stand_in_every_file(tmp_path: Path) -> None:
    state = three_routes(tmp_path)
    state.fail("/down|x", "crashed", "the worker died", datetime.now(UTC))
    files = published(state, tmp_path)
    assert "- `/down\\|x`: the worker died" in files["FINAL-REPORT.md"]
    assert '<section id="failed"' in files["final-report.html"]
    suites = {one.get("name"): one for one in ET.fromstring(files["junit.xml"])}  # noqa: S314 - ours
    assert suites["/down|x"].get("errors") == "1"


def test_junit_has_a_suite_for_each_route_and_a_case_for_each_control(tmp_path: Path) -> None:
    skipped = {"action_result": ActionResult.SKIPPED, "note": "read-only: “Delete” is not pressed"}
    off = {"state": NodeState.DISABLED, "action_result": ActionResult.NOT_CLICKABLE}
    broken = {"action_result": ActionResult.ERROR, "error": "it threw"}
    tree = ActionTree(
        toolbar=(
            node("Save", node("Inside", key="k1", **broken), key="main/button/save"),
            node("Delete", key="k2", **skipped),
            node("Off", key="k3", **off),
        )
    )
    state = project(tmp_path, [report("/a", bug(), action_tree=tree)])
    root = ET.fromstring(published(state, tmp_path)["junit.xml"])  # noqa: S314 - ours
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("5", "2", "2")
    cases = {case.get("name"): case for case in root.iter("testcase")}
    failure = cases["Toolbar: Save"].find("failure")
    assert failure is not None
    assert failure.get("message") == "Pressing “Save” does nothing"
    inside = cases["Toolbar: Save › Inside"].find("failure")
    assert inside is not None
    assert inside.get("message") == "it threw"
    left_out = cases["Toolbar: Delete"].find("skipped")
    assert left_out is not None
    assert left_out.get("message") == "read-only: “Delete” is not pressed"


@pytest.mark.parametrize("words", HOSTILE)
def test_whatever_the_app_says_the_files_are_whole(tmp_path: Path, words: str) -> None:
    state = project(tmp_path, [hostile_report("/a", words)], name=words)
    state.fail("/f", words, words, datetime.now(UTC))
    state.update(discovered=(words,))
    files = published(state, tmp_path)
    ET.fromstring(files["junit.xml"])  # noqa: S314 - ours
    assert all(letter.isprintable() or letter == "\n" for letter in files["FINAL-REPORT.md"])
    assert files["FINAL-REPORT.md"].count("\n## ") == 9
    html = files["final-report.html"]
    assert html.count("<script") == html.count("</script>") == 3
    assert "<img src=x" not in html
    page = html.partition("<script")[0]
    assert not re.search(r'(href|src)="(?!#|\.\./monkey-test-screenshots/)', page)
    for block in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', html):
        json.loads(block)


def test_a_page_of_many_routes_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "MOST_TREES", 1)
    monkeypatch.setattr(html_report, "MOST_ROWS", 2)
    html = published(three_routes(tmp_path), tmp_path)["final-report.html"]
    assert "3 routes, 1 of them with their tree" in html
    assert "… and 1 more routes without bugs." in html


def test_the_bug_reports_that_the_state_names_are_written_again(tmp_path: Path) -> None:
    state = project(tmp_path, [report("/a", bug())])
    (tmp_path / REPORTS / "a-bugs.md").write_text("edited by hand")
    publish.write(state, tmp_path)
    assert "#### BUG-a-M1" in (tmp_path / REPORTS / "a-bugs.md").read_text()


def test_scripts_of_bugs_that_are_no_more_go_and_those_of_others_stay(tmp_path: Path) -> None:
    state = three_routes(tmp_path)
    publish.write(state, tmp_path)
    folder = tmp_path / REPORTS / "scripts"
    (folder / "mine.py").write_text("print('hello')\n")
    again = project(tmp_path, [report("/a", bug("M1", **MENU)), report("/b"), report("/clean")])
    publish.write(again, tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == ["BUG-a-M1.py", "mine.py"]


def test_recommendations_follow_from_the_numbers(tmp_path: Path) -> None:
    text = published(three_routes(tmp_path), tmp_path)["FINAL-REPORT.md"]
    assert "Begin with the critical bugs: 1 is open" in text
    assert "1 bug on several routes each" in text
    clean = published(project(tmp_path / "clean", [report("/a")]), tmp_path / "clean")
    assert "Nothing needs to be done" in clean["FINAL-REPORT.md"]
    assert "No bugs were found." in clean["final-report.html"]
