"""A project with many routes, and a run over it with workers that have no browser.

Everything but the browser is real: the private broker, the worker processes, the loop, the files.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from contract import wire
from contract.action_tree import RouteReport
from contract.identity import RunId
from contract.vocabulary import ReviewStatus, RouteStatus
from coordinator import settings
from coordinator.driver import run
from coordinator.driver.happenings import Happening
from coordinator.driver.stop import StopSignals
from coordinator.driver.workspace import Workspace
from coordinator.records import state_file
from coordinator.records.state import Completed, Operations, Ours, State
from tests.support.fake_browser import report_of

FAST = (sys.executable, "-m", "tests.support.fake_browser")
PACED = (sys.executable, "-m", "benchmarks.paced_worker")
WORKERS = 2
APP = "http://127.0.0.1:9"


def new_state(routes: int) -> State:
    """A state with so many routes to test."""
    now = datetime.now(UTC)
    state = State(project="bench", base_url=APP, created_at=now, ours=Ours(run_id=RunId("bench")))
    state.add_routes(f"/section-{number % 97}/page-{number}" for number in range(routes))
    return state


def with_done(state: State, done: int, folder: Path) -> None:
    """Complete so many routes, each with a report on disk; the reports are one file, linked."""
    reports = folder / "monkey-test-reports"
    reports.mkdir()
    report = report_of("/section/page")
    whole = reports / "whole.json"
    whole.write_bytes(wire.pretty(report))
    for route in list(state.pending)[:done]:
        name = f"{state.slugs[route]}.json"
        os.link(whole, reports / name)
        state.complete(_entry(route, name, report))
    state.touched.clear()
    whole.unlink()


def _entry(route: str, name: str, report: RouteReport) -> Completed:
    return Completed(
        route=route,
        tested_at=report.tested_at.replace(microsecond=0),
        status=RouteStatus.PASS,
        bugs_count=0,
        operations_count=Operations(total=1, passed=1, failed=0, disabled=0),
        screenshots_dir=f"monkey-test-screenshots/{name.removesuffix('.json')}/",
        report_file=f"monkey-test-reports/{name}",
        summary=report.summary,
        review_status=ReviewStatus.PENDING,
        bug_report_file=None,
    )


@contextmanager
def running(state: State, folder: Path, command: Sequence[str]) -> Iterator[Iterator[Happening]]:
    """What happens in a run; broker and workers are taken down at the end."""
    found = settings.load({"project": str(folder), "url": APP, "concurrency": WORKERS}, {})
    with Workspace(folder) as workspace, run.open_backend(found, workspace, command) as backend:
        telling = run.explore(
            backend, found, workspace, state, StopSignals(), pages=lambda _state, _folder: None
        )
        with closing(telling) as happenings:
            yield happenings


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def saved(state: State, folder: Path) -> None:
    state_file.save(state, folder, datetime.now(UTC))
