"""What a closer look and a second try make a bug, and what they do not."""

from typing import Any

import msgspec
import pytest

from contract.vocabulary import ActionResult, BugKind, Severity
from tests.workers.browser.sights import (
    BASE,
    BUTTON,
    after,
    effect,
    heard,
    moved,
    note,
    request,
)
from tests.workers.browser.test_detect import PLANTED as SEEN_AT_ONCE
from tests.workers.browser.test_detect import kinds, loaded, pressed
from workers.browser.classify import Verdict
from workers.browser.detect import suspicions
from workers.browser.detect.case import Case
from workers.browser.page_port import Health, Traffic
from workers.browser.survey import Overlap, Spot, Survey, Table, Violation, Wide

SAVE = Spot(text="Save", place="div > button.save", locator="button.save", control=True)
SEND = Spot(text="Send", place="div > button.send", locator="button.send", control=True)
FORM = Violation(rule="label", impact="critical", help="Fields have labels", page=("input",))
LOGIN = after(document="document 2", url=f"{BASE}/login", health=Health(asks_password=True))


def looked(base: Case | None = None, **survey: Any) -> Case:
    """A case of loading the page, with what the closer look found."""
    return msgspec.structs.replace(base or loaded(effect()), survey=Survey(**survey))


def text(said: str, *, control: bool = False) -> Case:
    return looked(leaks=(Spot(text=said, place="p", locator="p", control=control),))


def table(said: str, rows: int, **more: Any) -> Case:
    counters = (Spot(text=said, place="p", locator="p"),)
    return looked(tables=(Table(rows=rows, counters=counters, words="Orders orders", **more),))


def tried(*outcomes: str) -> Case:
    case = pressed(effect(moved(mutations=1)))
    return msgspec.structs.replace(case, outcomes=outcomes)


def slow(took_ms: int, path: str = "/api/orders") -> Case:
    exchange = msgspec.structs.replace(request(path), took_ms=took_ms)
    return pressed(effect(moved(mutations=1), traffic=Traffic(slow=(exchange,))))


PLANTED: dict[BugKind, Case] = {
    BugKind.BROKEN_RESOURCE: loaded(
        heard(bad_answers=(request("/app.js", status=404, resource="Script"),))
    ),
    BugKind.STUCK_LOADING: looked(loading=(Spot(text="Loading…", place="p", locator="p"),)),
    BugKind.TEXT_LEAK: text("Total: undefined"),
    BugKind.LAYOUT_OVERLAP: looked(overlaps=(Overlap(above=SAVE, below=SEND),)),
    BugKind.TEXT_CLIPPED: looked(clipped=(SAVE,)),
    BugKind.OVERFLOW_X: looked(wide=Wide(pixels=300, spot=SAVE)),
    BugKind.OFFSCREEN_CONTROL: looked(offscreen=(SAVE,)),
    BugKind.A11Y: looked(violations=(FORM,)),
    BugKind.FOCUS_TRAP_BROKEN: looked(modal="Share", behind=SAVE),
    BugKind.DIALOG_CANNOT_CLOSE: msgspec.structs.replace(
        pressed(effect(moved(mutations=1))), held="News"
    ),
    BugKind.INCONSISTENT: tried("dialog_opened", "content_changed", "dialog_opened"),
    BugKind.UNEXPECTED_LOGIN: pressed(effect(LOGIN, session_good=True)),
    BugKind.SLOW_ACTION: slow(3400),
    BugKind.COUNT_MISMATCH: table("12 orders", 5),
}

TWINS: dict[str, Case] = {
    "a script of another host": loaded(
        heard(bad_answers=(request("https://cdn.test/a.js", status=404, resource="Script"),))
    ),
    "a source map": loaded(
        heard(bad_answers=(request("/app.js.map", status=404, resource="Other"),))
    ),
    "a violation that hardly matters": looked(
        violations=(msgspec.structs.replace(FORM, impact="moderate"),)
    ),
    "the login page of a session that may be lost": pressed(effect(LOGIN)),
    "a refusal that the page explains": pressed(
        effect(
            after(toasts=("Only for the owner",)),
            traffic=Traffic(bad_answers=(request("/api/a", status=401),)),
            session_good=True,
        )
    ),
    "an answer within three seconds": slow(2900),
    "a slow answer of another host": slow(9000, "https://maps.test/tiles"),
    "a total that is right": table("5 orders", 5),
    "a total over one page of several": table("12 orders", 5, paged=True),
    "a total over a filtered table": table("12 orders", 5, filtered=True),
    "a count of something else": table("12 customers", 5),
    "a range that is right": table("6–10 of 12", 5, paged=True),
    "a table that is still empty": table("12 orders", 0),
    "what changes once and stays so": tried("dialog_opened", *("content_changed",) * 4),
    "what is always the same": tried(*("dialog_opened",) * 3),
    "a word in a sentence": text("The type of this value is undefined"),
    "a sentence on NaN": text("NaN means that it is not a number"),
    "a name in quotes": text("“undefined” was found"),
    "a name of code": text("undefined.length"),
    "a host": text("docs.shop.example.com"),
    "a package": text("com.example.labels"),
    "a permission": text("orders.items.read"),
    "a chip of a placeholder": text("{{ user.name }}", control=True),
    "a long text with a placeholder": text("Dear {{ name }}, " + "thank you for your order. " * 3),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_bug_is_found_and_no_other(kind: BugKind) -> None:
    assert kinds(PLANTED[kind]) == {kind}


def test_every_kind_of_bug_has_a_planted_case() -> None:
    assert set(PLANTED) | set(SEEN_AT_ONCE) == set(BugKind)


@pytest.mark.parametrize("name", TWINS)
def test_its_clean_twin_is_no_bug(name: str) -> None:
    assert kinds(TWINS[name]) == set()


@pytest.mark.parametrize(
    "said",
    [
        "undefined",
        "Hello undefined!",
        "€NaN",
        "NaN %",
        "Due: Invalid Date",
        "Sent to [object Object]",
        "Dear {{ user.name }},",
        "${order.total}",
        "orders.empty.title",
        "translation missing: en.orders.title",
        "SQLSTATE[42S02]: Base table or view not found",
        "Traceback (most recent call last):",
        "at Cart.sum (cart.js:12:4)",
    ],
)
def test_what_only_the_program_should_see_leaks(said: str) -> None:
    assert kinds(text(said)) == {BugKind.TEXT_LEAK}


def test_a_list_of_placeholders_is_meant() -> None:
    spots = tuple(Spot(text=f"{{{{ {name} }}}}", place="li") for name in ("name", "city", "total"))

    assert kinds(looked(leaks=spots)) == set()


@pytest.mark.parametrize(
    ("case", "severity"),
    [
        (PLANTED[BugKind.BROKEN_RESOURCE], Severity.MAJOR),
        (PLANTED[BugKind.STUCK_LOADING], Severity.MAJOR),
        (PLANTED[BugKind.OFFSCREEN_CONTROL], Severity.MAJOR),
        (PLANTED[BugKind.DIALOG_CANNOT_CLOSE], Severity.MAJOR),
        (PLANTED[BugKind.INCONSISTENT], Severity.MAJOR),
        (PLANTED[BugKind.UNEXPECTED_LOGIN], Severity.MAJOR),
        (PLANTED[BugKind.A11Y], Severity.MINOR),
        (PLANTED[BugKind.TEXT_LEAK], Severity.MINOR),
        (PLANTED[BugKind.SLOW_ACTION], Severity.MINOR),
        (slow(12_000), Severity.MAJOR),
        (text("Uncaught TypeError: x"), Severity.MAJOR),
        (PLANTED[BugKind.LAYOUT_OVERLAP], Severity.MINOR),
        (looked(overlaps=(Overlap(above=SAVE, below=SEND, blocked=True),)), Severity.MAJOR),
    ],
)
def test_a_bug_is_as_severe_as_what_it_takes_from_the_user(case: Case, severity: Severity) -> None:
    assert {found.severity for found in suspicions(case)} == {severity}


LOOKS = (
    BugKind.LAYOUT_OVERLAP,
    BugKind.TEXT_CLIPPED,
    BugKind.OVERFLOW_X,
    BugKind.OFFSCREEN_CONTROL,
    BugKind.A11Y,
)


@pytest.mark.parametrize("kind", LOOKS)
@pytest.mark.parametrize(
    "lacking",
    [{"environment": ("https://cdn.test",)}, {"unstyled": ("https://cdn.test",)}],
    ids=["scripts", "styles"],
)
def test_a_page_without_its_scripts_or_styles_is_not_judged_by_its_looks(
    kind: BugKind, lacking: dict[str, tuple[str, ...]]
) -> None:
    case = msgspec.structs.replace(PLANTED[kind], effect=heard(**lacking))

    assert kinds(case) == set()


@pytest.mark.parametrize("kind", [*LOOKS, BugKind.STUCK_LOADING, BugKind.TEXT_LEAK])
def test_what_follows_from_a_request_that_we_refused_is_not_the_apps_bug(kind: BugKind) -> None:
    refused = effect(after(notes=(note("blocked", "POST /beacon"),)))

    assert kinds(msgspec.structs.replace(PLANTED[kind], effect=refused)) == set()


NOISY = (
    (BugKind.BROKEN_RESOURCE, r"/app\.js"),
    (BugKind.STUCK_LOADING, "Loading"),
    (BugKind.TEXT_LEAK, "Total: "),
    (BugKind.LAYOUT_OVERLAP, "Send"),
    (BugKind.TEXT_CLIPPED, "Save"),
    (BugKind.OVERFLOW_X, "Save"),
    (BugKind.OFFSCREEN_CONTROL, "Save"),
    (BugKind.A11Y, "^label$"),
    (BugKind.SLOW_ACTION, "/api/orders"),
    (BugKind.COUNT_MISMATCH, "12 orders"),
)


@pytest.mark.parametrize(("kind", "pattern"), NOISY, ids=[kind.value for kind, _ in NOISY])
def test_what_the_user_calls_noise_is_no_bug(kind: BugKind, pattern: str) -> None:
    assert kinds(msgspec.structs.replace(PLANTED[kind], noise=(pattern,))) == set()


@pytest.mark.parametrize(
    "line",
    [
        "ResizeObserver loop completed with undelivered notifications.",
        "Script error.",
        "[HMR] Waiting for update signal from WDS...",
        "WebSocket connection to 'ws://localhost:5173/vite-hmr' failed",
        "Failed to load resource: the server responded with a status of 404 ()",
        "Download the React DevTools for a better development experience",
        "AbortError: The user aborted a request.",
        "Error: x\n at chrome-extension://abc/content.js:1:2",
    ],
)
def test_known_noise_is_no_bug(line: str) -> None:
    assert kinds(loaded(heard(console=(line,), exceptions=(line,), rejections=(line,)))) == set()


def test_a_pattern_that_is_no_regular_expression_is_taken_as_text() -> None:
    assert kinds(loaded(heard(console=("a [odd line",)), noise=("[odd",))) == set()


def test_the_sites_frame_is_one_bug_on_every_route() -> None:
    frame = msgspec.structs.replace(FORM, page=(), site=("footer > input",))
    here = looked(loaded(effect(after(url=f"{BASE}/orders/17"))), violations=(frame,))
    there = looked(loaded(effect(after(url=f"{BASE}/customers"))), violations=(frame,))

    assert [s.signature for s in suspicions(here)] == [s.signature for s in suspicions(there)]


def test_a_rule_is_one_bug_of_the_app_wherever_it_is_broken() -> None:
    here = looked(loaded(effect(after(url=f"{BASE}/orders/17?tab=2"))), violations=(FORM,))
    other = looked(loaded(effect(after(url=f"{BASE}/customers"))), violations=(FORM,))

    assert [s.signature for s in suspicions(here)] == [s.signature for s in suspicions(other)]


def test_a_bug_of_many_elements_shows_a_few() -> None:
    many = msgspec.structs.replace(FORM, page=tuple(f"input:nth-child({n})" for n in range(20)))

    (found,) = suspicions(looked(violations=(many,)))

    assert len(found.evidence) == 5


def test_a_counter_is_judged_where_the_page_was_loaded_only() -> None:
    verdict = Verdict(ActionResult.CONTENT_CHANGED)
    case = pressed(effect(moved(mutations=1)), BUTTON, verdict)

    assert kinds(looked(case, tables=PLANTED[BugKind.COUNT_MISMATCH].survey.tables)) == set()


def test_a_script_answered_with_a_page_is_one_bug_and_not_an_error_as_well() -> None:
    page = request("/app.js", error="answered with an HTML page", resource="Script")
    case = loaded(heard(failed=(page,), exceptions=("SyntaxError: Unexpected token '<'",)))

    assert kinds(case) == {BugKind.BROKEN_RESOURCE}
