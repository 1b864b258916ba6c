"""A run at a terminal: the question, the live view, forty columns, and Ctrl-C."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from coordinator.errors import ExitCode
from tests.journeys.stage import LONG_S, App, Place, command, finish, wait_for_line
from tests.support.jobs import wait_for

COLUMNS = 40
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command at a pseudo-terminal of forty columns; `text` is what it has shown so far."""

    def __init__(self, place: Place, *words: str) -> None:
        near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        env = place.env(TERM="xterm-256color")
        env.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [str(command()), *words],
            cwd=place.folder,
            env=env,
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 - no other thread of ours holds a lock
        )
        os.close(far)
        self._near = near
        self._shown = b""
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    @property
    def text(self) -> str:
        return self._shown.decode(errors="replace")

    def type(self, text: str) -> None:
        os.write(self._near, text.encode())

    def wait_for(self, words: str) -> None:
        wait_for(lambda: words in self.text, LONG_S)

    def end(self) -> int:
        code = self.process.wait(timeout=LONG_S)
        self._reader.join()
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        os.close(self._near)

    def _read(self) -> None:
        try:
            while part := os.read(self._near, 65536):
                self._shown += part
        except OSError:
            return  # The other end is closed.


def _own_terminal() -> None:
    """So that Ctrl-C reaches the command."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(place: Place, *words: str) -> Iterator[Terminal]:
    opened = Terminal(place, *words)
    try:
        yield opened
    finally:
        opened.close()


def test_at_a_terminal_it_asks_and_shows_what_runs_in_forty_columns(
    practice: App, place: Place
) -> None:
    place.map("/toasts", "/submenu")
    with terminal(place, "explore", practice.url, "-c", "1") as user:
        user.wait_for("Go ahead? [Y/n]")
        user.type("\n")
        assert user.end() == ExitCode.OK, user.text
    drawn = ESCAPE.sub("", user.text.partition("starting the local workers")[2])
    live = [line for line in re.split(r"[\r\n]+", drawn) if "━" in line]
    assert live
    assert max(len(line.rstrip()) for line in live) <= COLUMNS
    assert re.search(r"Exploring [━╸╺]+ 1/2", drawn)
    assert "✓ /toasts" in drawn
    assert place.leftovers() == []


def test_a_no_leaves_everything_as_it_was(practice: App, place: Place) -> None:
    place.map("/toasts")
    with terminal(place, "explore", practice.url) as user:
        user.wait_for("Go ahead? [Y/n]")
        user.type("n\n")
        assert user.end() == ExitCode.DECLINED
    assert "nothing was done" in user.text
    assert not (place.folder / ".monkey-test-state.json").exists()


def test_ctrl_c_finishes_what_runs_and_the_next_run_completes(practice: App, place: Place) -> None:
    place.map("/toasts", "/wizard", "/submenu", "/validation")
    with terminal(place, "explore", practice.url, "-y", "-c", "1") as user:
        user.wait_for("✓ /toasts")
        user.type("\x03")
        user.wait_for("stopping: ")
        assert user.end() == ExitCode.INTERRUPTED, user.text
    shown = " ".join(ESCAPE.sub("", user.text).split())
    assert "Ctrl-C again leaves" in shown
    assert "go on with: mazewave explore --concurrency 1" in shown
    done = set(place.state().completed)
    assert {"/toasts"} <= done
    assert place.state().pending
    assert place.leftovers() == []
    again = place.run("explore", "-c", "1")
    assert again.code == ExitCode.OK, again
    assert f"3 routes to test ({len(done)}" in again.err or len(done) > 1
    assert "4 of 4 routes tested" in again.out


def test_ctrl_c_twice_leaves_now_and_loses_nothing(practice: App, place: Place) -> None:
    place.map("/toasts", "/wizard", "/submenu", "/validation")
    process = place.start("explore", practice.url, "-y", "-c", "1")
    place.wait_for_reports(1, process)
    process.send_signal(signal.SIGINT)
    wait_for_line(process, "stopping")
    process.send_signal(signal.SIGINT)
    ended = finish(process)
    assert ended.code == ExitCode.INTERRUPTED, ended
    assert "go on with: mazewave explore --concurrency 1" in ended.err
    assert place.state().pending
    wait_for(place.is_clean)
    again = place.run("explore", "-c", "1")
    assert again.code == ExitCode.OK, again
    assert "4 of 4 routes tested" in again.out
