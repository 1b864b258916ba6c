"""Pages that are large, endless or hostile: a report within the budget, and nothing of theirs run.

Each page is a function here rather than a file of the practice site, since most are too large to be
kept; all of them are served by a real server and met by a real browser.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from contract.action_tree import RouteReport, walk
from contract.jobs import Limits
from contract.vocabulary import ActionResult, Outcome, RouteStatus
from examples.kit.messages import Request, Response, html
from examples.kit.server import Server
from tests.support.explorer import Explorer

SHORT = Limits(actions=30, seconds=60.0)


@contextmanager
def site(body: str) -> Iterator[str]:
    """One page at every address."""

    def answer(_: Request) -> Response:
        return html(f"<!doctype html><html lang=en><title>Page</title>{body}")

    with Server(answer) as server:
        yield server.url


@pytest.fixture
def explored(explorer: Explorer) -> Callable[..., RouteReport]:
    def explore(body: str, limits: Limits = SHORT) -> RouteReport:
        with site(body) as url:
            return explorer.explore(url, "/", limits=limits)

    return explore


def labels(report: RouteReport) -> list[str]:
    return [node.label for node in walk(report.action_tree)]


def panels() -> Iterator[str]:
    """Three parts of 27 panels of 25 buttons, no two of which have the same name."""
    for part in "xyz":
        yield "<main>" if part == "x" else "<aside>" if part == "y" else "<article>"
        for panel in SYLLABLES[:27]:
            buttons = (
                f"<button onclick='n.value++'>{part}{panel}{s}</button>" for s in SYLLABLES[:25]
            )
            yield f"<section>{''.join(buttons)}</section>"
        yield "</main>" if part == "x" else "</aside>" if part == "y" else "</article>"


SYLLABLES = tuple(f"{a}{b}{c}" for a in "bdf" for b in "aeo" for c in "lmn")


def test_two_thousand_controls_end_within_the_budget_and_what_is_left_out_is_said(
    explored: Callable[..., RouteReport],
) -> None:
    report = explored(f"<output id=n>0</output>{''.join(panels())}<script>n.value=0</script>")
    nodes = walk(report.action_tree)
    left = [node for node in nodes if node.outcome is Outcome.BUDGET]
    assert len(nodes) == 3 * 27 * 25
    assert len(nodes) - len(left) == SHORT.actions
    assert {node.note for node in left} == {"not tried: the budget of 30 actions ended"}
    assert report.status is RouteStatus.PARTIAL


def test_of_two_thousand_rows_a_few_are_tried_and_the_rest_is_counted(
    explored: Callable[..., RouteReport],
) -> None:
    row = "<tr><td>Ada<td><button onclick='n.value++'>Edit</button></tr>"
    report = explored(f"<output id=n>0</output><table><tbody>{row * 2_000}</table>")
    assert labels(report) == ["Edit", "Edit"]
    assert "1998 more in rows like those tried" in report.summary


def test_fifty_thousand_elements_are_read(explored: Callable[..., RouteReport]) -> None:
    filler = "<p>text</p>" * 50_000
    report = explored(f"<button onclick=\"document.title='x'\">Last</button>{filler}")
    assert labels(report) == ["Last"]
    assert [node.action_result for node in walk(report.action_tree)] != [ActionResult.NO_RESPONSE]


def test_a_document_of_a_hundred_megabytes_is_read_or_given_up(
    explored: Callable[..., RouteReport],
) -> None:
    filler = f"<!--{'x' * 1_000_000}-->" * 100
    report = explored(f"<button onclick=\"document.title='x'\">Found</button>{filler}")
    assert "Found" in labels(report)


def test_titles_and_labels_with_markup_and_control_codes_are_text(
    explored: Callable[..., RouteReport],
) -> None:
    evil = "&lt;img src=x onerror=alert(1)&gt; | # [a](javascript:x) \x1b[2J ../../etc"
    report = explored(f"<button onclick=\"document.title='{evil}'\">{evil}</button>")
    (node,) = walk(report.action_tree)
    assert node.label.startswith("<img src=x onerror=alert(1)>")
    assert "/" not in node.screenshot
    assert ".." not in node.screenshot


ATTACKS = {
    "json": "JSON.stringify = JSON.parse = broken",
    "to json": "Object.prototype.toJSON = String.prototype.toJSON = () => 'mine'",
    "array": "for (const m of ['map', 'filter', 'push', 'some', 'find', 'slice', 'join'])"
    " Array.prototype[m] = broken",
    "iterators": "Array.prototype[Symbol.iterator] = broken",
    "text": "for (const m of ['trim', 'replace', 'split', 'slice', 'startsWith', 'match'])"
    " String.prototype[m] = broken; RegExp.prototype.test = RegExp.prototype.exec = broken",
    "collections": "for (const t of [Map, Set, WeakMap, WeakSet])"
    " for (const m of ['get', 'set', 'has', 'add']) t.prototype[m] = broken;"
    " window.Map = window.Set = window.WeakMap = broken",
    "elements": "Element.prototype.getBoundingClientRect = Document.prototype.querySelectorAll ="
    " Element.prototype.querySelectorAll = window.getComputedStyle = broken",
    "events": "EventTarget.prototype.addEventListener = window.MutationObserver = broken",
    "clocks": "window.setTimeout = window.requestAnimationFrame = broken; Date.now = () => NaN;"
    " performance.now = () => NaN; Promise.prototype.then = broken",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_page_that_breaks_what_others_rely_on_is_explored_all_the_same(
    attack: str, explored: Callable[..., RouteReport]
) -> None:
    report = explored(
        "<button onclick=\"document.title='went'\">Go</button><script>"
        f"const broken = () => {{ throw new Error('taken over'); }}; {ATTACKS[attack]};</script>"
    )
    assert labels(report) == ["Go"]
    assert report.bugs == ()
