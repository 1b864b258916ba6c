"""What is a bug and what is not: each detector with a planted case and its clean twin."""

from collections.abc import Iterator

import msgspec
import pytest

from contract.vocabulary import ActionResult, BugKind, Outcome, Severity
from tests.workers.browser.sights import (
    BASE,
    BEFORE,
    BUTTON,
    NOTHING,
    after,
    dialog,
    effect,
    heard,
    moved,
    note,
    request,
)
from workers.browser.classify import Verdict, classify
from workers.browser.detect import DETECTORS, suspicions
from workers.browser.detect.case import Case
from workers.browser.page_port import Control, Counts, Effect, Health, Traffic

DEAD = Verdict(ActionResult.NO_RESPONSE, silent=True)
NEW_DOCUMENT = {"document": "document 2"}


def pressed(
    what: Effect, control: Control = BUTTON, verdict: Verdict | None = None, **more: object
) -> Case:
    """A case of using a control."""
    verdict = verdict or classify(what, control)
    return Case(effect=what, base_url=BASE, control=control, verdict=verdict, **more)  # type: ignore[arg-type]


def loaded(what: Effect, **more: object) -> Case:
    """A case of loading the page."""
    return Case(effect=what, base_url=BASE, **more)  # type: ignore[arg-type]


def kinds(case: Case) -> set[BugKind]:
    return {found.kind for found in suspicions(case)}


PLANTED: dict[BugKind, Case] = {
    BugKind.PAGE_CRASH: pressed(effect(None, crashed=True)),
    BugKind.PAGE_HANG: pressed(effect(None, hung=True)),
    BugKind.BLANK_PAGE: loaded(effect(after(health=Health(blank=True)))),
    BugKind.ERROR_PAGE: loaded(effect(traffic=Traffic(document_status=404))),
    BugKind.PAGE_ERROR: pressed(heard(exceptions=("TypeError: x is undefined\n at a.js",))),
    BugKind.UNHANDLED_REJECTION: pressed(heard(rejections=("Error: refused",))),
    BugKind.HTTP_5XX: pressed(heard(bad_answers=(request("/api/orders", status=503),))),
    BugKind.HTTP_4XX: pressed(heard(bad_answers=(request("/api/orders", status=404),))),
    BugKind.REQUEST_FAILED: pressed(heard(failed=(request("/api", error="net::ERR_RESET"),))),
    BugKind.CONSOLE_ERROR: pressed(heard(console=("could not load orders",))),
    BugKind.DEAD_CONTROL: pressed(NOTHING, verdict=DEAD),
    BugKind.BROKEN_IMAGE: loaded(
        effect(after(health=Health(broken_images=(f"{BASE}/img/logo.png",))))
    ),
}

TWINS: dict[str, Case] = {
    "a page that goes on": pressed(effect(moved(mutations=1))),
    "a page with content": loaded(effect(after(health=Health(heading="Orders")))),
    "a page that was found": loaded(effect(traffic=Traffic(document_status=200))),
    "a page that asks for a login": loaded(effect(traffic=Traffic(document_status=401))),
    "an error heading that was there before the press": pressed(
        effect(after(health=Health(heading="Something went wrong"), counts=Counts(mutations=1)))
    ),
    "an answer of another host": pressed(
        effect(
            moved(mutations=1),
            traffic=Traffic(
                bad_answers=(
                    request("https://cdn.test/x", status=500),
                    request("https://cdn.test/y", status=404),
                ),
                failed=(request("https://cdn.test/z", error="net::ERR_RESET"),),
            ),
        )
    ),
    "a request that the session refuses": pressed(
        effect(
            moved(mutations=1),
            traffic=Traffic(
                bad_answers=(request("/api/a", status=401), request("/api/b", status=403))
            ),
        )
    ),
    "a missing page, which is the error page's business": pressed(
        effect(
            after(**NEW_DOCUMENT),
            traffic=Traffic(bad_answers=(request("/x", status=401, resource="Document"),)),
        )
    ),
    "a refusal that the page explains in a toast": pressed(
        effect(
            after(toasts=("No such order",)),
            traffic=Traffic(bad_answers=(request("/api/orders/9", status=404),)),
        )
    ),
    "a refusal that the page explains in a dialog": pressed(
        effect(
            after(dialogs=(dialog("Not found"),)),
            traffic=Traffic(bad_answers=(request("/api/orders/9", status=404),)),
        )
    ),
    "a refusal that marks a field": pressed(
        effect(
            after(invalid=1, counts=Counts(mutations=1)),
            traffic=Traffic(bad_answers=(request("/api/orders", status=422),)),
        )
    ),
    "a control that responds": pressed(effect(moved(mutations=1))),
    "a tab that was selected already": pressed(
        NOTHING, verdict=Verdict(ActionResult.NO_RESPONSE, Outcome.ALREADY_SELECTED)
    ),
    "a thing with a pointer cursor that does nothing": pressed(
        NOTHING, control=msgspec.structs.replace(BUTTON, sign="pointer"), verdict=DEAD
    ),
    "a broken picture of another host": loaded(
        effect(after(health=Health(broken_images=("https://cdn.test/logo.png",))))
    ),
    "a broken picture that was there before the press": pressed(
        Effect(
            before=after(health=Health(broken_images=(f"{BASE}/img/logo.png",))),
            after=after(
                health=Health(broken_images=(f"{BASE}/img/logo.png",)), counts=Counts(mutations=1)
            ),
        )
    ),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_bug_is_found_and_no_other(kind: BugKind) -> None:
    assert kinds(PLANTED[kind]) == {kind}


@pytest.mark.parametrize("name", TWINS)
def test_its_clean_twin_is_no_bug(name: str) -> None:
    assert kinds(TWINS[name]) == set()


def test_every_kind_of_bug_has_a_detector() -> None:
    assert len(DETECTORS) == len(BugKind)


def test_a_broken_picture_that_a_press_brings_is_a_bug_of_that_press() -> None:
    case = pressed(
        effect(
            after(
                health=Health(broken_images=(f"{BASE}/img/logo.png",)), counts=Counts(mutations=1)
            )
        )
    )

    assert kinds(case) == {BugKind.BROKEN_IMAGE}


def loud(**more: object) -> Traffic:
    """A page that complains about everything that it has."""
    return msgspec.convert(
        {
            "exceptions": ["TypeError: x"],
            "rejections": ["Error: refused"],
            "console": ["request failed"],
            "bad_answers": [msgspec.to_builtins(request("/api/orders", status=403))],
            **more,
        },
        Traffic,
    )


def test_what_follows_from_a_request_that_we_refused_is_not_the_apps_bug() -> None:
    refused = effect(moved(mutations=1), traffic=loud(blocked=["read-only: POST /orders"]))

    assert kinds(pressed(refused)) == set()


def test_what_follows_from_a_write_that_the_kit_refused_is_not_the_apps_bug() -> None:
    refused = effect(
        after(notes=(note("blocked", "POST /beacon"),), counts=Counts(mutations=1)),
        traffic=loud(),
    )

    assert kinds(pressed(refused)) == set()


def test_a_blank_or_failing_page_after_a_refused_request_is_not_the_apps_bug() -> None:
    refused = effect(
        after(health=Health(blank=True, heading="Something went wrong"), **NEW_DOCUMENT),
        traffic=Traffic(blocked=("read-only: GET /x",), document_status=500),
    )

    assert kinds(pressed(refused)) == set()


def test_a_control_whose_only_effect_was_refused_is_not_dead() -> None:
    refused = heard(blocked=("read-only: POST /orders",))

    assert kinds(pressed(refused)) == set()


def test_errors_of_a_page_that_lacks_an_unreachable_hosts_script_are_the_environments() -> None:
    cut_off = effect(moved(mutations=1), traffic=loud(environment=["https://cdn.test"]))

    assert kinds(pressed(cut_off)) == set()


def test_a_failing_server_is_a_bug_even_where_a_foreign_script_is_missing() -> None:
    cut_off = heard(
        environment=("https://cdn.test",), bad_answers=(request("/api/orders", status=500),)
    )

    assert kinds(pressed(cut_off)) == {BugKind.HTTP_5XX}


@pytest.mark.parametrize(
    "case",
    [
        loaded(heard(console=("known noise: beta",)), noise=(r"known noise",)),
        loaded(heard(exceptions=("known noise",)), noise=(r"known noise",)),
        loaded(heard(rejections=("known noise",)), noise=(r"known noise",)),
        loaded(heard(bad_answers=(request("/telemetry", status=500),)), noise=(r"/telemetry",)),
        loaded(heard(bad_answers=(request("/telemetry", status=404),)), noise=(r"/telemetry",)),
        loaded(heard(failed=(request("/telemetry", error="net::X"),)), noise=(r"/telemetry",)),
        loaded(
            effect(after(health=Health(broken_images=(f"{BASE}/ad.png",)))), noise=(r"ad\.png",)
        ),
    ],
    ids=["console", "exception", "rejection", "5xx", "4xx", "failed", "picture"],
)
def test_what_the_user_calls_noise_is_no_bug(case: Case) -> None:
    assert kinds(case) == set()


@pytest.mark.parametrize(
    ("case", "severity"),
    [
        (PLANTED[BugKind.PAGE_CRASH], Severity.CRITICAL),
        (PLANTED[BugKind.PAGE_HANG], Severity.CRITICAL),
        (PLANTED[BugKind.BLANK_PAGE], Severity.CRITICAL),
        (PLANTED[BugKind.DEAD_CONTROL], Severity.MAJOR),
        (PLANTED[BugKind.CONSOLE_ERROR], Severity.MINOR),
        (PLANTED[BugKind.BROKEN_IMAGE], Severity.MINOR),
        (loaded(effect(traffic=Traffic(document_status=500))), Severity.CRITICAL),
        (loaded(effect(traffic=Traffic(document_status=404))), Severity.MAJOR),
        (
            loaded(heard(bad_answers=(request("/a.css", status=404, resource="Stylesheet"),))),
            Severity.MAJOR,
        ),
        (
            loaded(heard(failed=(request("/f.woff", error="net::X", resource="Font"),))),
            Severity.MINOR,
        ),
    ],
)
def test_a_bug_is_as_severe_as_what_it_takes_from_the_user(case: Case, severity: Severity) -> None:
    assert {found.severity for found in suspicions(case)} == {severity}


@pytest.mark.parametrize(
    "heading",
    ["Internal Server Error", "502 Bad Gateway", "Page not found", "Whoops!", "404", "Not Found"],
)
def test_an_error_page_with_a_cheerful_status_is_known_by_its_heading(heading: str) -> None:
    case = loaded(
        effect(after(health=Health(heading=heading)), traffic=Traffic(document_status=200))
    )

    assert kinds(case) == {BugKind.ERROR_PAGE}


@pytest.mark.parametrize("heading", ["Orders not found yet? Create one", "4040 items", "Errors"])
def test_a_heading_that_only_sounds_like_an_error_is_no_error_page(heading: str) -> None:
    case = loaded(effect(after(health=Health(heading=heading))))

    assert kinds(case) == set()


def same_bug(first: Case, second: Case) -> bool:
    def signatures(case: Case) -> Iterator[str]:
        return (found.signature for found in suspicions(case))

    return list(signatures(first)) == list(signatures(second))


def test_errors_that_differ_in_numbers_alone_are_one_bug() -> None:
    first = pressed(heard(exceptions=("Error: order 17 is gone",)))
    second = pressed(heard(exceptions=("Error: order 4711 is gone",)))
    other = pressed(heard(exceptions=("Error: user is gone",)))

    assert same_bug(first, second)
    assert not same_bug(first, other)


def test_failing_requests_for_two_items_are_one_bug_and_two_endpoints_are_two() -> None:
    first = pressed(heard(bad_answers=(request("/api/orders/17?t=a", status=500),)))
    second = pressed(heard(bad_answers=(request("/api/orders/18?t=b", status=500),)))
    other = pressed(heard(bad_answers=(request("/api/users/17", status=500),)))

    assert same_bug(first, second)
    assert not same_bug(first, other)


def test_the_same_error_said_twice_is_filed_once() -> None:
    case = pressed(heard(console=("could not load", "could not load")))

    assert len(suspicions(case)) == 1


def test_a_bug_shows_addresses_without_their_queries() -> None:
    case = pressed(heard(bad_answers=(request("/api/orders?token=s3cret", status=500),)))

    (found,) = suspicions(case)

    assert "s3cret" not in msgspec.json.encode(found).decode()
    assert found.actual == "GET /api/orders answered 500"


def test_a_bug_says_what_was_done_in_words() -> None:
    assert PLANTED[BugKind.DEAD_CONTROL].what == "Pressing “Save”"
    assert PLANTED[BugKind.BLANK_PAGE].what == "Loading the page"


def test_a_bug_of_endless_text_is_cut() -> None:
    (found,) = suspicions(pressed(heard(console=("x" * 5000,))))

    assert max(len(found.description), len(found.actual), len(found.evidence[0])) <= 300


def test_a_quiet_page_has_no_bugs() -> None:
    assert kinds(loaded(Effect(before=BEFORE, after=BEFORE))) == set()
