"""What using a control did, told from the page before, the page after and what was heard."""

import msgspec
import pytest

from contract.vocabulary import ActionResult, Outcome
from tests.workers.browser.sights import (
    BASE,
    BUTTON,
    NOTHING,
    after,
    dialog,
    effect,
    flags,
    heard,
    moved,
    note,
    request,
)
from workers.browser.classify import blocked, classify, delta
from workers.browser.page_port import Control, Counts, Effect, Field, Traffic

FIELD = Control(key="name", label="Name", role="textbox", field=Field(kind="text"))
RADIO = Control(key="red", label="Red", role="radio", checked=True)
MENU = Control(key="more", label="More", popup="menu", expanded=False)
HERE = Control(key="here", label="Orders", role="link", tag="a", href=f"{BASE}/orders")
NEW_PAGE = {"document": "document 2", "url": f"{BASE}/users", "state": "users"}


@pytest.mark.parametrize(
    ("what", "control", "result", "outcome"),
    [
        pytest.param(
            effect(None, crashed=True),
            BUTTON,
            ActionResult.ERROR,
            Outcome.PAGE_CRASH,
            id="the page crashed",
        ),
        pytest.param(
            effect(None, hung=True),
            BUTTON,
            ActionResult.ERROR,
            Outcome.PAGE_HANG,
            id="the page hangs",
        ),
        pytest.param(
            effect(covered_by="div.overlay"),
            BUTTON,
            ActionResult.ERROR,
            Outcome.OBSCURED,
            id="something is in front",
        ),
        pytest.param(
            effect(after(notes=(note("confirm", "Really?"),))),
            BUTTON,
            ActionResult.NATIVE_DIALOG,
            None,
            id="confirm()",
        ),
        pytest.param(
            heard(downloads=("orders.csv",)),
            BUTTON,
            ActionResult.DOWNLOAD_STARTED,
            None,
            id="a download",
        ),
        pytest.param(
            heard(popups=("https://help.test/",)),
            BUTTON,
            ActionResult.POPUP_OPENED,
            None,
            id="a window",
        ),
        pytest.param(
            heard(choosers=1),
            BUTTON,
            ActionResult.DIALOG_OPENED,
            Outcome.FILE_CHOOSER,
            id="a file chooser",
        ),
        pytest.param(
            heard(held_leaves=1),
            BUTTON,
            ActionResult.NATIVE_DIALOG,
            Outcome.LEAVE_HELD,
            id="beforeunload",
        ),
        pytest.param(
            effect(after(**NEW_PAGE)),
            BUTTON,
            ActionResult.PAGE_NAVIGATED,
            None,
            id="another page",
        ),
        pytest.param(
            effect(after(url=f"{BASE}/orders/new", state="form")),
            BUTTON,
            ActionResult.PAGE_NAVIGATED,
            None,
            id="another address of a single-page app",
        ),
        pytest.param(
            effect(after(url=f"{BASE}/orders#/archive", state="archive")),
            BUTTON,
            ActionResult.PAGE_NAVIGATED,
            None,
            id="another hash route",
        ),
        pytest.param(
            effect(after(document="document 2")),
            BUTTON,
            ActionResult.PAGE_NAVIGATED,
            Outcome.CURRENT_PAGE,
            id="the same page anew",
        ),
        pytest.param(
            effect(after(url="chrome-error://chromewebdata/", document="chrome-error")),
            BUTTON,
            ActionResult.ERROR,
            None,
            id="a page that gives no answer",
        ),
        pytest.param(
            effect(after(dialogs=(dialog("Create", fields=3, buttons=2),))),
            BUTTON,
            ActionResult.DIALOG_OPENED,
            None,
            id="a dialog",
        ),
        pytest.param(
            effect(after(dialogs=(dialog("Sure?", alert=True, buttons=2),))),
            BUTTON,
            ActionResult.CONFIRMATION_DIALOG,
            None,
            id="an alert dialog",
        ),
        pytest.param(
            effect(after(menus=1)), BUTTON, ActionResult.DROPDOWN_OPENED, None, id="a menu"
        ),
        pytest.param(
            effect(after(flags=flags(expanded=True)), flags=flags(expanded=False)),
            MENU,
            ActionResult.DROPDOWN_OPENED,
            None,
            id="a trigger that says it is expanded",
        ),
        pytest.param(
            effect(after(toasts=("Saved",))),
            BUTTON,
            ActionResult.TOAST_NOTIFICATION,
            None,
            id="a toast",
        ),
        pytest.param(
            heard(blocked=("read-only: POST /orders",)),
            BUTTON,
            ActionResult.SKIPPED,
            Outcome.POLICY,
            id="a write that we refused",
        ),
        pytest.param(
            heard(blocked=("other origin https://docs.test",)),
            BUTTON,
            ActionResult.SKIPPED,
            Outcome.EXTERNAL_BLOCKED,
            id="a page of another origin that we refused",
        ),
        pytest.param(
            effect(after(notes=(note("blocked", "POST /beacon"),))),
            BUTTON,
            ActionResult.SKIPPED,
            Outcome.POLICY,
            id="a write that the kit refused",
        ),
        pytest.param(
            effect(after(invalid=2, counts=Counts(mutations=2))),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.VALIDATION_SHOWN,
            id="fields marked invalid",
        ),
        pytest.param(
            effect(after(flags=flags(checked=True)), flags=flags(checked=False)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.TOGGLED,
            id="a switch",
        ),
        pytest.param(
            effect(after(flags=flags(checked=True)), flags=flags(checked=True)),
            RADIO,
            ActionResult.NO_RESPONSE,
            Outcome.ALREADY_SELECTED,
            id="a radio that was on",
        ),
        pytest.param(
            heard(exceptions=("TypeError: x",)),
            BUTTON,
            ActionResult.ERROR,
            None,
            id="an exception and nothing to see",
        ),
        pytest.param(
            heard(bad_answers=(request("/api/orders", status=500),)),
            BUTTON,
            ActionResult.ERROR,
            None,
            id="a failed request and nothing to see",
        ),
        pytest.param(
            effect(moved(mutations=1), traffic=Traffic(exceptions=("TypeError: x",))),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            None,
            id="an exception and something to see",
        ),
        pytest.param(
            NOTHING, FIELD, ActionResult.CONTENT_CHANGED, Outcome.FILLED, id="a field was filled"
        ),
        pytest.param(
            effect(moved(mutations=1)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            None,
            id="an attribute changed",
        ),
        pytest.param(
            effect(after(state="other")),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            None,
            id="another structure",
        ),
        pytest.param(
            effect(moved(printed=1)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.PRINTED,
            id="print()",
        ),
        pytest.param(
            effect(moved(copied=1)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.COPIED,
            id="the clipboard",
        ),
        pytest.param(
            effect(moved(scroll=1)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.SCROLLED,
            id="the page scrolled",
        ),
        pytest.param(
            effect(moved(focus=1)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.FOCUSED,
            id="the focus moved",
        ),
        pytest.param(
            effect(moved(requests=1)),
            BUTTON,
            ActionResult.CONTENT_CHANGED,
            Outcome.REQUEST_SENT,
            id="a request",
        ),
        pytest.param(
            effect(flags=flags(selected=True)),
            BUTTON,
            ActionResult.NO_RESPONSE,
            Outcome.ALREADY_SELECTED,
            id="a tab that was selected",
        ),
        pytest.param(
            NOTHING,
            HERE,
            ActionResult.NO_RESPONSE,
            Outcome.CURRENT_PAGE,
            id="a link to the current page",
        ),
        pytest.param(NOTHING, BUTTON, ActionResult.NO_RESPONSE, None, id="nothing at all"),
    ],
)
def test_an_effect_has_a_verdict(
    what: Effect, control: Control, result: ActionResult, outcome: Outcome | None
) -> None:
    verdict = classify(what, control)

    assert (verdict.result, verdict.outcome) == (result, outcome)


def test_only_nothing_at_all_asks_for_a_second_look() -> None:
    assert classify(NOTHING, BUTTON).silent
    assert not classify(NOTHING, HERE).silent
    assert not classify(heard(exceptions=("TypeError: x",)), BUTTON).silent


def test_a_link_to_the_top_of_the_page_by_a_lone_hash_may_be_dead() -> None:
    lone_hash = msgspec.structs.replace(HERE, href=f"{BASE}/orders#")

    assert classify(NOTHING, lone_hash).silent


def test_a_toast_that_was_there_before_says_nothing_of_this_action() -> None:
    standing = after(toasts=("Welcome",))
    same = Effect(before=standing, after=standing)

    assert classify(same, BUTTON).result is ActionResult.NO_RESPONSE


def test_an_error_toast_after_a_refused_write_is_our_doing() -> None:
    refused = effect(
        after(toasts=("Could not save",)), traffic=Traffic(blocked=("read-only: POST /orders",))
    )

    assert classify(refused, BUTTON).outcome is Outcome.POLICY


def test_a_counter_counts_from_when_the_kit_was_armed() -> None:
    sight = after(counts=Counts(mutations=7, requests=2), at_arm=Counts(mutations=5, requests=2))

    assert delta(sight) == Counts(mutations=2)


def test_what_the_guard_and_the_kit_refused_is_told_together() -> None:
    refused = effect(
        after(notes=(note("blocked", "POST /beacon"), note("alert", "no"))),
        traffic=Traffic(blocked=("log-out address /logout",)),
    )

    assert blocked(refused) == ("log-out address /logout", "read-only: POST /beacon")
