"""URLs as places: what is one route, one template, one state."""

import re

import pytest

from workers.browser import places
from workers.browser.brief import Brief


@pytest.mark.parametrize(
    ("path", "masked"),
    [
        ("/users/17/edit", "/users/{id}/edit"),
        ("/users/7f9c24e5-2f31-4c3a-9b1e-000000000001", "/users/{id}"),
        ("/commits/0123456789abcdef", "/commits/{id}"),
        ("/share/Zk3vX9qL2mN8pR5tW7yB", "/share/{id}"),
        ("/settings/general", "/settings/general"),
        ("/v2/notes", "/v2/notes"),
        ("/a-very-long-page-name-without-digits", "/a-very-long-page-name-without-digits"),
        ("/", "/"),
    ],
)
def test_what_varies_from_visit_to_visit_is_masked(path: str, masked: str) -> None:
    assert places.mask_path(path) == masked


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("http://a.test", "/"),
        ("http://a.test/users/17?tab=2&page=3", "/users/{id}?page&tab"),
        ("http://a.test/users?page=1", "/users?page"),
        ("http://a.test/#/users/17?x=1", "/#/users/{id}"),
        ("http://a.test/#!/users", "/#!/users"),
        ("http://a.test/help#contact", "/help"),
    ],
)
def test_a_url_has_a_template(url: str, template: str) -> None:
    assert places.template_of(url) == template


@pytest.mark.parametrize(
    ("url", "route"),
    [
        ("http://a.test", "/"),
        ("http://a.test/users?page=2", "/users"),
        ("http://a.test/help#contact", "/help"),
        ("http://a.test/app#/users?page=2", "/app#/users"),
    ],
)
def test_a_url_belongs_to_a_route(url: str, route: str) -> None:
    assert places.route_of(url) == route


@pytest.mark.parametrize(
    ("route", "bare"),
    [
        ("/", "/"),
        ("/users/", "/users"),
        ("/users?page=2", "/users"),
        ("/#/users", "/#/users"),
        ("/help#contact", "/help"),
    ],
)
def test_routes_are_compared_without_query_and_trailing_slash(route: str, bare: str) -> None:
    assert places.bare(route) == bare


@pytest.mark.parametrize(
    ("route", "parent", "is_below"),
    [
        ("/users/17", "/users", True),
        ("/users", "/users", False),
        ("/users-old", "/users", False),
        ("/users", "/", False),
        ("/#/users/17", "/#/users", True),
    ],
)
def test_a_page_is_below_another_by_whole_segments(route: str, parent: str, is_below: bool) -> None:
    assert places.below(route, parent) is is_below


def test_nothing_is_below_the_root_because_everything_would_be() -> None:
    assert not places.below("/anything", "/")


def test_an_origin_is_scheme_host_and_port() -> None:
    assert places.same_origin("http://a.test:80/x", "http://a.test:80/y")
    assert not places.same_origin("https://a.test/", "http://a.test/")
    assert places.origin_of("about:blank") == ""


def test_a_state_is_named_by_template_and_structure() -> None:
    first = places.state_id("http://a.test/users/1?t=aaa", "s")

    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert first == places.state_id("http://a.test/users/2?t=bbb", "s")
    assert first != places.state_id("http://a.test/users/1?t=aaa", "other")
    assert first != places.state_id("http://a.test/groups/1?t=aaa", "s")


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("http://a.test/users", True),
        ("http://a.test/users?page=2", True),
        ("http://a.test/users/17", True),
        ("http://a.test/users/new", False),
        ("http://a.test/groups", False),
        ("https://docs.test/users", False),
    ],
)
def test_a_route_answers_for_what_is_below_it_and_not_in_the_map(url: str, inside: bool) -> None:
    brief = Brief(
        route="/users", base_url="http://a.test", routes=frozenset({"/users", "/users/new"})
    )

    assert brief.inside(url, "/users") is inside
