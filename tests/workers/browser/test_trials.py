"""Forms are sent with nothing and with what is wrong, once each, where they may be sent at all."""

from collections.abc import Iterator

import pytest

from contract.action_tree import Node, RouteReport, walk
from contract.jobs import Safety
from contract.vocabulary import ActionResult, BugKind, Outcome, Policy
from examples import practice
from tests.support.explorer import Explorer
from tests.workers.browser.outings import walked
from tests.workers.browser.toy import Door, Maze, Room, button, text_field

SAFE = Safety(policy=Policy.SAFE)
FORM: Maze = {
    "form": Room(
        controls=(
            text_field("Anything", in_form=True),
            button("Save", in_form=True, submits=True),
            button("Delete all", in_form=True, submits=True),
        ),
        doors={"Save": Door(changes=1), "Delete all": Door(changes=1)},
    )
}


@pytest.fixture(scope="module")
def report(explorer: Explorer) -> Iterator[RouteReport]:
    with practice.serve() as site:
        yield explorer.explore(site.url, "/form-passes", safety=SAFE)


def nodes(report: RouteReport, label: str) -> list[Node]:
    return [node for node in walk(report.action_tree) if node.label == label]


def notes(report: RouteReport, label: str) -> list[str | None]:
    return [node.note for node in nodes(report, label)]


def test_a_form_that_refuses_with_an_answer_is_said_to(report: RouteReport) -> None:
    assert notes(report, "Save strictly")[1:] == [
        "empty pass: refused with 422",
        "invalid pass: refused with 422",
    ]


def test_a_form_that_takes_anything_is_worth_a_note_and_no_bug(report: RouteReport) -> None:
    assert notes(report, "Save carelessly")[1:] == [
        "empty pass: taken without validation",
        "invalid pass: taken without validation",
    ]
    assert not [bug for bug in report.bugs if "carelessly" in bug.location]


def test_a_form_that_breaks_is_a_bug(report: RouteReport) -> None:
    (bug,) = report.bugs
    assert bug.kind is BugKind.HTTP_5XX
    assert "Save somehow" in bug.location
    assert bug.confirmed
    assert bug.path[-1].label == "Save somehow"


def test_a_form_that_the_browser_holds_back_shows_its_validation(report: RouteReport) -> None:
    """The valid pass chooses, ticks and keeps the end after the start, so that it is taken."""
    valid, empty = nodes(report, "Book")
    assert valid.action_result is ActionResult.TOAST_NOTIFICATION
    assert empty.outcome is Outcome.VALIDATION_SHOWN


def test_where_nothing_may_be_sent_there_is_one_pass() -> None:
    assert walked(FORM).labels == ["Anything", "Save", "Delete all"]


def test_each_pass_is_tried_once_and_nothing_risky_is_sent_for_a_try() -> None:
    found = walked(FORM, safety=SAFE)

    assert found.labels == ["Anything", "Save", "Delete all", "Save"]
    assert found.tried[-1].draft.note == "empty pass"
    assert found.tried[-1].draft.key == "Save#empty"


def test_a_pass_types_nothing_into_a_password() -> None:
    maze: Maze = {
        "form": Room(
            controls=(
                text_field("Password", in_form=True),
                button("Save", in_form=True, submits=True),
            ),
            doors={"Save": Door(changes=1)},
        )
    }

    found = walked(maze, safety=SAFE)

    assert found.toy.log == ["open", "press Save"]


# What something risky led to


def asking(*labels: str) -> Maze:
    """A list whose Delete opens a dialog that only its own buttons close."""
    return {
        "list": Room(
            controls=(button("Delete"), button("Edit")),
            doors={"Delete": Door(to="sure"), "Edit": Door(changes=1)},
        ),
        "sure": Room(
            controls=tuple(button(label, dialog="Sure?") for label in labels),
            doors={label: Door(to="list") for label in labels},
            dialogs=("Sure?",),
        ),
    }


def test_the_way_back_from_a_question_is_its_no_never_its_ok() -> None:
    found = walked(asking("OK", "Cancel"), safety=SAFE)

    assert "press OK" not in found.toy.log
    assert "press Cancel" in found.toy.log
    assert found.of("OK").draft.note == "safe: “OK” would confirm “Delete”"


def test_a_question_with_only_an_ok_is_left_by_a_fresh_load() -> None:
    found = walked(asking("OK", "Proceed"), safety=SAFE)

    assert not {"press OK", "press Proceed"} & set(found.toy.log)
    assert found.of("Edit").draft.action_result is ActionResult.CONTENT_CHANGED


def test_when_everything_is_allowed_the_question_is_answered() -> None:
    found = walked(asking("OK", "Cancel"), safety=Safety(policy=Policy.FULL))

    assert "press OK" in found.toy.log
