"""Whatever is killed, the run goes on, and ends as one that nobody disturbed."""

import signal
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from coordinator.errors import ExitCode
from tests.journeys.stage import (
    LONG_S,
    App,
    Ended,
    Place,
    finish,
    kill_hard,
    pressed,
    wait_for_line,
)
from tests.support.jobs import wait_for
from workers.browser.atlas import Entry

ROUTES = ("/toasts", "/wizard", "/row-dropdown", "/nested-dialogs")


class Run:
    """A folder, and how the practice site is explored in it."""

    def __init__(self, place: Place, app: App) -> None:
        self.place = place.map(*ROUTES)
        self._words = ("explore", app.url, "-y", "-c")

    def start(self, workers: int) -> "subprocess.Popen[str]":
        return self.place.start(*self._words, str(workers))

    def journal_of(self, slug: str, least: int) -> list[Entry]:
        """The checkpoints of a route, once there are some."""

        def enough() -> list[Entry]:
            found = self.place.journal(slug)
            return found if len(found) >= least else []

        return wait_for(enough, LONG_S)

    def longest_journal(self, slug: str, process: "subprocess.Popen[str]") -> list[Entry]:
        """The checkpoints of a route until they are forgotten, since the route is done."""
        longest: list[Entry] = []

        def over() -> bool:
            nonlocal longest
            found = self.place.journal(slug)
            longest = max(longest, found, key=len)
            return process.poll() is not None or (bool(longest) and not found)

        wait_for(over, LONG_S)
        return longest


@dataclass
class Undisturbed:
    one: Place
    four: Place
    endings: tuple[Ended, Ended]


@pytest.fixture(scope="module")
def undisturbed(practice: App, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The same routes with one worker and with four, at the same time."""
    folder = tmp_path_factory.mktemp("undisturbed")
    one = Run(Place(folder / "one"), practice)
    four = Run(Place(folder / "four"), practice)
    processes = one.start(1), four.start(4)
    endings = finish(processes[0]), finish(processes[1])
    return Undisturbed(one.place, four.place, endings)


@dataclass
class Killed:
    """A run whose worker, then whose broker was killed, and at last the command itself."""

    place: Place
    after_the_worker: list[Entry]
    before_the_command: list[Entry]
    after_the_command: list[Entry]
    first: Ended
    orphans: list[str]
    second: Ended


@pytest.fixture(scope="module")
def killed(practice: App, tmp_path_factory: pytest.TempPathFactory) -> Killed:
    run = Run(Place(tmp_path_factory.mktemp("killed") / "project"), practice)
    place, process = run.place, run.start(1)
    run.journal_of("wizard", 4)
    place.worker().kill()
    after_the_worker = run.longest_journal("wizard", process)
    run.journal_of("row-dropdown", 2)
    place.broker().kill()
    place.wait_for_reports(3, process)
    before = run.journal_of("nested-dialogs", 2)
    first = kill_hard(process)
    wait_for(place.is_clean)
    orphans = place.leftovers()
    again = run.start(1)
    after = run.longest_journal("nested-dialogs", again)
    return Killed(place, after_the_worker, before, after, first, orphans, finish(again))


def test_one_worker_and_four_find_the_same(undisturbed: Undisturbed) -> None:
    assert [ended.code for ended in undisturbed.endings] == [ExitCode.OK] * 2
    assert undisturbed.one.outcomes() == undisturbed.four.outcomes()
    assert undisturbed.one.outcomes().keys() == set(ROUTES)


def test_a_run_that_was_killed_three_times_ends_as_if_it_had_not_been(
    killed: Killed, undisturbed: Undisturbed
) -> None:
    assert killed.second.code == ExitCode.OK, killed.second
    assert "4 of 4 routes tested" in killed.second.out
    assert killed.place.outcomes() == undisturbed.one.outcomes()
    state = killed.place.state()
    assert (set(state.completed), state.failed, state.pending) == (set(ROUTES), {}, {})


def test_no_route_is_done_twice(killed: Killed) -> None:
    lines = (killed.first.err + killed.second.err).splitlines()
    done = [line.split()[2] for line in lines if line.startswith("[")]
    assert sorted(done) == sorted(ROUTES)


def test_an_action_that_was_written_down_is_not_repeated(killed: Killed) -> None:
    """Of the action that was under way nothing is written: it alone may be done again."""
    for journal in (killed.after_the_worker, killed.after_the_command):
        times = Counter(pressed(journal))
        assert times
        assert set(times.values()) == {1}
    known = len(killed.before_the_command)
    assert killed.after_the_command[:known] == killed.before_the_command


def test_nothing_outlives_a_command_that_was_killed(killed: Killed) -> None:
    """Nor the one after it."""
    assert killed.orphans == []
    assert killed.place.leftovers() == []
    assert not (killed.place.folder / ".mazewave/broker").exists()


def test_a_run_that_was_told_to_end_hands_its_jobs_back(practice: App, tmp_path: Path) -> None:
    """SIGTERM: what runs is finished, the rest is pending, and the exit code is the signal's."""
    place = Place(tmp_path / "project").map("/dropdown", "/toggles", "/wizard", "/submenu")
    process = place.start("explore", practice.url, "-y", "-c", "1")
    place.wait_for_reports(1, process)
    process.send_signal(signal.SIGTERM)
    ended = finish(process)
    assert ended.code == ExitCode.TERMINATED, ended
    assert "go on with: mazewave explore" in ended.out
    assert place.state().pending
    assert place.leftovers() == []


def test_the_demo_begins_anew_whatever_became_of_the_last_one(tmp_path: Path) -> None:
    """The shop goes with the command, too."""
    place = Place(tmp_path / "project")
    old = place.folder / "mazewave-demo/monkey-test-reports/old.json"
    process = place.start("demo", "-c", "1")
    place.worker()
    kill_hard(process)
    wait_for(place.is_clean)
    old.parent.mkdir()
    old.write_text("{}")
    process = place.start("demo", "-c", "1")
    wait_for_line(process, "starting")
    assert not old.exists()
    place.worker()
    process.send_signal(signal.SIGINT)
    wait_for_line(process, "stopping")
    process.send_signal(signal.SIGINT)
    ended = finish(process)
    assert ended.code == ExitCode.INTERRUPTED, ended
    assert "go on with: mazewave demo\n" in ended.err
    wait_for(place.is_clean)
