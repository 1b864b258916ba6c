"""Scripts of bugs at work in browsers that are open already.

A script mostly waits, and a browser of its own would cost it more than its checks. So the file that
`mazewave report` writes is loaded as a module, and its `outcome` is called with the browser of one
of a few threads. Invariant: each run has a module of its own, hence constants of its own.
"""

import importlib.util
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage
from playwright.sync_api import Error as PlaywrightError

from contract.action_tree import Bug
from coordinator.reporting.distinct import FoundBug, distinct
from coordinator.reporting.scripts import file_names, script
from tests.support.chromium import chromium

T = TypeVar("T")
BROWSERS = 4
CRASH = "practice: crash now"


class App(NamedTuple):
    """An app that runs, and the login of somebody who may use it."""

    url: str
    storage_state: Path | None = None

    @property
    def words(self) -> list[str]:
        state = ["--storage-state", str(self.storage_state)] if self.storage_state else []
        return ["--base-url", self.url, *state]


class Said(NamedTuple):
    """How a script ended: its exit code and its last sentence."""

    code: int
    words: str


def written(folder: Path, route: str, found: Bug) -> Path:
    """The script of a bug, as `mazewave report` writes it."""
    (one,) = distinct([FoundBug(route, "a", found)])
    path = folder / file_names([one])[one.id]
    path.write_text(script(one, path.name, "http://x", "read-only"))
    return path


class CrashingBrowser:
    """A browser whose pages really die when they ask for it in the console."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def new_context(self, **wishes: Any) -> BrowserContext:
        context = self._browser.new_context(**wishes)

        def listen(line: ConsoleMessage) -> None:
            if line.text == CRASH and line.page is not None:
                with suppress(PlaywrightError):  # the page is gone before it can answer
                    context.new_cdp_session(line.page).send("Page.crash")

        context.on("console", listen)
        return context


class Stage:
    """Runs jobs in browsers; they wait side by side."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Callable[[Browser], None] | None] = SimpleQueue()

    def work(self) -> None:
        """What a thread does: it keeps one browser until there is nothing more to do."""
        with chromium() as browser:
            for job in iter(self.jobs.get, None):
                job(browser)

    def submit(self, work: Callable[[Browser], T]) -> "Future[T]":
        """Do it in the next browser that is free."""
        future: Future[T] = Future()

        def job(browser: Browser) -> None:
            try:
                future.set_result(work(browser))
            except BaseException as error:  # noqa: BLE001 - the test that waits for it raises it
                future.set_exception(error)

        self.jobs.put(job)
        return future

    def show(self, path: Path, app: App, *more: str, **quicker: float) -> "Future[Said]":
        """What a script says of an app; `quicker` are constants of it that cost time."""

        def work(browser: Browser) -> Said:
            shown = loaded(path)
            for name, value in quicker.items():
                assert hasattr(shown, name)
                setattr(shown, name, value)
            picture = ["--screenshot", str(path.with_suffix(".png"))]
            options = shown.wishes([*app.words, *picture, *more])
            return Said(*shown.outcome(CrashingBrowser(browser), options))

        return self.submit(work)


def loaded(path: Path) -> ModuleType:
    """A script as a module of its own; nothing happens until it is asked."""
    spec = importlib.util.spec_from_file_location(path.stem.replace("-", "_"), path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def open_stage() -> Iterator[Stage]:
    """A few browsers, each with a thread."""
    stage = Stage()
    threads = [threading.Thread(target=stage.work) for _ in range(BROWSERS)]
    for thread in threads:
        thread.start()
    yield stage
    for _ in threads:
        stage.jobs.put(None)
    for thread in threads:
        thread.join()
