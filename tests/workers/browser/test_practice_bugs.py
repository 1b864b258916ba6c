"""Each kind of bug on a page of the practice site, and a twin beside it on which nothing is wrong.

A twin is more than the absence of the fault: it holds what only looks like one, and must give no
bug of any kind.
"""

import pytest

from contract.action_tree import RouteReport
from contract.login import FieldValue, LoginRecipe, Success
from contract.vocabulary import BugKind
from examples import practice
from tests.support.explorer import Explorer, outline
from tests.workers.browser.planted import PAGES, PLANTED, TWINS, Planted
from tests.workers.browser.test_practice import crash_when_asked, expected

WITH_LOGIN = frozenset({"unexpected-login", "session-expiry"})


def recipe(name: str) -> LoginRecipe | None:
    if name not in WITH_LOGIN:
        return None
    return LoginRecipe(
        url=f"/{name}/login",
        fields={
            "input[name=username]": FieldValue(value="ada"),
            "input[name=password]": FieldValue(value="any"),
        },
        submit="button[type=submit]",
        success=Success(url=f"/{name}"),
    )


@pytest.fixture(scope="module")
def reports(explorer: Explorer) -> dict[str, RouteReport]:
    """What was reported of a page, explored once and on a site of its own."""

    class Reports(dict[str, RouteReport]):
        def __missing__(self, name: str) -> RouteReport:
            crashes = crash_when_asked if name == "renderer-crash" else None
            with practice.serve() as site:
                self[name] = explorer.explore(
                    site.url, f"/{name}", recipe=recipe(name), on_page=crashes
                )
            return self[name]

    return Reports()


@pytest.mark.parametrize("planted", PLANTED, ids=[planted.kind.value for planted in PLANTED])
def test_what_is_planted_is_found_as_severe_as_it_is(
    planted: Planted, reports: dict[str, RouteReport]
) -> None:
    found = [bug for bug in reports[planted.page].bugs if bug.kind is planted.kind]

    assert [bug.severity for bug in found] == list(planted.severities), found
    assert planted.kind is BugKind.PAGE_CRASH or all(bug.confirmed for bug in found), found


@pytest.mark.parametrize("name", PAGES)
def test_nothing_but_what_is_planted_is_found(name: str, reports: dict[str, RouteReport]) -> None:
    kinds = {planted.kind for planted in PLANTED if planted.page == name}

    assert {bug.kind for bug in reports[name].bugs} == kinds


@pytest.mark.parametrize("name", TWINS)
def test_a_twin_has_no_bug(name: str, reports: dict[str, RouteReport]) -> None:
    assert reports[name].bugs == ()


@pytest.mark.parametrize("name", sorted({*PAGES, *TWINS}))
def test_the_tree_is_as_the_outline_says(name: str, reports: dict[str, RouteReport]) -> None:
    assert outline(reports[name]) == expected(name)


def test_every_kind_of_bug_is_planted_somewhere() -> None:
    assert {planted.kind for planted in PLANTED} == set(BugKind)
