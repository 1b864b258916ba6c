"""The closer look in a real browser: on pages that make it hard, and once where once is enough."""

from collections.abc import Awaitable, Callable, Iterator

import pytest

from contract.jobs import Limits, Safety, Waits
from examples import practice
from tests.support.explorer import Explorer
from workers.browser.page import ChromiumPage
from workers.browser.policy import Rules
from workers.browser.session import logged_in
from workers.browser.survey import Survey

SPOIL = """() => {
  const image = document.createElement('img');
  image.setAttribute('src', '/static/favicon.svg');
  document.body.append(image);
}"""
HOSTILE = """() => {
  JSON.stringify = () => 'nothing';
  Element.prototype.closest = () => null;
  Element.prototype.getBoundingClientRect = () => ({ width: 0, height: 0 });
  Element.prototype.matches = () => { throw new Error('patched'); };
  window.getComputedStyle = () => ({});
  window.axe = { run: () => Promise.resolve({ violations: [] }) };
}"""


@pytest.fixture(scope="module")
def site() -> Iterator[practice.PracticeServer]:
    with practice.serve() as server:
        yield server


def on(
    explorer: Explorer,
    site: practice.PracticeServer,
    name: str,
    work: Callable[[ChromiumPage], Awaitable[list[Survey]]],
) -> list[Survey]:
    """What is seen on a page of the practice site."""

    async def awaited() -> list[Survey]:
        page = ChromiumPage(
            url=f"{site.url}/{name}",
            new_context=lambda: logged_in(explorer.host, {}, Limits()),
            rules=Rules(Safety(), site.url),
            limits=Limits(),
            waits=Waits(),
            store=nowhere,
        )
        try:
            await page.open()
            return await work(page)
        finally:
            await page.close()

    seen: list[Survey] = explorer.run(awaited)
    return seen


async def nowhere(_: bytes) -> str:
    return ""


def rules_of(survey: Survey) -> set[str]:
    return {violation.rule for violation in survey.violations}


def test_axe_runs_where_no_script_and_no_html_is_allowed(
    explorer: Explorer, site: practice.PracticeServer
) -> None:
    async def look(page: ChromiumPage) -> list[Survey]:
        await (await page.tab.page()).evaluate(SPOIL)
        return [await page.survey()]

    (survey,) = on(explorer, site, "strict-csp", look)

    assert rules_of(survey) == {"image-alt"}


def test_a_page_that_patches_the_platform_is_looked_at_all_the_same(
    explorer: Explorer, site: practice.PracticeServer
) -> None:
    async def look(page: ChromiumPage) -> list[Survey]:
        await (await page.tab.page()).evaluate(HOSTILE)
        return [await page.survey()]

    (survey,) = on(explorer, site, "accessibility", look)

    assert {"image-alt", "label"} <= rules_of(survey)


def test_axe_sees_each_part_once_in_a_context(
    explorer: Explorer, site: practice.PracticeServer
) -> None:
    async def look(page: ChromiumPage) -> list[Survey]:
        first, second = await page.survey(), await page.survey()
        await page.open()
        third = await page.survey()
        await page.renew()
        await page.open()
        return [first, second, third, await page.survey()]

    first, second, third, fourth = on(explorer, site, "accessibility", look)

    assert rules_of(first) == rules_of(fourth) != set()
    assert rules_of(second) == rules_of(third) == set()


def test_a_look_leaves_the_page_as_it_was(
    explorer: Explorer, site: practice.PracticeServer
) -> None:
    async def look(page: ChromiumPage) -> list[Survey]:
        before = page.sight
        survey = await page.survey()
        after = await page.escape()
        assert (after.name, after.url) == (before.name, before.url)
        return [survey]

    on(explorer, site, "broken-focus-trap", look)


def test_the_axe_of_a_page_is_neither_used_nor_touched(
    explorer: Explorer, site: practice.PracticeServer
) -> None:
    async def look(page: ChromiumPage) -> list[Survey]:
        survey = await page.survey()
        assert not await (await page.tab.page()).evaluate("() => 'axe' in window")
        return [survey]

    on(explorer, site, "accessibility", look)
