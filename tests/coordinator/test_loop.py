"""The loop against a real broker and real worker processes, broken at chosen points."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import redis

from contract.channels import BROWSER_QUEUE, run_prefix
from contract.identity import RunId
from contract.jobs import AnyJob, DiscoverRoutes, Site
from contract.vocabulary import ReviewStatus, RouteStatus, Verdict
from coordinator.driver.desk import Brief
from coordinator.driver.exploration_desk import ExplorationDesk
from coordinator.driver.happenings import (
    Answered,
    Dropped,
    Ended,
    GoesOn,
    Happening,
    Note,
    Paused,
    Published,
    ReviewDone,
    ReviewFailed,
    RouteDone,
    RoutesAdded,
)
from coordinator.driver.line import OFFICE_S, Line, open_line
from coordinator.driver.loop import Loop
from coordinator.driver.office import OfficeHeld
from coordinator.driver.sent import Sent
from coordinator.driver.stop import StopSignals
from coordinator.errors import HostError
from coordinator.machines.effects import FailJob, PublishJob
from coordinator.machines.exploration import Ledger, Limits, Step
from coordinator.records import reports, state_file
from coordinator.records.atomic import DiskFullError
from coordinator.records.state import Ours, State
from tests.support.jobs import job, result

NOW = datetime(2026, 1, 2, tzinfo=UTC)
RUN = RunId("run")
ROUTES = ("/pilot", "/a", "/b", "/bug/1", "/rumour/1", "/flaky", "/crash")


class Place:
    """A project folder, a broker, and workers; loops can be run over it again and again."""

    def __init__(self, url: str, namespace: str, folder: Path) -> None:
        self.url = url
        self.namespace = namespace
        self.folder = folder
        self.stack = ExitStack()
        self.happened: list[Happening] = []

    def work(self) -> "subprocess.Popen[bytes]":
        env = {
            "MAZEWAVE_BROKER": self.url,
            "MAZEWAVE_BLOBS": str(self.folder / "blobs"),
            "MAZEWAVE_NAMESPACE": self.namespace,
        }
        command = [sys.executable, "-m", "tests.support.fake_browser"]
        worker = subprocess.Popen(command, env={**os.environ, **env}, stderr=subprocess.DEVNULL)
        self.stack.callback(worker.wait)
        self.stack.callback(worker.kill)
        return worker

    def state(self) -> State:
        loaded = state_file.load(self.folder)
        if loaded is not None:
            assert not loaded.notes
            return loaded.state
        state = State(
            project="p", base_url="http://app.test", created_at=NOW, ours=Ours(run_id=RUN)
        )
        state.add_routes(ROUTES)
        return state

    def line(self) -> Line:
        opened = open_line(
            self.url,
            str(self.folder / "blobs"),
            self.namespace,
            RUN,
            holder="me",
            private=False,
        )
        return self.stack.enter_context(opened)

    def loop(self, kind: type[ExplorationDesk] = ExplorationDesk) -> Loop:
        state, line = self.state(), self.line()
        epoch = line.office.take("me", OFFICE_S, above=state.ours.epoch, instead_of="me")
        desk = kind(
            state=state,
            folder=self.folder,
            brief=Brief(site=Site(base_url=state.base_url)),
            blobs=line.blobs,
            pages=lambda _state, _folder: None,
        )
        return Loop(desk=desk, line=line, limits=Limits(), epoch=epoch, stop=StopSignals())

    def run(self, kind: type[ExplorationDesk] = ExplorationDesk) -> Happening:
        for happening in self.loop(kind).run():
            self.happened.append(happening)
        return self.happened[-1]

    def seen(self, kind: type[Happening]) -> list[Happening]:
        return [item for item in self.happened if isinstance(item, kind)]


@pytest.fixture
def place(valkey: str, namespace: str, tmp_path: Path) -> Iterator[Place]:
    made = Place(valkey, namespace, tmp_path)
    with made.stack:
        yield made


def check_outcome(folder: Path) -> None:
    """What a run without a fault would have left."""
    loaded = state_file.load(folder)
    assert loaded is not None
    assert loaded.notes == ()
    state = loaded.state
    assert set(state.completed) == set(ROUTES) - {"/crash"}
    assert set(state.failed) == {"/crash"}
    assert not state.pending
    assert state.status == "completed"
    assert set(state.reviews.values()) == {ReviewStatus.COMPLETE}
    slugs = {path.stem for path in (folder / "monkey-test-reports").glob("*.json")}
    shots = {path.name for path in (folder / "monkey-test-screenshots").iterdir()}
    assert slugs == shots == {state.slugs[route] for route in state.completed}
    reviewed = {path.name for path in (folder / "monkey-test-reports").glob("*-bugs.md")}
    assert reviewed == {f"{slug}-bugs.md" for slug in slugs}
    counts = {entry.route: entry.bugs_count for entry in state.entries()}
    assert {route for route, count in counts.items() if count} == {"/bug/1"}


def test_a_run_merges_every_route_once(place: Place) -> None:
    place.work()
    assert place.run() == Ended(Step.COMPLETED)
    check_outcome(place.folder)
    done = [item.route for item in place.seen(RouteDone) if isinstance(item, RouteDone)]
    assert sorted(done) == sorted(set(ROUTES) - {"/crash"})
    assert not place.seen(Dropped)


def test_each_answer_tells_how_long_its_job_waited(place: Place) -> None:
    place.work()
    place.run()
    answers = [item for item in place.happened if isinstance(item, Answered)]
    assert answers
    assert all(answer.waited_s is not None and answer.waited_s >= 0 for answer in answers)
    assert {answer.skew_s for answer in answers} == {0.0}


def test_a_clock_that_contradicts_the_order_of_things_is_off() -> None:
    sent, asked = Sent(), job()
    ended = msgspec.structs.replace(
        result(asked), started_at=NOW + timedelta(seconds=5), finished_at=NOW + timedelta(seconds=9)
    )
    sent.add(asked, NOW)
    ahead = sent.answered(ended, "done", NOW + timedelta(seconds=6))
    assert (ahead.waited_s, ahead.skew_s) == (5.0, 3.0)
    sent.add(asked, NOW + timedelta(seconds=7))
    behind = sent.answered(ended, "done", NOW + timedelta(seconds=60))
    assert (behind.waited_s, behind.skew_s) == (-2.0, -2.0)
    assert sent.answered(ended, "done", NOW + timedelta(seconds=60)).waited_s is None


def test_what_the_review_saw_replaces_what_the_tester_said(place: Place) -> None:
    place.work()
    place.run()
    seen = {item.route: item for item in place.seen(ReviewDone) if isinstance(item, ReviewDone)}
    assert (seen["/bug/1"].confirmed, seen["/bug/1"].bugs) == (1, 1)
    assert (seen["/rumour/1"].refuted, seen["/rumour/1"].bugs) == (1, 0)
    report = reports.read(place.folder, reports.report_file("rumour_1"))
    assert report is not None
    assert (report.bugs, report.status) == ((), RouteStatus.PASS)
    assert [bug.verdict for bug in report.refuted] == [Verdict.REFUTED]


def test_a_review_that_fails_leaves_the_bug_as_it_was_filed_and_can_be_tried_again(
    place: Place,
) -> None:
    state = State(project="p", base_url="http://app.test", created_at=NOW, ours=Ours(run_id=RUN))
    state.add_routes(["/shy"])
    state_file.save(state, place.folder, NOW)
    place.work()
    assert place.run() == Ended(Step.COMPLETED)
    (failed,) = place.seen(ReviewFailed)
    assert isinstance(failed, ReviewFailed)
    assert failed.error.startswith("crashed: ValueError")
    (entry,) = place.state().entries()
    assert (entry.review_status, entry.bugs_count) == (ReviewStatus.FAILED, 1)
    assert entry.bug_report_file is None
    state = place.state()
    assert state.review_again() == 1
    assert state.awaits_review() == ["/shy"]


def test_pages_that_are_met_are_tested_too_where_the_user_wants_it(place: Place) -> None:
    class Following(ExplorationDesk):
        def __init__(self, **fields: Any) -> None:
            super().__init__(**fields, follow=True)

    place.work()
    assert place.run(Following) == Ended(Step.COMPLETED)
    state = place.state()
    assert set(state.completed) == {*ROUTES, "/elsewhere/1"} - {"/crash"}
    assert [item.count for item in place.seen(RoutesAdded) if isinstance(item, RoutesAdded)] == [1]


def test_what_cost_the_session_once_is_denied_to_later_jobs(place: Place) -> None:
    class Watching(ExplorationDesk):
        def job(self, order: PublishJob, ledger: Ledger) -> AnyJob:
            job = super().job(order, ledger)
            assert not isinstance(job, DiscoverRoutes)
            told[order.job_id] = job.denied
            return job

    told: dict[str, tuple[str, ...]] = {}
    state = State(project="p", base_url="http://app.test", created_at=NOW, ours=Ours(run_id=RUN))
    state.add_routes(["/exit", "/a"])
    state_file.save(state, place.folder, NOW)
    place.work()
    assert place.run(Watching) == Ended(Step.COMPLETED)
    assert told["explore:exit"] == ()
    assert told["explore:a"] == told["review:exit"] == ("nav/exit",)
    assert place.state().ours.denied == ("nav/exit",)


class Crash(Exception):
    """The process ends here."""


def crashing(number: int, *, saved: bool) -> type[ExplorationDesk]:
    """A desk whose n-th save never happens, or is the last thing that happens."""

    class Crashing(ExplorationDesk):
        saves = 0

        def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
            self.saves += 1
            if saved or self.saves != number:
                super().save(ledger, cursor, now)
            if self.saves == number:
                raise Crash

    return Crashing


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_a_crash_around_any_commit_loses_nothing_and_doubles_nothing(
    place: Place, number: int, *, saved: bool
) -> None:
    place.work()
    with pytest.raises(Crash):
        place.run(crashing(number, saved=saved))
    assert place.run() == Ended(Step.COMPLETED)
    check_outcome(place.folder)


def test_a_crash_between_report_and_commit_merges_the_result_again(place: Place) -> None:
    class Merging(ExplorationDesk):
        def fail(self, order: FailJob, now: datetime) -> Happening:
            raise Crash

    place.work()
    with pytest.raises(Crash):
        place.run(Merging)
    assert place.run() == Ended(Step.COMPLETED)
    check_outcome(place.folder)


def test_nothing_is_enqueued_before_the_state_says_so(place: Place, client: redis.Redis) -> None:
    with pytest.raises(Crash):
        place.run(crashing(1, saved=False))
    assert client.llen(f"{place.namespace}:{BROWSER_QUEUE}") == 0
    with pytest.raises(Crash):
        place.run(crashing(1, saved=True))
    assert client.llen(f"{place.namespace}:{BROWSER_QUEUE}") == 0
    loaded = state_file.load(place.folder)
    assert loaded is not None
    assert loaded.state.ours.attempts["/pilot"].out


def test_a_full_disk_pauses_the_run_and_says_so(place: Place) -> None:
    class Full(ExplorationDesk):
        saves = 0

        def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
            self.saves += 1
            if self.saves == 2:
                raise DiskFullError("no room left on the disk for x", "free some space")
            super().save(ledger, cursor, now)

    place.work()
    assert place.run(Full) == Ended(Step.COMPLETED)
    assert place.seen(Paused) == [Paused("no room left on the disk for x; free some space")]
    assert place.seen(GoesOn)
    check_outcome(place.folder)


def test_after_redis_lost_everything_the_run_goes_on(place: Place, client: redis.Redis) -> None:
    place.work()
    wiped = False
    for happening in place.loop().run():
        place.happened.append(happening)
        if isinstance(happening, Published) and happening.route == "/a" and not wiped:
            wiped = True
            keys = list(client.scan_iter(match=f"{place.namespace}:*"))
            client.delete(*keys)
    assert place.happened[-1] == Ended(Step.COMPLETED)
    assert [item.text for item in place.seen(Note) if isinstance(item, Note)]
    check_outcome(place.folder)


def test_a_deposed_coordinator_stops(place: Place, client: redis.Redis) -> None:
    loop = place.loop()
    other = place.line()
    epoch = other.office.take("other", OFFICE_S, instead_of="me")
    assert epoch > loop.ledger.epoch
    with pytest.raises(HostError, match="another coordinator"):
        list(loop.run())
    with pytest.raises(OfficeHeld):
        other.office.take("third", OFFICE_S)


def test_a_stop_finishes_what_runs_and_takes_back_the_rest(
    place: Place, client: redis.Redis
) -> None:
    loop = place.loop()
    for happening in loop.run():
        place.happened.append(happening)
        if isinstance(happening, Published):
            loop.stop.asked = True
    assert place.happened[-1] == Ended(Step.STOPPED)
    assert client.llen(f"{place.namespace}:{BROWSER_QUEUE}") == 0
    place.work()
    assert place.run() == Ended(Step.COMPLETED)
    check_outcome(place.folder)


def test_a_completed_run_leaves_nothing_in_redis(place: Place, client: redis.Redis) -> None:
    place.work()
    loop = place.loop()
    for happening in loop.run():
        place.happened.append(happening)
    loop.clean_up()
    assert not list(client.scan_iter(match=f"{run_prefix(place.namespace, RUN)}:*"))
    assert not list((place.folder / "blobs" / "cas").rglob("*.png"))
