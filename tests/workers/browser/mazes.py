"""The mazes that several tests walk through, from plain to nasty."""

from tests.workers.browser.toy import (
    Door,
    Maze,
    Room,
    button,
    checkbox,
    link,
    tab,
    text_field,
)
from workers.browser.page_port import Traffic

NESTED_DIALOGS: Maze = {
    "list": Room(
        controls=(button("Create"), button("Refresh")),
        doors={"Create": Door(to="create"), "Refresh": Door(changes=1)},
    ),
    "create": Room(
        controls=(button("Choose", dialog="create"), button("Help", dialog="create")),
        doors={"Choose": Door(to="choose"), "Help": Door(changes=1)},
        dialogs=("create",),
        escape="list",
    ),
    "choose": Room(
        controls=(button("First", dialog="choose"),),
        doors={"First": Door(changes=1)},
        dialogs=("create", "choose"),
        escape="create",
    ),
}

TABS: Maze = {
    name: Room(
        controls=(
            *(tab(label, selected=label == name) for label in ("General", "Access", "Audit")),
            button(f"Edit {name}"),
        ),
        doors={
            **{label: Door(to=label) for label in ("General", "Access", "Audit") if label != name},
            f"Edit {name}": Door(changes=1),
        },
    )
    for name in ("General", "Access", "Audit")
}


def wizard_step(number: int, goes_to: str) -> Room:
    """A step with one field, whose `Next` is enabled once the field is filled."""
    name = f"Answer {number}"
    return Room(
        controls=(
            text_field(name, dialog="wizard", scope=f"step {number}"),
            button("Next", dialog="wizard", scope=f"step {number}", shape="step"),
        ),
        doors={name: Door(), "Next": Door(to=goes_to)},
        needs={"Next": (name,)},
        dialogs=("wizard",),
        escape="start",
    )


WIZARD: Maze = {
    "start": Room(controls=(button("New order"),), doors={"New order": Door(to="step 1")}),
    "step 1": wizard_step(1, "step 2"),
    "step 2": wizard_step(2, "step 3"),
    "step 3": wizard_step(3, "start"),
}

LINKS_OUT: Maze = {
    "list": Room(
        controls=(link("Users", "/users"), link("Item", "/maze/17"), button("Refresh")),
        doors={
            "Users": Door(to="users", loads=True),
            "Item": Door(to="item", loads=True),
            "Refresh": Door(changes=1),
        },
    ),
    "users": Room(url="/users", controls=(button("Not ours"),)),
    "item": Room(url="/maze/17", controls=(button("Edit"),), doors={"Edit": Door(changes=1)}),
}

TROUBLE: Maze = {
    "panel": Room(
        controls=(
            button("Dead"),
            button("Hang"),
            button("Crash"),
            button("Gone"),
            checkbox("Dark mode"),
            button("Good"),
        ),
        doors={
            "Hang": Door(hangs=True),
            "Crash": Door(crashes=True),
            "Gone": Door(missing=True),
            "Dark mode": Door(flips=True, changes=1),
            "Good": Door(changes=1, traffic=Traffic(console=("it is not all good",))),
        },
    ),
}

MENU: Maze = {
    "closed": Room(
        controls=(button("More", popup="menu", expanded=False), button("Other")),
        doors={"More": Door(to="open"), "Other": Door(changes=1)},
    ),
    "open": Room(
        controls=(
            button("More", popup="menu", expanded=True),
            button("Copy", role="menuitem", menu=True),
            button("Move", role="menuitem", menu=True),
        ),
        doors={
            "More": Door(to="closed"),
            "Copy": Door(to="closed", changes=1),
            "Move": Door(to="closed", changes=1),
        },
        menus=1,
        escape="closed",
    ),
}

ALL: dict[str, Maze] = {
    "nested dialogs": NESTED_DIALOGS,
    "tabs": TABS,
    "wizard": WIZARD,
    "links out": LINKS_OUT,
    "trouble": TROUBLE,
    "menu": MENU,
}
