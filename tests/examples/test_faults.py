"""The planted faults are real, and the clean twin has none of them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import examples.shop
from examples.kit.client import Client
from examples.shop.faults import FAULTS

HOME = Path(examples.shop.__file__).parent
LISTED: list[dict[str, Any]] = tomllib.loads((HOME / "faults.toml").read_text("utf-8"))["fault"]
KINDS = {
    "page_error",
    "unhandled_rejection",
    "console_error",
    "http_5xx",
    "http_4xx",
    "request_failed",
    "dead_control",
    "blank_page",
    "error_page",
    "page_hang",
    "broken_image",
    "broken_resource",
    "stuck_loading",
    "text_leak",
    "layout_overlap",
    "text_clipped",
    "overflow_x",
    "offscreen_control",
    "a11y",
    "focus_trap_broken",
    "dialog_cannot_close",
    "inconsistent",
    "unexpected_login",
    "slow_action",
    "count_mismatch",
}
ANSWERED = frozenset({"F40", "F41", "F42"})
"""Rows that answer well enough, but not what or when they should."""
SERVER_ROWS = [
    pytest.param(method, pattern.replace("{id}", "5001" if "orders" in pattern else "101"), id=name)
    for name, method, pattern, _ in FAULTS
    if name not in ANSWERED
]


def fails(client: Client, method: str, path: str) -> bool:
    """No answer, an error status, or a page without content."""
    try:
        answer = client.ask(method, path)
    except ConnectionError:
        return True
    return answer.status >= 400 or '<div id="root"></div>' in answer.text


@pytest.mark.parametrize(("method", "path"), SERVER_ROWS)
def test_a_planted_fault_fails_on_the_server(planted: Client, method: str, path: str) -> None:
    assert fails(planted, method, path)


@pytest.mark.parametrize(("method", "path"), SERVER_ROWS)
def test_the_clean_twin_answers_the_same_request(clean: Client, method: str, path: str) -> None:
    assert not fails(clean, method, path)


def test_only_the_planted_shop_loads_the_script_that_breaks_it(
    planted: Client, clean: Client
) -> None:
    assert "/static/planted.js" in planted.get("/products").text
    assert "/static/planted.js" not in clean.get("/products").text


def test_the_list_of_faults_is_complete_and_well_formed() -> None:
    names = [fault["id"] for fault in LISTED]

    assert names == [f"F{number:02}" for number in range(1, len(LISTED) + 1)]
    assert {name for name, *_ in FAULTS} <= set(names)
    assert {fault["kind"] for fault in LISTED} == KINDS
    assert {fault["severity"] for fault in LISTED} == {"critical", "major", "minor"}


def test_at_least_forty_faults_are_seen_by_a_read_only_explorer() -> None:
    read_only = [fault for fault in LISTED if "needs" not in fault]

    assert len(read_only) >= 40
    assert len(LISTED) - len(read_only) <= 2


@pytest.mark.parametrize("fault", LISTED, ids=[fault["id"] for fault in LISTED])
def test_a_fault_names_labels_that_the_shop_has(fault: dict[str, Any]) -> None:
    pages = "".join(file.read_text("utf-8") for file in (HOME / "pages").glob("*.html"))

    for label in [*fault["path"], fault["label"]]:
        assert f">{label}<" in pages or f'aria-label="{label}"' in pages or label == ""
