"""From whatever names a page to a route."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coordinator.planning.routes import (
    fold,
    normalise,
    normalise_path,
    pattern_of,
    reason_to_exclude,
    section_of,
    sort_out,
)

BASE = "http://shop.test:5000"


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("/users//1/?q=1#x", "/users/1"),
        ("HTTP://SHOP.test:5000/a/b/", "/a/b"),
        ("//shop.test:5000/x", "/x"),
        ("/#/users/", "/#/users"),
        ("/#!/users?x=1", "/#!/users"),
        ("/a/../b", "/b"),
        ("/a b/ü", "/a%20b/%C3%BC"),
        ("http://shop.test:5000", "/"),
        ("https://shop.test:5000/a", None),
        ("http://other.test/a", None),
        ("mailto:a@shop.test", None),
        ("javascript:void(0)", None),
        ("http://shop.test:port/", None),
    ],
)
def test_names_of_one_page_meet_and_other_origins_are_no_routes(
    text: str, route: str | None
) -> None:
    assert normalise(text, BASE) == route


@given(st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise_path("/" + text)
    assert normalise_path(once) == once
    assert once.startswith("/")
    assert not once.startswith("//")


@pytest.mark.parametrize(
    ("route", "reason"),
    [
        ("/login", "Auth flow"),
        ("/accounts/logout", "Auth flow"),
        ("/sso/google", "Auth flow"),
        ("/oauth/callback", "Auth flow"),
        ("/404", "Error page"),
        ("/novnc", "Remote tool"),
        ("/setup/step-1", "Setup wizard"),
        ("/settings", None),
        ("/login-history", None),
        ("/", None),
    ],
)
def test_what_cannot_be_tested_is_left_out_with_a_reason(route: str, reason: str | None) -> None:
    assert reason_to_exclude(route) == reason


def test_routes_that_differ_in_an_id_are_one_with_a_sample() -> None:
    folds = fold(["/users/1", "/users/2", "/users/new", "/users/1"])
    assert [(item.sample, item.count) for item in folds] == [("/users/1", 2), ("/users/new", 1)]


@pytest.mark.parametrize(
    ("route", "pattern"),
    [
        ("/a/6f9619ff-8b86-d011-b42d-00cf4fc964ff/b", "/a/{id}/b"),
        ("/commit/9fceb02d0ae598e9", "/commit/{id}"),
        ("/products/inventory", "/products/inventory"),
        ("/feedface", "/feedface"),
    ],
)
def test_ids_are_recognised_by_their_shape(route: str, pattern: str) -> None:
    assert pattern_of(route) == pattern


def test_a_list_is_sorted_into_kept_and_excluded() -> None:
    result = sort_out(["/a", "http://else.test/", "/login", "/u/1", "/u/2"], BASE)
    assert [item.sample for item in result.kept] == ["/a", "/u/1"]
    assert dict(result.excluded) == {"http://else.test/": "External origin", "/login": "Auth flow"}


@pytest.mark.parametrize(("route", "name"), [("/", "Home"), ("/user-groups/1", "User groups")])
def test_a_section_is_named_after_the_first_segment(route: str, name: str) -> None:
    assert section_of(route) == name
