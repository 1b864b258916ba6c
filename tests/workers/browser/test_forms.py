"""What is typed into a field: valid, synthetic, and the same in every run."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.browser.forms import agrees, invalid_for, is_secret, value_for
from workers.browser.page_port import Control, Field
from workers.browser.patterns import text_for


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


MEANINGS = {
    "Maze": ("Last name", "Nachname", "Nom de famille", "Apellidos", "姓氏", "苗字"),
    "maze@example.invalid": (
        *("Your e-mail", "E-Mail-Adresse", "Adresse e-mail", "Correo electrónico"),
        *("电子邮件", "メールアドレス"),
    ),
    "555-0100": ("Phone", "Telefonnummer", "Téléphone", "Teléfono móvil", "手机号码", "電話番号"),
    "12345": ("Zip code", "Postleitzahl", "Code postal", "Código postal", "邮政编码", "郵便番号"),
    "Springfield": ("Town", "Wohnort", "Ville", "Ciudad", "城市", "市区町村"),
    "1 Test Street": ("Street", "Straße", "Rue", "Dirección", "地址", "住所"),
    "12.50": ("Price", "Preis in Euro", "Prix", "Importe", "价格", "価格"),
    "3": ("Quantity", "Anzahl", "Quantité", "Cantidad", "数量", "個数"),
}


@pytest.mark.parametrize(
    ("label", "value"), [(label, value) for value, labels in MEANINGS.items() for label in labels]
)
def test_a_label_is_understood_in_each_language(label: str, value: str) -> None:
    assert value_for(field(label)) == value


@pytest.mark.parametrize(
    "label",
    [
        *("Card number", "Kennwort", "Mot de passe", "Contraseña", "密码", "パスワード"),
        *("Security code", "Einmalcode", "Code de vérification", "Código de seguridad", "验证码"),
        *("認証コード", "Confirm password", "Passwort wiederholen"),
    ],
)
def test_what_only_its_owner_may_give_is_typed_in_no_language(label: str) -> None:
    assert value_for(field(label)) is None
    assert invalid_for(field(label)) is None


@pytest.mark.parametrize("name", ["userEmail", "user_email", "user[email]", "contact.email"])
def test_a_name_is_read_as_words(name: str) -> None:
    assert value_for(field(name=name)) == "maze@example.invalid"


@pytest.mark.parametrize(
    ("token", "value"),
    [("shipping postal-code", "12345"), ("name", "Ada Maze"), ("bday-year", "2026")],
)
def test_autocomplete_says_more_than_the_label(token: str, value: str) -> None:
    assert value_for(field("Field 7", autocomplete=token)) == value


@pytest.mark.parametrize("kind", ["date", "time", "datetime-local", "month", "week"])
@pytest.mark.parametrize("label", ["End", "Bis", "Date de fin", "Hasta", "结束日期", "終了日"])
def test_the_end_of_a_range_is_after_its_start(kind: str, label: str) -> None:
    start, end = value_for(field("Start", kind=kind)), value_for(field(label, kind=kind))
    assert start is not None
    assert end is not None
    assert start < end


@pytest.mark.parametrize(
    ("limits", "value"),
    [
        ({"min": "2030-05-01"}, "2030-05-01"),
        ({"max": "2020-05-01"}, "2020-05-01"),
        ({"min": "2020-01-01", "max": "2020-05-01"}, "2020-01-01"),
    ],
)
def test_a_date_stays_within_its_limits(limits: dict[str, str], value: str) -> None:
    assert value_for(field(kind="date", **limits)) == value


def test_a_text_is_as_long_as_it_has_to_be() -> None:
    assert len(value_for(field("Comment", minlength=40)) or "") == 40
    assert len(value_for(field("Comment", maxlength=4)) or "") == 4
    assert len(value_for(field(pattern="[a-z]+", minlength=9)) or "") == 9


def test_a_list_of_suggestions_gives_one_of_them() -> None:
    assert value_for(field("Team", options=("", "Red", "Blue"))) == "Red"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"[A-Z]{2}\d{6}", "AB012345"),
        (r"^\+?[0-9]{3}-[0-9]{4}$", "012-0123"),
        (r"(foo|bar)-\d", "foo-0"),
        (r"(?:[A-F0-9]{2}:){5}[A-F0-9]{2}", "AB:AB:AB:AB:AB:AB"),
        (r"[1-9]\d{0,2}(\.[1-9]){3}", "10.1.1.1"),
        (r"[^@\s]+@[^@\s]+", "a@a"),
        (r"(?<year>\d{4})-W\d\d", "0123-W00"),
        (r"\/[a-z]*", "/a"),
        (r"(a+)+b", "ab"),
        (r"(?=.*\d).{8,}", None),
        (r"(a)\1", None),
        (r"[z-a]", None),
        (r"(((", None),
        ("(" * 500, None),
        (r"a{99999}", None),
    ],
)
def test_a_pattern_gives_a_text_without_being_run(pattern: str, text: str | None) -> None:
    assert text_for(pattern) == text


@given(st.text(max_size=40), st.integers(0, 20))
def test_any_pattern_gives_a_text_or_none(pattern: str, shortest: int) -> None:
    made = text_for(pattern, shortest)
    assert made is None or len(made) >= shortest


@given(st.text("ab()[]{}*+?|\\d.^$,-19", max_size=30))
def test_no_pattern_of_a_page_takes_for_ever(pattern: str) -> None:
    value_for(field("Name", pattern=pattern, minlength=3))


@pytest.mark.parametrize(
    ("control", "value"),
    [
        (field(kind="email"), "not a mail address"),
        (field("Homepage", kind="url"), "not an address"),
        (field("E-mail"), "not a mail address"),
        (field(kind="number", min="1"), "0"),
        (field(kind="number", max="9"), "10"),
        (field(pattern=r"\d+"), "\u2603"),
        (field(minlength=3), "m"),
        (field("Anything"), None),
        (field(kind="number"), None),
        (field(kind="date"), None),
    ],
)
def test_what_a_field_should_not_take_contradicts_what_it_says(
    control: Control, value: str | None
) -> None:
    assert invalid_for(control) == value


@pytest.mark.parametrize(
    "label",
    [
        *("I agree to the terms", "Ich akzeptiere die AGB", "J'accepte les conditions générales"),
        *("Acepto los términos", "我已阅读并同意条款", "利用規約に同意する"),
    ],
)
def test_a_box_that_agrees_is_ticked_and_others_only_if_they_have_to_be(label: str) -> None:
    box = Control(key="b", label=label, role="checkbox", checked=False)
    other = msgspec.structs.replace(box, label="Send me news")
    assert agrees(box)
    assert not agrees(msgspec.structs.replace(box, checked=True))
    assert not agrees(other)
    assert agrees(msgspec.structs.replace(other, required=True))
