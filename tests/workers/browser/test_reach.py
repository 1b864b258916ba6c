"""The reset ladder: the cheapest way back that works, and the memory of it."""

import asyncio

import pytest

from contract.jobs import Safety
from tests.workers.browser.mazes import LINKS_OUT, MENU, NESTED_DIALOGS
from tests.workers.browser.outings import walked
from tests.workers.browser.toy import BASE, Door, Maze, Room, Toy, button
from workers.browser.atlas import Arrived
from workers.browser.classify import classify
from workers.browser.policy import Rules
from workers.browser.reach import Reach

STUBBORN: Maze = {
    "list": Room(controls=(button("Open"),), doors={"Open": Door(to="dialog")}),
    "dialog": Room(
        controls=(button("Close", dialog="box"), button("Inner", dialog="box")),
        doors={"Close": Door(to="list"), "Inner": Door(changes=1)},
        dialogs=("box",),
    ),
}
ONE_WAY: Maze = {
    "list": Room(controls=(button("Switch"),), doors={"Switch": Door(to="other")}),
    "other": Room(controls=(button("Inner"),), doors={"Inner": Door(changes=1)}),
}
DISCLOSURE: Maze = {
    "closed": Room(
        controls=(button("Details", expanded=False),), doors={"Details": Door(to="open")}
    ),
    "open": Room(
        controls=(button("Details", expanded=True), button("Inner")),
        doors={"Details": Door(to="closed"), "Inner": Door(changes=1)},
    ),
}


class Way:
    """An open page, the states of a walk through it, and a ladder that has not been used yet."""

    def __init__(self, maze: Maze) -> None:
        states = walked(maze).atlas.states
        self.toy = Toy(maze)
        self.reach = Reach(self.toy, Rules(Safety(), BASE), states)
        self.states = list(states.values())
        asyncio.run(self.toy.open())

    def out(self, label: str) -> None:
        """Use a control of the first state, as the walk does."""
        control = next(c for c in self.states[0].controls if c.label == label)
        effect = asyncio.run(self.toy.press(control))
        self.reach.pressed(control, classify(effect, control), effect)

    def to(self, number: int) -> list[str]:
        """What is done to the page to get to a state, which must succeed."""
        assert self.try_to(self.states[number])
        return self.toy.log

    def try_to(self, state: Arrived) -> bool:
        self.toy.log.clear()
        return asyncio.run(self.reach.to(state))


@pytest.mark.parametrize(
    ("maze", "label", "steps", "rung"),
    [
        (NESTED_DIALOGS, "Create", ["escape"], "escape"),
        (MENU, "More", ["escape"], "escape"),
        (STUBBORN, "Open", ["escape", "press Close"], "close"),
        (DISCLOSURE, "Details", ["press Details"], "toggle"),
        (LINKS_OUT, "Item", ["back"], "back"),
        (ONE_WAY, "Switch", ["press Switch", "open"], "load"),
    ],
    ids=["dialog", "menu", "stubborn dialog", "disclosure", "link", "one way"],
)
def test_the_cheapest_rung_that_works_leads_back(
    maze: Maze, label: str, steps: list[str], rung: str
) -> None:
    way = Way(maze)
    way.out(label)

    assert way.to(0) == steps
    assert way.reach.rungs_used == {rung: 1}


@pytest.mark.parametrize(
    ("maze", "label", "steps"),
    [
        (STUBBORN, "Open", ["press Close"]),
        (ONE_WAY, "Switch", ["open"]),
        (LINKS_OUT, "Item", ["back"]),
    ],
    ids=["close", "load", "back"],
)
def test_the_rung_that_worked_after_a_control_is_tried_first_the_next_time(
    maze: Maze, label: str, steps: list[str]
) -> None:
    way = Way(maze)
    way.out(label)
    way.to(0)

    way.out(label)

    assert way.to(0) == steps


def test_being_there_already_costs_nothing() -> None:
    assert Way(NESTED_DIALOGS).to(0) == []


def test_a_state_on_the_way_is_gone_on_from_instead_of_starting_anew() -> None:
    way = Way(NESTED_DIALOGS)

    assert way.to(2) == ["press Create", "press Choose"]
    assert way.reach.rungs_used == {"ancestor": 1}


def test_from_an_inner_dialog_escape_leads_to_the_outer_one() -> None:
    way = Way(NESTED_DIALOGS)
    way.to(2)

    assert way.to(1) == ["escape"]


def test_a_fresh_context_is_the_last_rung_and_then_the_state_counts_as_lost() -> None:
    way = Way(ONE_WAY)
    way.toy.maze = {"list": Room(controls=())}

    assert not way.try_to(way.states[1])
    assert way.toy.log[-3:] == ["fresh context", "open", "press Switch"]


def test_a_closing_button_that_the_policy_forbids_is_not_used_to_get_back() -> None:
    maze = dict(STUBBORN)
    maze["dialog"] = Room(
        controls=(button("Close", dialog="box", hints="log out"),),
        doors={"Close": Door(to="list")},
        dialogs=("box",),
    )
    way = Way(maze)
    way.out("Open")

    assert "press Close" not in way.to(0)
