"""How a route is walked: every control once, depth first, and always back.

Each test is a small maze (`toy.py`) and what the walk makes of it; `log` is what was done to the
page, in order.
"""

import msgspec

from contract.action_tree import Step
from contract.jobs import Limits, Safety
from contract.vocabulary import (
    ActionResult,
    BugKind,
    NodeState,
    NodeType,
    Outcome,
    Policy,
)
from tests.workers.browser.mazes import (
    LINKS_OUT,
    MENU,
    NESTED_DIALOGS,
    TABS,
    WIZARD,
)
from tests.workers.browser.outings import walked
from tests.workers.browser.toy import Door, Maze, Room, button, checkbox, link, tab, text_field

# Order


def test_what_a_control_opens_is_explored_before_its_siblings() -> None:
    found = walked(NESTED_DIALOGS)

    assert found.labels == ["Create", "Choose", "First", "Help", "Refresh"]


def test_every_control_is_used_once_and_the_way_back_is_the_shortest() -> None:
    found = walked(NESTED_DIALOGS)

    assert found.toy.log == [
        "open",
        "press Create",
        "press Choose",
        "press First",
        "escape",
        "press Help",
        "escape",
        "press Refresh",
    ]


def test_a_state_is_tried_from_tabs_to_submitters_and_what_is_disabled_comes_last() -> None:
    room = Room(
        controls=(
            button("Locked", disabled=True),
            button("Save", submits=True),
            link("Self", "/maze"),
            checkbox("Dark"),
            button("Open"),
            text_field("Name"),
            button("More", popup="menu"),
            tab("General", selected=True),
        ),
    )

    found = walked({"room": room})

    assert found.labels == ["General", "More", "Name", "Open", "Dark", "Self", "Save", "Locked"]


def test_a_control_that_shows_in_many_states_is_tried_in_the_first_one_only() -> None:
    everywhere = button("Help")
    maze: Maze = {
        "list": Room(controls=(everywhere, button("Open")), doors={"Open": Door(to="dialog")}),
        "dialog": Room(controls=(everywhere, button("Inner")), dialogs=("dialog",), escape="list"),
    }

    assert walked(maze).labels == ["Help", "Open", "Inner"]


def test_a_button_of_a_dialog_is_tried_again_where_the_dialog_has_other_controls() -> None:
    save = button("Save", dialog="edit")
    maze: Maze = {
        "list": Room(
            controls=(button("Edit user"), button("Edit group")),
            doors={"Edit user": Door(to="user"), "Edit group": Door(to="group")},
        ),
        "user": Room(
            controls=(msgspec.structs.replace(save, shape="name, mail"),),
            doors={"Save": Door(changes=1)},
            dialogs=("edit",),
            escape="list",
        ),
        "group": Room(
            controls=(msgspec.structs.replace(save, shape="name"),),
            doors={"Save": Door(changes=1)},
            dialogs=("edit",),
            escape="list",
        ),
    }

    assert walked(maze).labels == ["Edit user", "Save", "Edit group", "Save"]


# What becomes of a press


def test_a_press_that_leads_to_a_new_state_names_it_and_one_that_leads_to_a_known_one_does_so() -> (
    None
):
    found = walked(MENU)

    assert found.of("More").draft.leads_to == found.of("Copy").state
    assert found.of("Copy").draft.same_as == found.of("More").state


def test_a_node_knows_the_steps_that_lead_to_it() -> None:
    found = walked(NESTED_DIALOGS)

    assert found.of("First").draft.path == (
        Step(action="press", label="Create", key="Create"),
        Step(action="press", label="Choose", key="Choose"),
    )


def test_a_dead_control_is_called_dead_only_after_a_longer_look_and_another_on_a_fresh_load() -> (
    None
):
    found = walked({"room": Room(controls=(button("Dead"),))}, limits=Limits(actions=1))

    assert found.toy.log[:6] == ["open", "press Dead", "linger", "open", "press Dead", "linger"]
    assert found.of("Dead").draft.action_result is ActionResult.NO_RESPONSE
    assert [suspect.suspicion.kind for suspect in found.atlas.suspects.values()] == [
        BugKind.DEAD_CONTROL
    ]


def test_a_control_that_answers_late_is_not_dead() -> None:
    room = Room(controls=(button("Slow"),), doors={"Slow": Door(changes=1, slow=True)})

    found = walked({"room": room})

    assert found.of("Slow").draft.action_result is ActionResult.CONTENT_CHANGED
    assert found.toy.log == ["open", "press Slow", "linger"]
    assert not found.atlas.suspects


def test_a_control_that_answers_on_a_fresh_load_is_not_dead() -> None:
    maze: Maze = {
        "room": Room(controls=(button("Moody"),), doors={"Moody": Door(later="other")}),
        "other": Room(controls=()),
    }

    found = walked(maze)

    assert found.of("Moody").draft.action_result is ActionResult.CONTENT_CHANGED
    assert not found.atlas.suspects


def test_what_only_looks_pressable_is_no_bug_when_it_is_dead() -> None:
    found = walked({"room": Room(controls=(button("Card", sign="pointer"),))})

    assert found.of("Card").draft.action_result is ActionResult.NO_RESPONSE
    assert not found.atlas.suspects


def test_a_tab_that_is_selected_already_may_do_nothing() -> None:
    found = walked(TABS)

    assert found.of("General").draft.outcome is Outcome.ALREADY_SELECTED
    assert not found.atlas.suspects


def test_a_control_that_stays_covered_is_an_error_after_a_fresh_load() -> None:
    room = Room(controls=(button("Below"),), doors={"Below": Door(covered_by="div.overlay")})

    found = walked({"room": room})

    assert found.toy.log == ["open", "press Below", "linger", "open", "press Below"]
    assert found.of("Below").draft.outcome is Outcome.OBSCURED


# Fields and wizards


def test_a_field_is_filled_and_gets_its_earlier_value_back() -> None:
    found = walked({"form": Room(controls=(text_field("Name"),))})

    assert found.toy.log == ["open", "fill Name", "unfill"]
    assert found.of("Name").draft.outcome is Outcome.FILLED


def test_a_password_is_never_typed() -> None:
    found = walked({"form": Room(controls=(text_field("Password"),))})

    assert found.toy.log == ["open"]
    assert found.of("Password").draft.outcome is Outcome.POLICY


def test_a_wizard_is_walked_step_by_step_by_filling_what_next_waits_for() -> None:
    found = walked(WIZARD)

    assert found.labels == [
        "New order",
        "Answer 1",
        "Next",
        "Answer 2",
        "Next",
        "Answer 3",
        "Next",
    ]
    steps = [tried.draft for tried in found.tried if tried.draft.label == "Next"]
    assert [draft.type for draft in steps] == [
        NodeType.WIZARD_STEP,
        NodeType.WIZARD_STEP,
        NodeType.BUTTON,
    ]


def test_the_steps_to_a_wizards_second_page_say_what_was_filled_on_its_first() -> None:
    found = walked(WIZARD)

    assert found.of("Answer 2").draft.path == (
        Step(action="press", label="New order", key="New order"),
        Step(action="fill", label="Answer 1", value="Maze test", key="Answer 1"),
        Step(action="press", label="Next", key="Next"),
    )


def test_a_step_behind_a_disabled_next_is_reached_again_by_filling_anew() -> None:
    maze: Maze = {
        "form": Room(
            controls=(text_field("Name"), button("Next")),
            doors={"Next": Door(to="done")},
            needs={"Next": ("Name",)},
        ),
        "done": Room(
            controls=(button("Hang"), button("Print")),
            doors={"Hang": Door(hangs=True), "Print": Door(changes=1)},
        ),
    }

    found = walked(maze)

    assert found.of("Print").draft.action_result is ActionResult.CONTENT_CHANGED


def test_a_button_that_nothing_enables_is_not_clickable() -> None:
    found = walked({"room": Room(controls=(button("Locked", disabled=True),))})

    locked = found.of("Locked").draft
    assert (locked.state, locked.action_result) == (
        NodeState.DISABLED,
        ActionResult.NOT_CLICKABLE,
    )
    assert found.toy.log == ["open"]


# Ways back


def test_tabs_are_walked_from_one_to_the_next() -> None:
    found = walked(TABS)

    assert found.labels == [
        "General",
        "Access",
        "Edit Access",
        "Audit",
        "Edit Audit",
        "Edit General",
    ]


def test_the_way_back_from_a_tab_is_the_tab_that_was_selected_before() -> None:
    found = walked(TABS)

    assert found.toy.log.count("open") == 1
    assert found.walk.reach.rungs_used == {"previous_tab": 2}


def test_a_link_out_of_the_route_is_followed_once_and_its_page_left_to_its_own_route() -> None:
    found = walked(LINKS_OUT, routes=frozenset({"/users"}))

    assert "Not ours" not in found.labels
    assert found.of("Users").draft.action_result is ActionResult.PAGE_NAVIGATED
    assert found.of("Users").draft.note == "to /users"
    assert "back" in found.toy.log


def test_a_page_below_the_route_belongs_to_it() -> None:
    assert "Edit" in walked(LINKS_OUT).labels


def test_a_page_outside_the_map_is_reported_as_found() -> None:
    unknown = walked(LINKS_OUT)
    known = walked(LINKS_OUT, routes=frozenset({"/users", "/maze/{id}"}))

    assert list(unknown.atlas.found_routes) == ["/users", "/maze/17"]
    assert list(known.atlas.found_routes) == []


def test_a_state_that_the_app_shows_only_once_costs_no_more_than_its_own_controls() -> None:
    maze: Maze = {
        "list": Room(
            controls=(button("Start"), button("Refresh")),
            doors={"Start": Door(to="tour", later="list"), "Refresh": Door(changes=1)},
        ),
        "tour": Room(
            controls=(button("Later"), button("Show me")),
            doors={"Later": Door(to="list"), "Show me": Door(changes=1)},
        ),
    }

    found = walked(maze)

    assert found.of("Show me").draft.outcome is Outcome.REPLAY_DIVERGED
    assert found.of("Refresh").draft.action_result is ActionResult.CONTENT_CHANGED


def test_a_control_that_vanished_is_looked_for_in_one_fresh_context_and_its_siblings_go_on() -> (
    None
):
    room = Room(
        controls=(button("Archive"), button("Gone"), button("Export")),
        doors={
            "Archive": Door(changes=1, removes=("Gone",)),
            "Gone": Door(changes=1),
            "Export": Door(changes=1),
        },
    )

    found = walked({"room": room}, safety=Safety(policy=Policy.FULL))

    assert found.toy.log == [
        "open",
        "press Archive",
        "press Gone",
        "fresh context",
        "open",
        "press Gone",
        "press Export",
    ]
    assert found.of("Gone").draft.outcome is Outcome.REPLAY_DIVERGED
    assert found.of("Export").draft.action_result is ActionResult.CONTENT_CHANGED
