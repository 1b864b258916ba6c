"""Secrets of a login: where they come from, and that no message ever holds one."""

from pathlib import Path

import pytest

from contract.login import FieldValue
from workers.browser.session import secret
from workers.kit.duty import LoginFailed


def test_a_value_is_given_in_the_recipe() -> None:
    assert secret("#user", FieldValue(value="admin")) == "admin"


def test_a_value_may_be_empty() -> None:
    assert secret("#note", FieldValue(value="")) == ""


def test_a_secret_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "corner ")

    assert secret("#password", FieldValue(env="SHOP_PASSWORD")) == "corner "


def test_a_secret_is_read_from_a_file_without_its_last_newline(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text(" corner \n")

    assert secret("#password", FieldValue(file=str(path))) == " corner "


def test_a_missing_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOP_PASSWORD", raising=False)

    with pytest.raises(LoginFailed, match="environment variable SHOP_PASSWORD"):
        secret("#password", FieldValue(env="SHOP_PASSWORD"))


def test_a_missing_file_is_named_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(LoginFailed, match=r"nowhere: No such file"):
        secret("#password", FieldValue(file=str(tmp_path / "nowhere")))


def test_a_field_without_any_source_is_named() -> None:
    with pytest.raises(LoginFailed, match="no value for #password"):
        secret("#password", FieldValue())
