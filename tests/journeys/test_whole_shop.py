"""The whole demo shop through the command line, once: what it leaves on disk, what it finds, and
what can be watched while it goes on.
"""

import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from contract.action_tree import walk
from coordinator.cli.demo import match, planted
from coordinator.embedded.valkey import free_port
from coordinator.errors import ExitCode
from coordinator.reporting.findings import gather
from examples import shop as shop_package
from tests.journeys.stage import REPORTS, SCREENSHOTS, App, Ended, Place, finish
from tests.support.jobs import wait_for

SHOT = re.compile(r"^0[0-9]-[a-z0-9]+(-[a-z0-9]+)*\.png$")


@dataclass
class Trip:
    """A run that is over, and what was seen on the way."""

    place: Place
    app: App
    ended: Ended
    statuses: list[str]
    plain: list[dict[str, Any]]
    metrics: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.place.folder


@pytest.fixture(scope="module")
def trip(shop: App, login: str, tmp_path_factory: pytest.TempPathFactory) -> Trip:
    place = Place(tmp_path_factory.mktemp("whole") / "project")
    source = Path(shop_package.__file__).parent / "ROUTE_MAP.md"
    (place.folder / "ROUTE_MAP.md").write_text(source.read_text())
    port = free_port()
    words = ("explore", shop.url, "--login", login, "-y", "--metrics-port", str(port))
    process = place.start(*words, "-c", "4")
    place.wait_for_reports(1, process)
    wait_for(lambda: 'state="running"} ' in (scraped(port) or ""))
    statuses = [place.run("status").out]
    plain = [json.loads(place.run("status", "--json").out)]
    place.wait_for_reports(3, process)
    metrics = [scraped(port) or ""]
    return Trip(place, shop, finish(process), statuses, plain, metrics)


def scraped(port: int) -> str | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            return str(answer.read().decode())
    except (OSError, urllib.error.URLError):
        return None


def test_bugs_remain_and_the_exit_code_says_so(trip: Trip) -> None:
    assert trip.ended.code == ExitCode.REMAINS, trip.ended
    assert "13 of 13 routes tested" in trip.ended.out
    assert "Next:    open the page above" in trip.ended.out
    assert "Traceback" not in trip.ended.err


def test_the_state_file_obeys_its_rules(trip: Trip) -> None:
    document = json.loads((trip.folder / ".monkey-test-state.json").read_text())
    meta, done = document["meta"], document["completed"]
    failed, pending = document["failed"], document["pending"]
    routes = [entry["route"] for entry in done + failed] + pending
    reviews = [entry["review_status"] for entry in done]
    assert len(routes) == len(set(routes)) == meta["total_routes"] == 13
    assert (meta["tested"], meta["failed"], meta["pending"]) == (len(done), len(failed), 0)
    assert reviews == ["review_complete"] * len(done)
    assert meta["review_complete"] == len(done)
    assert meta["review_pending"] + meta["review_failed"] == 0
    assert (meta["status"], meta["blocked_reason"]) == ("completed", None)
    last = datetime.fromisoformat(meta["last_updated"])
    for entry in done:
        assert datetime.fromisoformat(entry["tested_at"]) <= last
        assert (trip.folder / entry["report_file"]).is_file()
        assert (trip.folder / entry["screenshots_dir"]).is_dir()
        assert (trip.folder / entry["bug_report_file"]).is_file()
    assert not trip.place.state().pending


def test_every_report_parses_and_belongs_to_a_route_of_the_state(trip: Trip) -> None:
    reports = trip.place.reports()
    assert reports.keys() == trip.place.state().completed.keys()
    for route, report in reports.items():
        counts = {entry.route: entry.bugs_count for entry in trip.place.state().entries()}
        assert counts[route] == len(report.bugs)


def test_each_screenshot_is_named_and_each_name_is_a_screenshot(trip: Trip) -> None:
    slugs = trip.place.state().slugs
    folders = {path.name for path in (trip.folder / SCREENSHOTS).iterdir()}
    assert folders == set(slugs.values())
    for route, report in trip.place.reports().items():
        there = {path.name for path in (trip.folder / SCREENSHOTS / slugs[route]).iterdir()}
        nodes = {node.screenshot for node in walk(report.action_tree)}
        bugs = {bug.screenshot for bug in report.bugs}
        assert there == nodes | bugs | {"01-page-load.png", "07-final-state.png"}, route
        assert not [name for name in there if not SHOT.match(name)]


def test_nothing_else_is_in_the_folder(trip: Trip) -> None:
    names = {path.name for path in trip.folder.iterdir()}
    ours = {".mazewave", ".monkey-test-state.json", "ROUTE_MAP.md", REPORTS, SCREENSHOTS}
    assert names == ours
    inside = {path.name for path in (trip.folder / ".mazewave").iterdir() if path.is_dir()}
    assert inside == {"logs"}
    size = sum(p.stat().st_size for p in (trip.folder / ".mazewave").rglob("*") if p.is_file())
    assert size < 1_000_000


def test_every_planted_fault_is_found(trip: Trip) -> None:
    found = match(planted(), gather(trip.place.state(), trip.folder).bugs)
    assert sorted(found) == sorted(fault.id for fault in planted())


def test_read_only_sends_no_write_but_the_login(trip: Trip) -> None:
    writes = [line for line in trip.app.requests() if line[0] not in {"GET", "HEAD"}]
    assert {path.partition("?")[0] for _, path in writes} == {"/login"}
    assert len(writes) == 1


def test_nothing_outlives_the_run(trip: Trip) -> None:
    """No worker, no Chromium, no Valkey, no temporary file."""
    assert trip.place.leftovers() == []


def test_status_in_another_process_tells_how_far_it_is(trip: Trip) -> None:
    (text,), (plain,) = trip.statuses, trip.plain
    assert "running in process" in text
    assert re.search(r"\d+ of 13 routes tested", text)
    assert re.search(r"^  /\S*: \d+ actions?, ", text, re.MULTILINE)
    assert plain["running_in"]
    assert plain["tested"] + plain["pending"] + plain["failed"] == 13
    assert plain["jobs"]


def test_afterwards_status_says_that_it_is_over(trip: Trip) -> None:
    told = trip.place.run("status")
    assert told.code == ExitCode.OK
    assert "completed" in told.out
    assert "running" not in told.out


def test_prometheus_is_served_during_the_run(trip: Trip) -> None:
    (text,) = trip.metrics
    for sample in (
        'mazewave_run_state{step="testing"} 1.0',
        'mazewave_run_info{broker="private",policy="read-only",preset="balanced",version="',
        'mazewave_routes{status="completed"} ',
        'mazewave_bugs_total{kind="http_5xx",severity="major"} ',
        'mazewave_jobs_outstanding{queue="browser"} ',
        'mazewave_queue_depth{queue="browser",state="running"} ',
        'mazewave_jobs_published_total{attempt="1",queue="browser"} ',
        'mazewave_job_results_total{queue="browser",status="done"} ',
        "mazewave_queue_wait_seconds_count ",
        "mazewave_results_lag_seconds_count ",
        "mazewave_state_commit_seconds_count ",
        "mazewave_clock_skew_seconds 0.0",
    ):
        assert sample in text, sample
    assert "/products" not in text


def test_to_start_again_tests_nothing_twice(trip: Trip) -> None:
    before = len(trip.app.requests())
    again = trip.place.run("explore")
    assert again.code == ExitCode.REMAINS
    assert "13 of 13 routes tested" in again.out
    assert "starting" not in again.err
    assert set(trip.app.requests()[before:]) == {("GET", "/"), ("GET", "/login?next=/")}
