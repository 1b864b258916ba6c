"""The report of a route as others read it: the order of its keys, and the order of its nodes."""

import json

from contract import wire
from contract.action_tree import ActionTree, Bug, Step, walk
from contract.vocabulary import BugKind, BugSource, Outcome, Severity
from tests.contract.samples import node, report


def keys(value: object) -> list[str]:
    return list(json.loads(wire.pretty(value)))


def test_the_keys_of_a_report_stand_in_the_documented_order() -> None:
    assert keys(report()) == [
        "route",
        "tested_at",
        "status",
        "page_info",
        "action_tree",
        "bugs",
        "console_errors",
        "summary",
    ]


def test_the_keys_of_page_info_stand_in_the_documented_order() -> None:
    assert keys(report().page_info) == [
        "title",
        "has_table",
        "row_count",
        "column_headers",
        "tabs",
        "console_errors",
    ]


def test_the_tree_always_has_its_four_areas_and_then_the_rest() -> None:
    assert keys(ActionTree()) == [
        "toolbar",
        "row_actions",
        "detail_header_actions",
        "detail_tabs",
        "other",
    ]


def test_the_keys_of_a_node_begin_with_the_documented_ones() -> None:
    plain = keys(node("Create"))
    noted = keys(node("Create", note="shared with /orders"))

    assert plain[:6] == ["label", "type", "state", "action_result", "screenshot", "children"]
    assert noted[:7] == [
        "label",
        "type",
        "state",
        "action_result",
        "screenshot",
        "note",
        "children",
    ]


def test_what_a_node_does_not_have_is_left_out_of_its_file() -> None:
    assert not {"note", "outcome", "error", "leads_to", "same_as"} & set(keys(node("Create")))


def test_what_every_node_has_is_written_even_when_it_is_empty() -> None:
    assert {"children", "locator", "path", "duration_ms", "key", "in_state"} <= set(
        keys(node("Create"))
    )


def test_the_keys_of_a_bug_stand_in_the_documented_order() -> None:
    bug = Bug(
        id="BUG-orders-M1",
        severity=Severity.MAJOR,
        kind=BugKind.DEAD_CONTROL,
        description="Pressing “Save” does nothing",
        location="toolbar: Save",
        expected="The page responds",
        actual="Nothing moved",
        screenshot="01-page-load.png",
        path=(Step(action="press", label="Save"),),
        confirmed=None,
        source=BugSource.TESTER,
    )

    assert keys(bug) == [
        "id",
        "severity",
        "kind",
        "description",
        "location",
        "expected",
        "actual",
        "screenshot",
        "path",
        "confirmed",
        "source",
    ]


def test_times_are_utc_and_end_in_z() -> None:
    assert json.loads(wire.pretty(report()))["tested_at"] == "2026-11-30T12:00:00Z"


def test_walking_a_tree_gives_parents_before_children_and_areas_in_file_order() -> None:
    tree = ActionTree(
        other=(node("Footer"),),
        toolbar=(node("Create", node("Name"), node("Save", node("Yes"))), node("Export")),
        row_actions=(node("Edit"),),
    )

    labels = [found.label for found in walk(tree)]

    assert labels == ["Create", "Name", "Save", "Yes", "Export", "Edit", "Footer"]


def test_an_empty_tree_has_no_nodes() -> None:
    assert walk(ActionTree()) == []


def test_a_tree_of_a_thousand_levels_is_walked_without_recursion() -> None:
    deep = node("leaf")
    for number in range(1000):
        deep = node(f"level {number}", deep)

    assert len(walk(ActionTree(other=(deep,)))) == 1001


def test_an_outcome_is_written_by_its_name() -> None:
    assert json.loads(wire.dumps({"outcome": Outcome.ALREADY_SELECTED})) == {
        "outcome": "already_selected"
    }
