"""A walk that is cut off goes on from what was written down, and repeats at most one action.

The key property of a walk: its entries alone say where it stands. A worker that is killed between
using a control and writing it down has done that one action for nothing, and nothing more.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.action_tree import ActionTree
from contract.jobs import Limits
from tests.contract.samples import NOON
from tests.workers.browser.mazes import ALL
from tests.workers.browser.outings import Killed, Outing, outing, walked
from tests.workers.browser.toy import Door, Maze, Room, Toy, button, tab, text_field
from workers.browser.atlas import Atlas, Entry, ticket
from workers.browser.harvest import gather
from workers.browser.page_port import Control

LABELS = ("Alpha", "Bravo", "Charlie", "Echo", "Foxtrot", "Golf")
NAMES = ("hall", "study", "attic", "cellar")


def tree_of(atlas: Atlas) -> ActionTree:
    return gather(
        atlas, route="/maze", slug="maze", tested_at=NOON, final_shot="x"
    ).report.action_tree


def cut_off(maze: Maze, checkpoints: int, *, limits: Limits) -> Outing:
    """A walk whose worker is killed when so many checkpoints are written."""
    found = outing(maze, room_for=checkpoints, limits=limits)
    with pytest.raises(Killed):
        asyncio.run(found.walk.explore())
    return found


def gone_on(maze: Maze, earlier: Outing, *, limits: Limits) -> Outing:
    """Another worker with the entries of the first, a browser of its own, and the same server."""
    return walked(
        maze,
        toy=Toy(maze, earlier.toy.server),
        done=earlier.journal.entries,
        limits=limits,
    )


def assert_resumes(maze: Maze, limits: Limits) -> None:
    whole = walked(maze, limits=limits)
    for checkpoints in range(len(whole.journal.batches)):
        earlier = cut_off(maze, checkpoints, limits=limits)

        later = gone_on(maze, earlier, limits=limits)

        assert earlier.journal.batches + later.journal.batches == whole.journal.batches
        assert tree_of(later.atlas) == tree_of(whole.atlas)
        assert later.atlas.actions == whole.atlas.actions


@pytest.mark.parametrize("name", ALL)
def test_a_walk_that_is_killed_anywhere_ends_as_if_it_had_not_been(name: str) -> None:
    assert_resumes(ALL[name], Limits())


@pytest.mark.parametrize("name", ALL)
def test_a_walk_that_is_killed_anywhere_spends_one_budget_of_actions_in_all(name: str) -> None:
    assert_resumes(ALL[name], Limits(actions=3))


@pytest.mark.parametrize("name", ALL)
def test_a_walk_that_is_handed_back_goes_on_where_it_stopped(name: str) -> None:
    maze = ALL[name]
    whole = walked(maze)
    asked = iter([False, False, True])

    first = walked(maze, stop=lambda: next(asked, True))
    second = gone_on(maze, first, limits=Limits())

    assert first.journal.batches + second.journal.batches == whole.journal.batches


def test_a_walk_that_is_killed_after_every_action_still_ends() -> None:
    maze = ALL["nested dialogs"]
    whole = walked(maze)
    toy, entries = Toy(maze), list[Entry]()

    for _ in whole.journal.batches:
        step = outing(maze, toy=toy, done=entries, room_for=1)
        with suppress(Killed):
            asyncio.run(step.walk.explore())
        entries += step.journal.entries

    assert entries == whole.journal.entries


def test_going_on_from_a_finished_walk_uses_nothing_again() -> None:
    maze = ALL["nested dialogs"]
    whole = walked(maze)

    again = gone_on(maze, whole, limits=Limits())

    assert again.toy.log == ["open"]
    assert again.journal.batches == []


@pytest.mark.parametrize("name", ALL)
def test_a_checkpoint_that_arrives_twice_changes_nothing(name: str) -> None:
    whole = walked(ALL[name])

    doubled = [entry for batch in whole.journal.batches for entry in (*batch, *batch)]

    assert tree_of(Atlas.fold(doubled)) == tree_of(whole.atlas)
    assert Atlas.fold(doubled).actions == whole.atlas.actions


KINDS: tuple[Callable[[str], Control], ...] = (button, button, tab, text_field)


@st.composite
def mazes(draw: st.DrawFn) -> Maze:
    """A few rooms with a few controls each, and doors that lead anywhere.

    What a fill does shows at once: nobody looks at a field twice, so what came later would belong
    to the next control, or to none when the worker is killed in between.
    """
    names = NAMES[: draw(st.integers(1, len(NAMES)))]

    def door(control: Control) -> Door:
        return draw(
            st.builds(
                Door,
                to=st.sampled_from(("", *names)),
                changes=st.integers(0, 1),
                slow=st.booleans() if control.field is None else st.just(False),
                loads=st.booleans(),
                hangs=st.sampled_from((False, False, False, True)),
                missing=st.sampled_from((False, False, False, True)),
            )
        )

    def room(name: str) -> Room:
        labels = draw(st.lists(st.sampled_from(LABELS), max_size=3, unique=True))
        controls = tuple(draw(st.sampled_from(KINDS))(label) for label in labels)
        return Room(
            controls=controls,
            doors={control.key: door(control) for control in controls},
            dialogs=draw(st.sampled_from(((), (), (name,)))),
            escape=draw(st.sampled_from(("", *names))),
        )

    return {name: room(name) for name in names}


MANY = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@MANY
@given(mazes())
def test_any_maze_is_resumed_from_any_point(maze: Maze) -> None:
    assert_resumes(maze, Limits())


@MANY
@given(mazes())
def test_in_any_maze_every_control_that_was_seen_is_dealt_with_exactly_once(maze: Maze) -> None:
    found = walked(maze)

    seen = [
        ticket(control, state.state)
        for state in found.atlas.states.values()
        for control in state.controls
    ]
    dealt_with = [tried.control for tried in found.tried]
    assert sorted(seen) == sorted(dealt_with)
    assert len(set(seen)) == len(seen)
