"""A Chromium for tests that look at a page through Playwright's own API."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

from workers.browser.chromium import Found, find, launch_options


def found_browser() -> Found:
    """Skips on a machine without a browser, fails in CI."""
    found = find(os.environ.get("MAZEWAVE_BROWSER", ""))
    if found.problem:
        if os.environ.get("CI"):
            raise RuntimeError(found.problem)
        pytest.skip(found.problem)
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    options = launch_options(found_browser())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)  # type: ignore[arg-type]
        yield browser
        browser.close()
