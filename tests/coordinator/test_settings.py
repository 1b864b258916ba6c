"""The four layers of settings, and what is said about a bad value."""

from pathlib import Path

import pytest

from contract.vocabulary import Policy
from coordinator.errors import RequestError
from coordinator.planning.selection import choose
from coordinator.settings import load


def in_file(folder: Path, text: str) -> dict[str, str]:
    (folder / "mazewave.toml").write_text(text)
    return {"project": str(folder)}


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path) -> None:
    flags = in_file(tmp_path, 'policy = "safe"\nconcurrency = 3\nnamespace = "file"\n')
    env = {"MAZEWAVE_CONCURRENCY": "5", "MAZEWAVE_NAMESPACE": "env"}
    found = load({**flags, "namespace": "flag"}, env)
    assert (found.namespace, found.concurrency, found.policy) == ("flag", 5, Policy.SAFE)
    assert found.sources["namespace"] == "--namespace"
    assert found.sources["concurrency"] == "MAZEWAVE_CONCURRENCY"
    assert found.sources["policy"].endswith("mazewave.toml")
    assert found.sources["preset"] == "default"


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ('polcy = "safe"', "unknown key polcy", "did you mean policy?"),
        ('policy = "reckless"', "policy in", "how far"),
        ("concurrency = 0", "must be between 1 and 256", ""),
        ('concurrency = "many"', "must be a whole number", ""),
        ("noise = 3", "must be a list of texts", ""),
        ('noise = ["beta", "[odd"]', "number 2, '[odd': unterminated", "correct it"),
        ("policy = ", "is no TOML", "line"),
    ],
)
def test_a_bad_value_names_the_file_and_the_key(
    tmp_path: Path, text: str, says: str, hint: str
) -> None:
    with pytest.raises(RequestError) as caught:
        load(in_file(tmp_path, text), {})
    assert says in caught.value.sentence
    assert "mazewave.toml" in caught.value.sentence
    assert hint in caught.value.hint


def test_a_bad_variable_is_named() -> None:
    with pytest.raises(RequestError, match="MAZEWAVE_METRICS_PORT must be"):
        load({}, {"MAZEWAVE_METRICS_PORT": "web"})


@pytest.mark.parametrize(
    "url", ["localhost:5000", "ftp://x", "http://", "http://a:b@x/", "http://x:p"]
)
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(RequestError):
        load({"url": url}, {})


def test_a_url_is_kept_in_one_form() -> None:
    assert load({"url": "http://Shop.TEST:5000/app/?x#y"}, {}).url == "http://shop.test:5000/app"


def test_two_ways_to_log_in_are_one_too_many() -> None:
    with pytest.raises(RequestError, match="both given"):
        load({"login": "a.toml", "storage_state": "b.json"}, {})


ROUTES = ("/a", "/settings/x", "/settings/y")
CATEGORIES = {"Settings": ("/settings/x", "/settings/y")}


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ((), ROUTES),
        (("all",), ROUTES),
        (("settings",), ROUTES[1:]),
        (("/settings/*",), ROUTES[1:]),
        (("/settings/y/", "/a"), ("/a", "/settings/y")),
    ],
)
def test_words_choose_routes_in_the_order_of_the_map(
    words: tuple[str, ...], chosen: tuple[str, ...]
) -> None:
    assert choose(ROUTES, CATEGORIES, words) == chosen


@pytest.mark.parametrize(
    ("word", "hint"),
    [("Setings", "did you mean 'Settings'?"), ("/setings/x", "/settings/x"), ("zzz", "'Settings'")],
)
def test_an_unknown_choice_names_the_near_ones(word: str, hint: str) -> None:
    with pytest.raises(RequestError) as caught:
        choose(ROUTES, CATEGORIES, (word,))
    assert hint in caught.value.hint
