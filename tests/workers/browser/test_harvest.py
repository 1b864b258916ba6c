"""From the atlas to the files of a route: names of pictures, ids of bugs, one sentence."""

import dataclasses

import msgspec
import pytest

from contract.action_tree import ActionTree, walk
from contract.jobs import Limits
from contract.vocabulary import Area, NodeType, RouteStatus
from tests.contract.samples import NOON
from tests.workers.browser.mazes import ALL, NESTED_DIALOGS, TROUBLE, WIZARD
from tests.workers.browser.outings import walked
from tests.workers.browser.toy import Door, Maze, Room, button, link
from workers.browser.atlas import Atlas
from workers.browser.harvest import FINAL_STATE, PAGE_LOAD, Album, Harvest, gather, words
from workers.browser.page_port import Control, Health, Traffic


def harvested(maze: Maze, *, note: str = "", limits: Limits | None = None) -> Harvest:
    return gather(
        walked(maze, limits=limits).atlas,
        route="/maze",
        slug="maze",
        tested_at=NOON,
        final_shot="picture at the end",
        note=note,
    )


def names_of(harvest: Harvest) -> dict[str, str]:
    """Label to picture, for each node."""
    return {node.label: node.screenshot for node in walk(harvest.report.action_tree)}


def opening(control: Control, **door: object) -> Maze:
    """A page with one control that leads to a room of its own."""
    leads = Door(to="inner", **door)  # type: ignore[arg-type]
    return {
        "room": Room(controls=(control,), doors={control.key: leads}),
        "inner": Room(dialogs=("inner",), escape="room"),
    }


@pytest.mark.parametrize(
    ("area", "name"),
    [
        (Area.TOOLBAR, "02-toolbar-create-result.png"),
        (Area.ROW_ACTIONS, "03-row-action-create-result.png"),
        (Area.DETAIL_HEADER, "05-detail-header-create-result.png"),
        (Area.DETAIL_TABS, "06-detail-tab-create-result.png"),
        (Area.OTHER, "09-other-create-result.png"),
    ],
)
def test_a_picture_is_named_by_its_area_and_what_was_pressed(area: Area, name: str) -> None:
    harvest = harvested(opening(button("Create", area=area)))

    assert names_of(harvest) == {"Create": name}


def test_what_is_nested_is_named_by_the_chain_that_leads_there() -> None:
    names = names_of(harvested(NESTED_DIALOGS))

    assert names["Create"] == "09-other-create-result.png"
    assert names["Choose"] == "08-nested-create-choose-result.png"


def test_a_row_that_opens_a_page_is_named_for_the_page_that_loads() -> None:
    row = msgspec.structs.replace(link("Order 17", "/maze/17"), area=Area.ROW_ACTIONS)
    maze: Maze = {
        "list": Room(controls=(row,), doors={"Order 17": Door(to="detail", loads=True)}),
        "detail": Room(url="/maze/17"),
    }

    assert names_of(harvested(maze)) == {"Order 17": "04-detail-load-order-17-result.png"}


def test_a_step_of_a_wizard_is_numbered() -> None:
    steps = [
        node.screenshot
        for node in walk(harvested(WIZARD).report.action_tree)
        if node.type is NodeType.WIZARD_STEP
    ]

    assert [name.removesuffix(".png").rpartition("-")[2] for name in steps] == ["step1", "step2"]


def test_the_steps_of_a_wizard_that_is_a_page_are_numbered_alike() -> None:
    rooms: Maze = {
        f"step {n}": Room(
            controls=(button("Next", scope=f"step {n}", in_form=True),),
            doors={"Next": Door(to=f"step {n + 1}" if n < 3 else "")},
        )
        for n in (1, 2, 3)
    }

    pictures = [n.screenshot for n in walk(harvested(rooms).report.action_tree) if n.leads_to]

    assert pictures == ["09-other-next-step1.png", "08-nested-next-next-step2.png"]


def test_an_error_and_a_disabled_control_are_named_for_it() -> None:
    room = Room(
        controls=(button("Covered"), button("Locked", disabled=True)),
        doors={"Covered": Door(covered_by="div")},
    )

    names = names_of(harvested({"room": room}))

    assert names == {
        "Covered": "09-other-covered-error.png",
        "Locked": "09-other-locked-disabled.png",
    }


def test_a_node_without_a_picture_of_its_own_names_that_of_its_state() -> None:
    names = names_of(harvested(NESTED_DIALOGS))

    assert names["Refresh"] == PAGE_LOAD
    assert names["Help"] == names["Create"]
    assert names["First"] == names["Choose"]


def test_two_controls_with_one_name_get_two_pictures() -> None:
    controls = (button("Edit"), button("Edit!"), button("edit?"))
    room = Room(controls=controls, doors={c.key: Door(covered_by="div") for c in controls})
    maze = {"room": dataclasses.replace(room)}
    atlas = walked(maze).atlas
    tried = atlas.tried[next(iter(atlas.states))]
    for number, entry in enumerate(tried):
        tried[number] = msgspec.structs.replace(entry, shot=f"picture {number}")

    found = gather(atlas, route="/maze", slug="maze", tested_at=NOON, final_shot="end")

    assert list(names_of(found).values()) == [
        "09-other-edit-error.png",
        "09-other-edit-error-2.png",
        "09-other-edit-error-3.png",
    ]


def test_an_album_gives_no_name_twice() -> None:
    album = Album()

    names = [album.add("02-toolbar-save", blob) for blob in ("a", "b", "c")]

    assert names == ["02-toolbar-save.png", "02-toolbar-save-2.png", "02-toolbar-save-3.png"]
    assert album.names == dict(zip(names, "abc", strict=True))


@pytest.mark.parametrize("name", ALL)
def test_every_picture_is_named_and_every_name_has_a_picture(name: str) -> None:
    harvest = harvested(ALL[name])

    pictures = {shot.name for shot in harvest.screenshots}
    named = {node.screenshot for node in walk(harvest.report.action_tree)}
    named |= {bug.screenshot for bug in harvest.report.bugs} | {PAGE_LOAD, FINAL_STATE}
    assert pictures == named


@pytest.mark.parametrize("name", ALL)
def test_two_walks_that_found_the_same_write_the_same(name: str) -> None:
    assert harvested(ALL[name]) == harvested(ALL[name])


def test_a_browser_that_gave_no_last_picture_leaves_that_of_the_load() -> None:
    atlas = walked(NESTED_DIALOGS).atlas

    found = gather(atlas, route="/maze", slug="maze", tested_at=NOON, final_shot="")

    shots = {shot.name: shot.blob for shot in found.screenshots}
    assert shots[FINAL_STATE] == shots[PAGE_LOAD]


@pytest.mark.parametrize(
    ("label", "slug"),
    [
        ("Export CSV", "export-csv"),
        ("  Save & close… ", "save-close"),
        ("Löschen", "l-schen"),
        ("删除", "control"),
        ("", "control"),
        ("x" * 60, "x" * 40),
    ],
)
def test_a_label_becomes_words_of_a_file_name(label: str, slug: str) -> None:
    assert words(label) == slug


def test_nodes_stand_under_their_area_with_what_they_opened_below_them() -> None:
    tree = harvested(NESTED_DIALOGS).report.action_tree

    labels = [(node.label, [child.label for child in node.children]) for node in tree.other]
    assert labels == [("Create", ["Choose", "Help"]), ("Refresh", [])]
    assert tree.toolbar == ()


def test_bugs_are_numbered_by_severity_the_worst_first() -> None:
    bugs = harvested(TROUBLE).report.bugs

    assert [(bug.id, bug.kind.value) for bug in bugs] == [
        ("BUG-maze-C1", "page_hang"),
        ("BUG-maze-C2", "page_crash"),
        ("BUG-maze-M1", "dead_control"),
        ("BUG-maze-m1", "console_error"),
    ]


def test_a_bug_knows_its_steps_and_whether_it_showed_again() -> None:
    hang = harvested(TROUBLE).report.bugs[0]

    assert [step.label for step in hang.path] == ["Hang"]
    assert hang.confirmed is True
    assert hang.location == "other: Hang"


@pytest.mark.parametrize(
    ("maze", "limits", "status"),
    [
        (NESTED_DIALOGS, Limits(), RouteStatus.PASS),
        (TROUBLE, Limits(), RouteStatus.PARTIAL),
        (NESTED_DIALOGS, Limits(actions=1), RouteStatus.PARTIAL),
    ],
    ids=["all tried, no bug", "bugs", "budget over"],
)
def test_a_route_passes_when_all_was_tried_and_nothing_is_wrong(
    maze: Maze, limits: Limits, status: RouteStatus
) -> None:
    assert harvested(maze, limits=limits).report.status is status


def test_a_route_that_was_never_seen_fails() -> None:
    found = gather(Atlas(), route="/maze", slug="maze", tested_at=NOON, final_shot="")

    assert found.report.status is RouteStatus.FAIL
    assert found.report.action_tree == ActionTree()
    assert found.screenshots == ()


def test_the_summary_counts_what_was_found() -> None:
    assert harvested(NESTED_DIALOGS).report.summary == (
        "5 controls, 5 used, 0 skipped, 3 states; no bugs"
    )
    assert harvested(NESTED_DIALOGS, note="the route leads to /home").report.summary.endswith(
        "; the route leads to /home"
    )


def test_errors_of_the_load_stand_in_page_info_and_all_errors_in_the_report() -> None:
    room = Room(
        controls=(button("Break"),),
        doors={"Break": Door(changes=1, traffic=Traffic(console=("on press",)))},
        traffic=Traffic(console=("on load",)),
    )

    report = harvested({"room": room}).report

    assert report.page_info.console_errors == ("on load",)
    assert report.console_errors == ("on load", "on press")


def test_page_info_is_that_of_the_first_state() -> None:
    atlas = walked({"room": Room()}).atlas
    root = atlas.root
    assert root is not None
    seen = Health(has_table=True, row_count=5, column_headers=("Name",), tabs=("A", "B"))
    atlas.states[root.state] = msgspec.structs.replace(root, title="Orders", health=seen)

    info = gather(atlas, route="/m", slug="m", tested_at=NOON, final_shot="").report.page_info

    assert (info.title, info.has_table, info.row_count) == ("Orders", True, 5)
    assert (info.column_headers, info.tabs) == (("Name",), ("A", "B"))
