"""The login recipe and the storage state, as a user writes them."""

from pathlib import Path

import pytest

from coordinator.errors import RequestError
from coordinator.records import recipe, storage_state

GOOD = """
url = "/login"
submit = "button[type=submit]"
[fields]
"#email" = { value = "demo@example.com" }
"#password" = { env = "SHOP_PASSWORD" }
[success]
cookie = "session"
"""


def test_a_recipe_is_read_in_order() -> None:
    found = recipe.parse(GOOD, "login.toml")
    assert list(found.fields) == ["#email", "#password"]
    assert found.success.cookie == "session"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('{ env = "SHOP_PASSWORD" }', '{ value = "hunter2" }', "looks like a password"),
        ('{ env = "SHOP_PASSWORD" }', "{ }", "exactly one of value, env and file"),
        ('{ env = "SHOP_PASSWORD" }', '{ env = "A", file = "b" }', "exactly one"),
        ('{ env = "SHOP_PASSWORD" }', '{ envv = "A" }', "exactly one"),
        ('cookie = "session"', "", "[success] is empty"),
        ('url = "/login"', "", "url"),
        ('url = "/login"', "url = 3", "$.url"),
        ('submit = "button[type=submit]"', "submit = ", "line 3"),
        ("[success]", "[succes]", "succes is not known"),
    ],
)
def test_a_problem_names_file_and_place(old: str, new: str, says: str) -> None:
    with pytest.raises(RequestError) as caught:
        recipe.parse(GOOD.replace(old, new), "login.toml")
    assert caught.value.sentence.startswith("login.toml")
    assert says in caught.value.sentence
    assert "hunter2" not in caught.value.sentence + caught.value.hint


def test_a_relative_secret_file_counts_from_the_recipe(tmp_path: Path) -> None:
    path = tmp_path / "login.toml"
    path.write_text(GOOD.replace('{ env = "SHOP_PASSWORD" }', '{ file = "secret" }'))
    found = recipe.load(path)
    assert found.fields["#password"].file == str(tmp_path / "secret")
    assert recipe.missing_secrets(found) == [f"the file {tmp_path / 'secret'}"]


def test_a_storage_state_is_checked_but_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"cookies": [{"name": "s", "value": "secret"}], "origins": [], "more": 1}')
    assert b"secret" in storage_state.load(path)
    path.write_text('{"cookies": [{"name": "s", "value": ["secret"]}]}')
    with pytest.raises(RequestError) as caught:
        storage_state.load(path)
    assert "secret" not in caught.value.sentence


@pytest.mark.parametrize("load", [recipe.load, storage_state.load])
def test_a_missing_file_is_the_request_s_fault(load: object, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="there is no"):
        load(tmp_path / "none")  # type: ignore[operator]
