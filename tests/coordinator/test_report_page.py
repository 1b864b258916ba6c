"""The final report as a person sees it: in a real browser, from disk, with a hostile app in it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from contract.action_tree import ActionTree
from contract.vocabulary import ActionResult, Severity
from coordinator.reporting import publish
from tests.support.chromium import chromium
from tests.support.reported import HOSTILE, bug, hostile_report, node, project, report

EVIL = [hostile_report(f"/evil/{number}", words) for number, words in enumerate(HOSTILE)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of a shop with two plain routes and all the hostile ones."""
    folder = tmp_path_factory.mktemp("shop")
    menu = node(
        "Menu",
        node("Export", key="export", screenshot="07-final-state.png"),
        node("Ignored", key="ignored", action_result=ActionResult.NO_RESPONSE),
        key="menu",
        action_result=ActionResult.DROPDOWN_OPENED,
    )
    save = node("Save", key="main/button/save", action_result=ActionResult.ERROR)
    orders = report(
        "/orders",
        bug("C1", severity=Severity.CRITICAL, description="Saving an order fails"),
        action_tree=ActionTree(toolbar=(menu, save)),
    )
    state = project(folder, [orders, report("/clean"), *EVIL])
    state.fail("/down", "e", HOSTILE[0], datetime.now(UTC))
    return publish.write(state, folder).as_uri()


class Opened:
    """A page with the report, and what it tried to do beyond showing it."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog {dialog.message}"))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self.wrong.append(line.text))
        self.page.on("request", self._request)
        self.page.goto(address)

    def _request(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith("file:"):
            self.wrong.append(url)

    def shown(self, selector: str) -> list[str]:
        """The texts of the visible elements."""
        found = self.page.locator(selector).all()
        return [one.inner_text() for one in found if one.is_visible()]

    def open_route(self, key: str = "") -> None:
        """Open the first route that is shown, and wait until its tree is there."""
        summary = self.page.locator(".route:not([hidden]) > summary").first
        if key:
            summary.focus()
            self.page.keyboard.press(key)
        else:
            summary.click()
        self.page.wait_for_selector(".route [role=treeitem]")

    def search(self, words: str) -> None:
        self.page.fill("#search", words)
        self.page.wait_for_timeout(200)


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opened]:
    found = Opened(browser, address)
    yield found
    assert found.wrong == []
    found.context.close()


def test_nothing_of_the_app_runs_and_no_request_leaves(opened: Opened) -> None:
    page = opened.page
    for one in page.locator("details").all():
        one.evaluate("one => { one.open = true; }")
    page.wait_for_timeout(300)
    # What a hostile app sent as text is there as text.
    text = page.inner_text("main")
    assert "<img src=x onerror=alert(1)>" in text
    assert "</script><script>alert(2)</script>" in text
    assert page.locator("main script, main [onerror], main [onclick]").count() == 0
    schemes = page.evaluate("[...new Set([...document.links].map(link => link.protocol))]")
    assert schemes == ["file:"]


def test_even_a_script_that_got_in_would_not_run(opened: Opened) -> None:
    opened.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            const picture = document.createElement("img");
            picture.setAttribute("onerror", "window.ran = true");
            picture.src = "nowhere.png";
            document.body.append(picture);
        }"""
    )
    opened.page.wait_for_timeout(200)
    assert opened.page.evaluate("window.ran") is None
    assert all("Content Security Policy" in line or "ERR_FILE" in line for line in opened.wrong)
    opened.wrong.clear()


def test_each_picture_of_a_bug_is_there(opened: Opened) -> None:
    opened.page.evaluate("for (const one of document.querySelectorAll('.bug')) one.open = true")
    opened.page.wait_for_timeout(500)
    broken = opened.page.evaluate(
        "[...document.querySelectorAll('.bug .shot img')]"
        ".filter(image => image.complete && !image.naturalWidth).map(image => image.src)"
    )
    assert broken == []


def test_search_finds_bugs_routes_and_controls(opened: Opened) -> None:
    opened.search("saving order")
    assert len(opened.shown(".bug")) == 1
    opened.search("export")
    assert opened.shown("#bugs-count") == [f"0 of {1 + len(HOSTILE)} bugs"]
    assert [text.splitlines()[0] for text in opened.shown(".route")] == ["/orders"]
    opened.page.keyboard.press("Escape")
    assert len(opened.shown(".route")) == 2 + len(HOSTILE)


def test_severity_filters_bugs_and_trees(opened: Opened) -> None:
    opened.page.click("button[data-severity=critical]")
    assert len(opened.shown(".bug")) == 1
    assert [text.splitlines()[0] for text in opened.shown(".route")] == ["/orders"]
    opened.open_route()
    assert opened.shown(".route .label")[1:] == ["Save"]


def test_outcome_filters_trees_and_keeps_the_way_to_what_is_found(opened: Opened) -> None:
    opened.page.click("button[data-result=no_response]")
    assert opened.shown("#map-count") == [f"1 of {2 + len(HOSTILE)} routes"]
    opened.open_route()
    assert opened.shown(".route .label")[1:] == ["Menu", "Ignored"]
    assert opened.shown(".hits") == ["1 match"]


def test_a_tree_is_used_with_the_keyboard_alone(opened: Opened) -> None:
    page = opened.page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    opened.open_route("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    focused = "document.activeElement.querySelector('.label').textContent"
    assert page.evaluate(focused) == "Menu"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "Export"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == "Menu"
    page.keyboard.press("ArrowLeft")
    assert opened.shown("#route-0 [role=group]") == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert page.evaluate(focused) == "Save"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('.bug').id") == "bug:BUG-a-C1"


def test_a_picture_is_looked_at_and_put_away_again(opened: Opened) -> None:
    page = opened.page
    opened.open_route()
    page.click("#route-0 .row .end")
    assert page.is_visible("#viewer")
    assert "/orders › Menu" in page.inner_text("#viewer-caption")
    page.keyboard.press("ArrowRight")
    assert "/orders › Export" in page.inner_text("#viewer-caption")
    page.keyboard.press("Escape")
    assert not page.is_visible("#viewer")


def test_a_link_opens_what_it_names(opened: Opened) -> None:
    page = opened.page
    page.click(".cells a >> nth=0")
    assert page.evaluate("document.querySelector('#route-0').open")
    page.click("#route-0 .pill")
    assert page.evaluate("document.activeElement.closest('.bug').open")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_both_schemes(browser: Browser, address: str, scheme: str) -> None:
    """The contrast of the quietest words with the page is that of WCAG AA."""
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type] # a literal
    page = context.new_page()
    page.goto(address)
    colours = page.evaluate(
        "[...document.querySelectorAll('.quiet, .meta, .pill, .status')].map(one => {"
        "  let at = one, back = 'rgba(0, 0, 0, 0)';"
        "  while (at && back === 'rgba(0, 0, 0, 0)') {"
        "    back = getComputedStyle(at).backgroundColor; at = at.parentElement; }"
        "  return [getComputedStyle(one).color, back]; })"
    )
    for front, back in {(front, back) for front, back in colours}:
        assert _contrast(front, back) >= 4.5, (front, back)
    context.close()


def _contrast(front: str, back: str) -> float:
    high, low = sorted((_light(front), _light(back)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_it_fits_on_a_telephone(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(address)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_the_folder_is_whole_wherever_it_is_moved(browser: Browser, tmp_path: Path) -> None:
    state = project(tmp_path / "old", [report("/a", bug())])
    page_file = publish.write(state, tmp_path / "old")
    moved = tmp_path / "new place ü#%"
    (tmp_path / "old").rename(moved)
    found = Opened(browser, (moved / page_file.relative_to(tmp_path / "old")).as_uri())
    found.page.wait_for_timeout(200)
    assert found.page.evaluate("document.querySelector('.shot img').naturalWidth") == 1
    assert found.wrong == []
    found.context.close()
