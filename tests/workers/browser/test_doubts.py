"""What the walk tries again before it says it: a dialog that nothing closes, and closer looks."""

import msgspec

from contract.vocabulary import BugKind
from tests.workers.browser.outings import Outing, walked
from tests.workers.browser.toy import BASE, Door, Maze, Room
from workers.browser.doubts import outcome
from workers.browser.page_port import Control, Counts, Effect, Sight
from workers.browser.survey import Spot, Survey

OPEN = Control(key="open", label="News")
MORE = Control(key="more", label="Tell me more", dialog="News")
CLOSE = Control(key="close", label="Close", dialog="News")
SEND = Control(key="send", label="Delete", dialog="News")
LEAK = Survey(leaks=(Spot(text="Total: undefined", place="p", locator="p"),))


def held(*controls: Control, escape: str = "", close: Door | None = None) -> Maze:
    """A page whose dialog says more when asked; what closes it is given."""
    doors = {"more": Door(changes=1), "close": close or Door(changes=1)}
    return {
        "page": Room(controls=(OPEN,), doors={"open": Door(to="news", changes=1)}),
        "news": Room(controls=controls, doors=doors, dialogs=("News",), escape=escape),
    }


def kinds(found: Outing) -> list[BugKind]:
    return [suspect.suspicion.kind for suspect in found.atlas.suspects.values()]


def test_a_dialog_that_nothing_closes_is_a_bug_of_what_opened_it() -> None:
    found = walked(held(MORE, CLOSE))

    assert kinds(found) == [BugKind.DIALOG_CANNOT_CLOSE]
    (suspect,) = found.atlas.suspects.values()
    assert [step.label for step in suspect.path] == ["News"]
    assert found.atlas.rewalked == {suspect.suspicion.signature: True}


def test_a_dialog_that_escape_closes_is_none() -> None:
    assert kinds(walked(held(MORE, escape="page"))) == []


def test_a_dialog_that_its_button_closes_is_none() -> None:
    assert kinds(walked(held(MORE, CLOSE, close=Door(to="page", changes=1)))) == []


def test_a_dialog_with_a_control_that_we_may_not_press_is_none() -> None:
    assert kinds(walked(held(MORE, SEND))) == []


def test_every_new_state_is_looked_at_and_what_is_found_is_looked_at_again() -> None:
    maze: Maze = {
        "page": Room(controls=(OPEN,), doors={"open": Door(to="news", changes=1)}),
        "news": Room(controls=(MORE,), doors={"more": Door(changes=1)}, survey=LEAK),
    }

    found = walked(maze)

    (suspect,) = found.atlas.suspects.values()
    assert suspect.suspicion.kind is BugKind.TEXT_LEAK
    assert [step.label for step in suspect.path] == ["News"]
    assert found.atlas.rewalked == {suspect.suspicion.signature: True}


def test_a_known_state_is_not_looked_at_again() -> None:
    maze: Maze = {
        "page": Room(
            controls=(OPEN, MORE),
            doors={"open": Door(to="news", changes=1), "more": Door(to="news", changes=1)},
            survey=LEAK,
        ),
        "news": Room(escape="page"),
    }

    found = walked(maze)

    assert found.toy.looks == 3  # both rooms, and the page once more for its bug


def test_a_press_that_only_scrolls_now_and_then_is_taken_for_silent() -> None:
    still = Sight(document="d", url=BASE, title="", state="s")
    scrolled = msgspec.structs.replace(still, counts=Counts(scroll=1))
    outcomes = {outcome(Effect(before=still, after=after), OPEN) for after in (still, scrolled)}

    assert outcomes == {"no_response"}
