"""What is typed into a field: valid, synthetic, and the same in every run."""

from typing import Any

import msgspec
import pytest

from workers.browser.forms import is_secret, value_for
from workers.browser.page_port import Control, Field


def field(label: str = "", **more: Any) -> Control:
    return Control(
        key="f",
        label=label,
        role="textbox",
        tag="input",
        field=Field(**({"kind": "text"} | more)),
    )


@pytest.mark.parametrize(
    ("control", "value"),
    [
        (field(kind="email"), "maze@example.invalid"),
        (field("E-mail"), "maze@example.invalid"),
        (field(name="user_email"), "maze@example.invalid"),
        (field(kind="tel"), "555-0100"),
        (field("Mobile phone"), "555-0100"),
        (field(kind="url"), "https://example.invalid/"),
        (field(kind="date"), "2026-01-15"),
        (field(kind="time"), "10:30"),
        (field(kind="month"), "2026-01"),
        (field(kind="color"), "#336699"),
        (field(kind="search"), "maze"),
        (field("First name"), "Ada"),
        (field(autocomplete="family-name"), "Maze"),
        (field("City"), "Springfield"),
        (field("Quantity"), "3"),
        (field("Unit price"), "12.50"),
        (field("Anything else"), "Maze test"),
        (field(kind="textarea"), "A text that a test wrote."),
    ],
)
def test_a_field_gets_a_value_by_its_type_name_or_label(control: Control, value: str) -> None:
    assert value_for(control) == value


@pytest.mark.parametrize(
    ("limits", "value"),
    [
        ({}, "3"),
        ({"min": "10"}, "10"),
        ({"max": "2"}, "2"),
        ({"min": "1", "max": "5"}, "1"),
        ({"min": "0.5", "step": "0.5"}, "0.5"),
        ({"min": "-5", "max": "-1"}, "-5"),
    ],
)
def test_a_number_stays_within_its_limits(limits: dict[str, str], value: str) -> None:
    assert value_for(field(kind="number", **limits)) == value


def test_a_slider_moves_away_from_its_lower_end() -> None:
    assert value_for(field(kind="range", min="0", max="100", step="10")) == "10"


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"\d{5}", "01234"),
        (r"[0-9]{12}", "012345678901"),
        (r"[A-Z]{3}", "ABC"),
        (r"[a-z]{2}", "ab"),
        (r"[A-Z]+-[0-9]+", "ABC-123"),
        (r"[a-z]+", "maze"),
    ],
)
def test_a_pattern_is_kept(pattern: str, value: str) -> None:
    assert value_for(field(pattern=pattern)) == value


def test_a_pattern_that_python_cannot_read_is_no_obstacle() -> None:
    assert value_for(field(pattern=r"\p{L}+")) == "Maze test"


def test_a_value_is_cut_to_the_length_that_fits() -> None:
    assert value_for(field(maxlength=4)) == "Maze"


def test_of_a_list_the_first_option_that_is_not_shown_already_is_chosen() -> None:
    assert value_for(field(kind="select", options=("all", "open", "closed"))) == "open"
    assert value_for(field(kind="select", options=("", "", "closed"))) == "closed"


@pytest.mark.parametrize(
    "control",
    [
        field("Password", kind="password"),
        field("API token"),
        field("Card number"),
        field(name="otp"),
        field("IBAN"),
        field(autocomplete="one-time-code"),
        field("Passwort"),
        field("Contraseña"),
        field("PIN"),
    ],
)
def test_what_only_its_owner_may_give_is_never_typed(control: Control) -> None:
    assert is_secret(control)
    assert value_for(control) is None


@pytest.mark.parametrize("label", ["Shipping address", "Opinion", "Spinner speed"])
def test_a_word_that_only_contains_a_secret_one_is_typed(label: str) -> None:
    assert not is_secret(field(label))


@pytest.mark.parametrize(
    "control",
    [
        msgspec.structs.replace(field(), disabled=True),
        field(kind="file"),
        field(kind="multiple", options=("a", "b")),
        field(kind="select", options=("only",)),
        Control(key="b", label="Save"),
    ],
    ids=["disabled", "file", "multiple", "one option", "not a field"],
)
def test_a_control_without_a_value_is_left_alone(control: Control) -> None:
    assert value_for(control) is None
