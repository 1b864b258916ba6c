"""What does not stop a walk: pages that hang, sessions that end, budgets, policies, bugs that hide.

Each test is a small maze (`toy.py`) and what the walk makes of it.
"""

import asyncio
import dataclasses
import itertools
from typing import Any

import msgspec
import pytest

from contract.jobs import Limits
from contract.vocabulary import (
    ActionResult,
    BugKind,
    FailureReason,
    Outcome,
)
from tests.workers.browser.mazes import (
    NESTED_DIALOGS,
    TROUBLE,
)
from tests.workers.browser.outings import outing, walked
from tests.workers.browser.toy import Door, Room, button, link
from workers.browser.brief import Elsewhere
from workers.browser.page_port import Traffic


@pytest.mark.parametrize(
    ("label", "outcome", "kind"),
    [
        ("Hang", Outcome.PAGE_HANG, BugKind.PAGE_HANG),
        ("Crash", Outcome.PAGE_CRASH, BugKind.PAGE_CRASH),
    ],
)
def test_a_page_that_hangs_or_crashes_does_not_end_the_route(
    label: str, outcome: Outcome, kind: BugKind
) -> None:
    found = walked(TROUBLE)

    assert found.of(label).draft.outcome is outcome
    assert kind in {suspect.suspicion.kind for suspect in found.atlas.suspects.values()}
    assert found.labels[-1] == "Dark mode"


def test_a_browser_that_dies_under_a_press_is_replaced_and_the_press_made_again() -> None:
    room = Room(controls=(button("Export"),), doors={"Export": Door(changes=1, kills_browser=1)})

    found = walked({"room": room})

    assert found.toy.log == ["open", "press Export", "open", "press Export"]
    assert found.of("Export").draft.action_result is ActionResult.CONTENT_CHANGED
    assert not found.atlas.suspects


def test_a_control_that_kills_the_browser_twice_is_a_crash_and_is_left_behind() -> None:
    room = Room(
        controls=(button("Explode"), button("Stay")),
        doors={"Explode": Door(kills_browser=99), "Stay": Door(changes=1)},
    )

    found = walked({"room": room})

    assert found.of("Explode").draft.outcome is Outcome.PAGE_CRASH
    assert found.of("Stay").draft.action_result is ActionResult.CONTENT_CHANGED


def test_a_press_that_cost_the_session_is_made_again_and_is_no_bug() -> None:
    room = Room(
        controls=(button("Unlucky"), button("Next door")),
        doors={
            "Unlucky": Door(changes=1, ends_session=1),
            "Next door": Door(changes=1),
        },
    )

    found = walked({"room": room})

    assert found.toy.log == ["open", "press Unlucky", "open", "press Unlucky", "press Next door"]
    assert found.of("Unlucky").draft.action_result is ActionResult.CONTENT_CHANGED
    assert not found.atlas.suspects


def test_a_control_that_costs_the_session_each_time_is_given_up() -> None:
    room = Room(
        controls=(button("Expire"), button("Stay")),
        doors={"Expire": Door(ends_session=99), "Stay": Door(changes=1)},
    )

    found = walked({"room": room})

    assert found.of("Expire").draft.outcome is Outcome.AUTH_LOST
    assert found.toy.log.count("press Expire") == 2
    assert found.of("Stay").draft.action_result is ActionResult.CONTENT_CHANGED


def test_a_route_that_hangs_while_it_loads_is_tried_in_fresh_contexts_and_fails() -> None:
    found = outing({"room": Room(hangs=True)})

    with pytest.raises(Elsewhere) as trouble:
        asyncio.run(found.walk.explore())

    assert trouble.value.reason is FailureReason.CRASHED
    assert found.toy.log.count("fresh context") == 3


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("ERR_CONNECTION_REFUSED", FailureReason.APP_UNREACHABLE),
        ("timeout", FailureReason.TIMEOUT),
    ],
)
def test_an_app_that_does_not_answer_is_no_bug_of_the_route(
    word: str, reason: FailureReason
) -> None:
    found = outing({"room": Room(unreachable=word)})

    with pytest.raises(Elsewhere) as trouble:
        asyncio.run(found.walk.explore())

    assert trouble.value.reason is reason
    assert not found.journal.batches


# Limits


def test_what_the_budget_of_actions_left_over_is_written_down_as_skipped() -> None:
    found = walked(NESTED_DIALOGS, limits=Limits(actions=2))

    left = [tried.draft for tried in found.tried if tried.draft.outcome is Outcome.BUDGET]
    assert [draft.label for draft in left] == ["First", "Help", "Refresh"]
    assert {draft.action_result for draft in left} == {ActionResult.SKIPPED}
    assert {draft.note for draft in left} == {"not tried: the budget of 2 actions ended"}


def test_what_the_budget_of_seconds_left_over_is_written_down_as_skipped() -> None:
    ticks = itertools.count()

    found = walked(NESTED_DIALOGS, limits=Limits(seconds=3.0), clock=lambda: float(next(ticks)))

    assert [tried.draft.outcome for tried in found.tried] == [None, None] + [Outcome.BUDGET] * 3


def test_a_state_deeper_than_the_limit_is_seen_but_not_entered() -> None:
    found = walked(NESTED_DIALOGS, limits=Limits(depth=1))

    assert found.labels == ["Create", "Choose", "Help", "Refresh"]
    assert found.of("Choose").draft.leads_to is not None


def test_of_states_at_one_address_no_more_than_the_limit_are_entered() -> None:
    found = walked(NESTED_DIALOGS, limits=Limits(states_per_template=2))

    assert found.labels == ["Create", "Choose", "Help", "Refresh"]


def test_a_walk_that_is_asked_to_stop_ends_between_two_actions_and_skips_nothing() -> None:
    asked = iter([False, False, True])

    found = walked(NESTED_DIALOGS, stop=lambda: next(asked))

    assert found.walk.stopped
    assert found.labels == ["Create", "Choose"]


# What is left alone


def test_a_control_of_the_site_that_another_route_explored_is_only_mentioned() -> None:
    room = Room(
        controls=(button("Search", site="header"), button("Own")), doors={"Own": Door(changes=1)}
    )

    found = walked({"room": room}, shared={"Search": "/orders", "Own": "/orders"})

    shared = found.of("Search").draft
    assert (shared.action_result, shared.outcome) == (ActionResult.SKIPPED, Outcome.SHARED)
    assert shared.note == "shared with /orders"
    assert found.toy.log == ["open", "press Own"]


@pytest.mark.parametrize(
    ("control", "outcome"),
    [
        (button("Delete"), Outcome.POLICY),
        (button("Log out"), Outcome.POLICY),
        (
            msgspec.structs.replace(link("Docs", ""), href="https://docs.test/"),
            Outcome.EXTERNAL_BLOCKED,
        ),
    ],
    ids=["risky", "log-out", "another origin"],
)
def test_what_the_policy_forbids_is_skipped_and_names_its_rule(
    control: Any, outcome: Outcome
) -> None:
    found = walked({"room": Room(controls=(control,))})

    draft = found.of(control.label).draft
    assert (draft.action_result, draft.outcome) == (ActionResult.SKIPPED, outcome)
    assert draft.note
    assert found.toy.log == ["open"]


# The second look at bugs


def test_a_bug_that_shows_again_in_a_fresh_context_is_confirmed() -> None:
    found = walked(TROUBLE)

    assert set(found.atlas.rewalked) == set(found.atlas.suspects)
    assert set(found.atlas.rewalked.values()) == {True}


def test_a_bug_that_shows_only_once_is_kept_and_said_to_be_unconfirmed() -> None:
    once = Door(changes=1, once=True, traffic=Traffic(console=("a bad moment",)))
    room = Room(controls=(button("Flaky"),), doors={"Flaky": once})

    found = walked({"room": room})

    assert list(found.atlas.rewalked.values()) == [False]
    assert len(found.atlas.suspects) == 1


def test_a_bug_of_the_load_is_looked_for_by_loading_again() -> None:
    room = Room(traffic=Traffic(exceptions=("TypeError: x is not a function",)))

    found = walked({"room": room})

    (suspect,) = found.atlas.suspects.values()
    assert suspect.location == "page load"
    assert list(found.atlas.rewalked.values()) == [True]
    assert found.toy.log == ["open", "fresh context", "open"]


def test_a_bug_deep_inside_is_confirmed_along_its_own_path() -> None:
    maze = dict(NESTED_DIALOGS)
    faulty = Door(changes=1, traffic=Traffic(console=("it broke",)))
    maze["choose"] = dataclasses.replace(maze["choose"], doors={"First": faulty})

    found = walked(maze)

    assert found.toy.log[-5:] == [
        "fresh context",
        "open",
        "press Create",
        "press Choose",
        "press First",
    ]
    assert list(found.atlas.rewalked.values()) == [True]
