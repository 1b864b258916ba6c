"""The promise of each safety level, kept in a real browser: what of an app's harm was done.

The app (`tests/support/honeypot.py`) writes down all that reached it, by whatever way: documents,
scripts, workers, frames, windows, beacons, pictures, sockets.
"""

import pytest

from contract.action_tree import walk
from contract.jobs import Safety
from contract.vocabulary import Policy
from examples import practice
from tests.support.explorer import Explorer
from tests.support.honeypot import DESTROYS, LEAVES, SAVES, honeypot
from workers.browser.files import offered


def explored(explorer: Explorer, policy: Policy) -> frozenset[str]:
    with honeypot() as app:
        explorer.explore(app.url, "/", safety=Safety(policy=policy))
        return app.reached


def test_read_only_leaves_no_trace(explorer: Explorer) -> None:
    assert explored(explorer, Policy.READ_ONLY) == frozenset()


def test_safe_saves_but_neither_destroys_nor_leaves(explorer: Explorer) -> None:
    reached = explored(explorer, Policy.SAFE)

    assert reached & (DESTROYS | LEAVES) == frozenset()
    assert reached == SAVES


def test_full_does_all_but_leave(explorer: Explorer) -> None:
    reached = explored(explorer, Policy.FULL)

    assert reached & LEAVES == frozenset()
    assert reached == SAVES | DESTROYS


@pytest.mark.parametrize("allowed", ["WS /room", "WS /"])
def test_a_socket_on_the_allow_list_may_be_written_to(explorer: Explorer, allowed: str) -> None:
    with honeypot() as app:
        explorer.explore(app.url, "/", safety=Safety(allow_requests=(allowed,)))
        assert app.reached == {"WS message"}


def test_what_a_native_dialog_asks_is_said_yes_to_once_when_everything_is_allowed(
    explorer: Explorer,
) -> None:
    with practice.serve() as site:
        reports = {
            policy: explorer.explore(site.url, "/native-dialogs", safety=Safety(policy=policy))
            for policy in (Policy.SAFE, Policy.FULL)
        }
    said = {
        policy: {node.label: node.note or "" for node in walk(report.action_tree)}
        for policy, report in reports.items()
    }

    assert said[Policy.SAFE]["Ask"] == "confirm: Close the shop?"
    assert said[Policy.FULL]["Say"] == "alert: Three parcels wait"
    for label in ("Ask", "Question"):
        assert "said yes to at a second visit" in said[Policy.FULL][label]


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        ("", "maze.txt"),
        ("image/*", "maze.png"),
        (".jpg,.png", "maze.png"),
        ("application/pdf", "maze.pdf"),
        (".csv", "maze.csv"),
        ("application/json", "maze.json"),
        ("video/mp4", "maze.txt"),
    ],
)
def test_a_chooser_gets_a_small_file_of_the_kind_that_it_asks_for(accept: str, name: str) -> None:
    file = offered(accept)

    assert file.name == name
    assert 0 < len(file.data) < 1000
