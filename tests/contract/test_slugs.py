"""A slug names a route's files: readable where it can be, and never a way out of the folder."""

import re
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contract.identity import MAX_SLUG, explore_job, plain_slug, slugs_for

ROUTES = st.one_of(
    st.text(max_size=30).map(lambda text: f"/{text}"),
    st.text(alphabet="aAbB/_-.~", max_size=8).map(lambda text: f"/{text}"),
    st.text(alphabet="aA/_", min_size=100, max_size=150).map(lambda text: f"/{text}"),
)


@pytest.mark.parametrize(
    ("route", "slug"),
    [
        ("/", "_root"),
        ("/settings/general", "settings_general"),
        ("/order-list", "order-list"),
        ("/a/b/c", "a_b_c"),
        ("/users/", "users_"),
        ("/v1.2/notes", "v1.2_notes"),
        ("/#/users", "~23_users"),
        ("/search?q=a b", "search~3Fq~3Da~20b"),
        ("/café", "caf~C3~A9"),
        ("/~me", "~7Eme"),
        ("/.hidden", "~2Ehidden"),
        ("/.", "~2E"),
        ("/..", "~2E."),
        ("/../etc/passwd", "~2E._etc_passwd"),
        ("/a\\b", "a~5Cb"),
        ("/a\x00b", "a~00b"),
    ],
)
def test_a_route_becomes_a_slug(route: str, slug: str) -> None:
    assert plain_slug(route) == slug
    assert slugs_for([route]) == {route: slug}


def test_a_slug_of_120_characters_is_kept_and_one_more_is_cut_to_a_digest() -> None:
    fits, long = "/" + "x" * MAX_SLUG, "/" + "x" * (MAX_SLUG + 1)

    slugs = slugs_for([fits, long])

    assert slugs[fits] == "x" * MAX_SLUG
    assert re.fullmatch(r"x{111}-[0-9a-f]{8}", slugs[long])


@pytest.mark.parametrize("other", ["/a_b", "/A/b", "/A_B"])
def test_of_two_routes_with_one_slug_the_first_in_sorted_order_keeps_it(other: str) -> None:
    first, second = sorted(["/a/b", other])

    slugs = slugs_for([second, first])

    assert slugs[first] == plain_slug(first)
    assert re.fullmatch(re.escape(plain_slug(second)) + "-[0-9a-f]{8}", slugs[second])


def test_a_route_named_like_the_root_does_not_take_its_slug() -> None:
    slugs = slugs_for(["/_root", "/"])

    assert slugs["/"] == "_root"
    assert slugs["/_root"] != "_root"


@given(st.sets(ROUTES, max_size=8))
@example({"/a/b", "/a_b", "/A_B"})
def test_a_slug_is_a_file_name(routes: set[str]) -> None:
    for slug in slugs_for(routes).values():
        assert re.fullmatch(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*", slug)
        assert len(slug) <= MAX_SLUG
        assert PurePosixPath(slug).name == slug


@given(st.sets(ROUTES, max_size=8))
def test_no_two_routes_share_a_slug_even_where_case_does_not_count(routes: set[str]) -> None:
    slugs = slugs_for(routes)

    assert slugs.keys() == routes
    assert len({slug.lower() for slug in slugs.values()}) == len(routes)


@given(st.lists(ROUTES, max_size=8), st.lists(ROUTES, max_size=8))
def test_a_later_selection_never_changes_an_earlier_slug(
    earlier: list[str], later: list[str]
) -> None:
    before = slugs_for(earlier)

    after = slugs_for(later, before)

    assert before.items() <= after.items()
    assert len({slug.lower() for slug in after.values()}) == len(after)


@given(st.lists(ROUTES, max_size=8))
def test_the_order_in_which_routes_are_given_does_not_matter(routes: list[str]) -> None:
    assert slugs_for(routes) == slugs_for(reversed(routes))


def test_a_slug_with_a_digest_does_not_take_one_that_looks_just_like_it() -> None:
    with_digest = slugs_for(["/a/b", "/a_b"])["/a_b"]
    taken = slugs_for(["/a/b", f"/{with_digest}"])

    slugs = slugs_for(["/a_b"], taken)

    assert len(set(slugs.values())) == 3


def test_a_job_is_named_by_its_slug() -> None:
    assert explore_job("settings_general") == "explore:settings_general"
