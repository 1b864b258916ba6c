"""ROUTE_MAP.md: what is written is read back, by hand or by us."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.vocabulary import PageType
from coordinator.errors import RequestError
from coordinator.planning.routes import normalise_path
from coordinator.records.route_map import (
    Category,
    Excluded,
    MapRoute,
    RouteMap,
    load,
    parse,
    render,
)

words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12
)
plain = words.filter(lambda text: not set(text) & set("`,#()") and text.strip() == text)
routes = words.map(lambda text: normalise_path("/" + text.replace("?", "")))


@st.composite
def maps(draw: st.DrawFn) -> RouteMap:
    names = draw(st.lists(routes, min_size=1, max_size=6, unique=True))
    entries = tuple(
        MapRoute(
            route=name,
            page_type=draw(st.none() | st.sampled_from(PageType)),
            actions=tuple(draw(st.lists(plain, max_size=3))),
        )
        for name in names
    )
    reasons = draw(st.dictionaries(routes, plain, max_size=3))
    category = Category(
        name=draw(st.from_regex(r"[A-Z][a-z]{1,9}", fullmatch=True)), routes=(names[0],)
    )
    return RouteMap(
        routes=entries,
        excluded=tuple(Excluded(route=r, reason=why) for r, why in reasons.items()),
        categories=(category,),
        generated="2026-01-02T03:04:05Z",
        source="browser",
    )


@given(maps())
def test_what_is_written_is_read_back(route_map: RouteMap) -> None:
    assert parse(render(route_map)) == route_map


def test_a_bar_in_a_cell_cannot_break_the_table() -> None:
    entry = MapRoute(route="/a", actions=("x | y \\ z",))
    assert parse(render(RouteMap(routes=(entry,)))).routes == (entry,)


def test_a_map_of_bullets_only_is_read() -> None:
    found = parse(
        "# My app\n\n### Settings\n- /settings/general\n- `/settings/billing` – money\n* /x\n"
    )
    assert found.names() == ("/settings/general", "/settings/billing", "/x")
    assert found.categories[0].name == "Settings"


def test_a_map_of_a_table_only_is_read() -> None:
    found = parse("| Route | Page Type |\n|--|--|\n| /a | list |\n| `/b/` | |\n")
    assert [(entry.route, entry.page_type) for entry in found.routes] == [
        ("/a", PageType.LIST),
        ("/b", None),
    ]


def test_a_route_that_only_a_category_names_is_a_route() -> None:
    found = parse("| # | Route |\n|--|--|\n| 1 | /a |\n\n### Category 1: Extra (1)\n- /b\n")
    assert found.names() == ("/a", "/b")
    assert found.categories == (Category(name="Extra", routes=("/b",)),)


def test_excluded_routes_are_no_routes() -> None:
    table = "| Route | Reason |\n|--|--|\n| /login | Auth |\n"
    found = parse(f"- /a\n\n## Excluded Routes (not testable)\n\n{table}")
    assert found.names() == ("/a",)
    assert found.excluded == (Excluded(route="/login", reason="Auth"),)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("| 1 | /a |", "has 2 cells where 3 are needed"),
        ("| 1 | settings | list |", "where a route like /settings is needed"),
        ("| 1 | /a | lists |", "has the page type 'lists'"),
        ("| 1 | /a?tab=2 | list |", "has a query"),
    ],
)
def test_a_malformed_row_is_an_error_that_names_the_line(row: str, says: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse(f"# Route Map\n\n| # | Route | Page Type |\n|---|---|---|\n{row}\n")
    assert caught.value.sentence.startswith("ROUTE_MAP.md line 5 ")
    assert says in caught.value.sentence


def test_a_route_that_stands_twice_in_the_registry_names_both_lines() -> None:
    with pytest.raises(RequestError, match=r"line 4 names /a again; line 3 has it"):
        parse("| Route |\n|--|\n| /a |\n| /a/ |\n")


@pytest.mark.parametrize("text", ["", "# Route Map\n", "just prose\n- and a bullet\n"])
def test_a_map_without_routes_is_an_error(text: str) -> None:
    with pytest.raises(RequestError, match="names no route"):
        parse(text)


def test_a_missing_map_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        load(tmp_path / "ROUTE_MAP.md")
    assert "mazewave discover" in caught.value.hint
