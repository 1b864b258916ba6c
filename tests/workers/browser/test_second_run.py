"""A run that comes after another one: what is new or was wrong is tried before what is known."""

from contract.jobs import Before, Limits
from contract.vocabulary import Outcome
from tests.workers.browser.outings import walked
from tests.workers.browser.toy import BASE, Door, Maze, Room, button
from workers.browser.places import state_id

LABELS = ("One", "Two", "Three", "Four")
MAZE: Maze = {
    "room": Room(
        controls=tuple(button(label) for label in LABELS),
        doors={label: Door(changes=1) for label in LABELS},
    )
}
ROOM = state_id(f"{BASE}/maze", "room")


def before(*met: str, wrong: tuple[str, ...] = ()) -> Before:
    return Before(met=tuple(f"{ROOM} {label}" for label in met), wrong=wrong)


def test_without_an_earlier_run_the_order_is_that_of_the_page() -> None:
    assert walked(MAZE).labels == list(LABELS)


def test_a_control_that_is_new_comes_first() -> None:
    outing = walked(MAZE, before=before("One", "Two", "Four"))
    assert outing.labels == ["Three", "One", "Two", "Four"]


def test_a_control_that_was_wrong_comes_before_what_was_right() -> None:
    outing = walked(MAZE, before=before(*LABELS, wrong=("Four",)))
    assert outing.labels == ["Four", "One", "Two", "Three"]


def test_a_control_whose_surroundings_changed_counts_as_new() -> None:
    elsewhere = Before(met=tuple(f"0123456789abcdef {label}" for label in LABELS))
    assert walked(MAZE, before=elsewhere).labels == list(LABELS)


def test_what_the_budget_leaves_over_is_what_was_known() -> None:
    outing = walked(MAZE, before=before("One", "Two", "Three"), limits=Limits(actions=1))
    left = [tried.draft.label for tried in outing.tried if tried.draft.outcome is Outcome.BUDGET]
    assert left == ["One", "Two", "Three"]
