"""The review: a bug is believed when it shows each time, in a context that is fresh each time."""

import asyncio
from typing import Any

import msgspec

from contract.action_tree import RouteReport
from contract.jobs import Safety
from contract.vocabulary import BugKind, BugSource, Policy
from tests.contract.samples import NOON
from tests.workers.browser.mazes import TROUBLE, WIZARD
from tests.workers.browser.outings import walked
from tests.workers.browser.toy import BASE, Door, Maze, Room, Toy, button
from workers.browser.brief import Brief
from workers.browser.harvest import gather
from workers.browser.leads import Followed, leads
from workers.browser.page_port import Traffic
from workers.browser.policy import Rules
from workers.browser.replay import Replay
from workers.browser.review import Review

RUNS = 3


def report_on(maze: Maze) -> RouteReport:
    """The report of a tester who walked through the maze."""
    atlas = walked(maze).atlas
    return gather(atlas, route="/maze", slug="maze", tested_at=NOON, final_shot="end").report


def review_of(
    report: RouteReport, toy: Toy, done: list[Followed] | None = None, **safety: Any
) -> Review:
    brief = Brief(route="/maze", base_url=BASE)
    replay = Replay(toy, brief, Rules(Safety(**safety), BASE), wait_s=0.0)
    return Review(toy, replay, report, RUNS, done or [])


def reviewed(report: RouteReport, maze: Maze) -> Review:
    """A review from its beginning to its end, by somebody who never saw the page."""
    review = review_of(report, Toy(maze))

    async def all_leads() -> None:
        while review.left:
            await review.follow_next()

    asyncio.run(all_leads())
    return review


def counts(review: Review) -> dict[str, tuple[int, int]]:
    return {item.id: (item.seen, item.runs) for item in review.replayed()}


def noisy(label: str) -> Maze:
    """One button that writes an error to the console."""
    said = Traffic(console=(f"{label} went wrong",))
    door = Door(changes=1, traffic=said)
    return {"room": Room(controls=(button(label),), doors={label: door})}


def test_what_shows_each_time_is_seen_in_all_runs() -> None:
    report = report_on(TROUBLE)
    assert report.bugs
    assert set(counts(reviewed(report, TROUBLE)).values()) == {(RUNS, RUNS)}


def test_what_the_app_does_not_do_any_more_is_seen_in_no_run() -> None:
    report = report_on(noisy("Save"))
    fixed: Maze = {"room": Room(controls=(button("Save"),), doors={"Save": Door(changes=1)})}
    assert set(counts(reviewed(report, fixed)).values()) == {(0, RUNS)}


def test_a_bug_deep_in_a_wizard_is_followed_through_all_its_steps() -> None:
    last = WIZARD["step 3"]
    loud = Door(to="start", traffic=Traffic(exceptions=("Error: the order is lost",)))
    broken: Maze = {
        **WIZARD,
        "step 3": Room(
            controls=last.controls,
            doors={**last.doors, "Next": loud},
            needs=last.needs,
            dialogs=last.dialogs,
            escape=last.escape,
        ),
    }
    report = report_on(broken)
    (bug,) = report.bugs
    assert bug.kind is BugKind.PAGE_ERROR
    assert counts(reviewed(report, broken)) == {bug.id: (RUNS, RUNS)}


def test_a_path_that_cannot_be_followed_refutes_nothing() -> None:
    report = report_on(noisy("Save"))
    gone: Maze = {"room": Room(controls=(button("Other"),), doors={"Other": Door(changes=1)})}
    review = reviewed(report, gone)
    assert set(counts(review).values()) == {(0, 0)}
    assert {item.note for item in review.replayed()} == {"its steps could not be followed"}


def test_each_replay_begins_in_a_fresh_context() -> None:
    toy = Toy(noisy("Save"))
    asyncio.run(review_of(report_on(noisy("Save")), toy).follow_next())
    assert toy.log == ["fresh context", "open", "press Save"] * RUNS


def test_bugs_of_one_moment_share_their_replays() -> None:
    said = Traffic(console=("one",), exceptions=("Error: two",))
    door = Door(changes=1, traffic=said)
    report = report_on({"room": Room(controls=(button("Save"),), doors={"Save": door})})
    assert len(report.bugs) == 2
    assert len(leads(report)) == 1


def test_a_dead_control_without_a_bug_is_followed_up_and_filed() -> None:
    report = msgspec.structs.replace(report_on(TROUBLE), bugs=())
    found, shots = reviewed(report, TROUBLE).found()
    dead = [bug for bug in found if bug.kind is BugKind.DEAD_CONTROL]
    assert [(bug.location, bug.source, bug.seen, bug.runs) for bug in dead] == [
        ("other: Dead", BugSource.REVIEWER, RUNS, RUNS)
    ]
    assert {bug.screenshot for bug in found} - {""} == {shot.name for shot in shots}


def test_silence_beside_another_bug_is_not_filed_as_new() -> None:
    report = report_on(noisy("Save"))
    silent: Maze = {"room": Room(controls=(button("Save"),))}
    assert reviewed(report, silent).found() == ((), ())


def test_a_silent_control_that_responds_now_is_no_bug() -> None:
    report = report_on(TROUBLE)
    rest = tuple(bug for bug in report.bugs if bug.kind is not BugKind.DEAD_CONTROL)
    panel = TROUBLE["panel"]
    doors = {**panel.doors, "Dead": Door(changes=1)}
    alive: Maze = {"panel": Room(controls=panel.controls, doors=doors)}
    review = reviewed(msgspec.structs.replace(report, bugs=rest), alive)
    assert review.found() == ((), ())


def test_a_step_that_the_policy_forbids_now_is_not_taken() -> None:
    report = report_on(noisy("Save"))
    (bug,) = report.bugs
    forged = msgspec.structs.replace(bug.path[-1], key="Delete", label="Delete")
    bug = msgspec.structs.replace(bug, path=(*bug.path[:-1], forged))
    toy = Toy(noisy("Delete"))
    report = msgspec.structs.replace(report, bugs=(bug,))
    review = review_of(report, toy, policy=Policy.READ_ONLY)
    asyncio.run(review.follow_next())
    assert "press Delete" not in toy.log
    assert counts(review) == {bug.id: (0, 0)}


def test_what_was_followed_before_a_crash_is_not_followed_again() -> None:
    report = report_on(TROUBLE)
    first = asyncio.run(review_of(report, Toy(TROUBLE)).follow_next())
    again = review_of(report, Toy(TROUBLE), done=[first])
    assert first.lead not in {lead.name for lead in again.left}
    assert len(again.left) == len(leads(report)) - 1


def test_a_report_without_bugs_and_odd_nodes_has_no_leads() -> None:
    report = report_on({"room": Room(controls=(button("Ok"),), doors={"Ok": Door(changes=1)})})
    assert leads(report) == ()
