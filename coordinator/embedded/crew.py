"""The local workers of an embedded run: as many as wanted, restarted when they exit.

Invariant: a worker that exits comes back, later and later while it keeps failing; the browsers of a
dead one die. Driven by `tick` from one thread, because the kernel ties a child to the thread that
started it. Leaves out Valkey and the parent: `keeper.py`.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from coordinator.embedded.ties import die_with_parent

STEADY_S = 30.0
"""A worker that lived this long starts at once when it exits."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 30.0
LOG_LIMIT = 5 * 1024 * 1024
SWEEP_S = 10.0
"""Browsers can come home late: first their driver has to notice that the worker is gone."""

NAME_VARIABLE = "MAZEWAVE_WORKER_NAME"


@dataclass
class Post:
    """The place of one worker, filled by one process after the other."""

    name: str
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    due_at: float = 0.0
    failures: int = 0


@dataclass
class Crew:
    command: Sequence[str]
    env: Mapping[str, str]
    logs: Path
    wanted: int = 0
    restarts: int = 0
    last_exit: int | None = None
    posts: dict[int, Post] = field(default_factory=dict)
    _sweep_until: float = 0.0

    def pids(self) -> list[int]:
        return [post.process.pid for post in self.posts.values() if post.process is not None]

    def scale(self, wanted: int) -> None:
        self.wanted = max(0, wanted)
        for number, post in self.posts.items():
            if number > self.wanted and post.process is not None:
                post.process.send_signal(signal.SIGTERM)

    def tick(self, known: set[int]) -> None:
        """Reap, restart, start what is missing; kill orphans that are not among `known` pids."""
        now = time.monotonic()
        for number in list(self.posts):
            self._reap(number, now)
        for number in range(1, self.wanted + 1):
            self._fill(number, now)
        if now < self._sweep_until:
            self.kill_orphans(known)
        self._bound_logs()

    def signal_all(self, number: int) -> None:
        for post in self.posts.values():
            if post.process is not None and post.process.poll() is None:
                post.process.send_signal(number)

    def kill_orphans(self, known: set[int]) -> None:
        """End children that are not ours by birth, with all below them, unless a worker lives."""
        names = {post.name for post in self.posts.values() if post.process is not None}
        mine = known | set(self.pids())
        for child in psutil.Process().children():
            if child.pid not in mine and _owner(child) not in names:
                _kill_tree(child)

    def _reap(self, number: int, now: float) -> None:
        post = self.posts[number]
        if post.process is None or post.process.poll() is None:
            return
        self.last_exit = post.process.returncode
        post.process = None
        self._sweep_until = now + SWEEP_S
        if number > self.wanted:
            del self.posts[number]
            return
        self.restarts += 1
        post.failures = 0 if now - post.started_at > STEADY_S else post.failures + 1
        post.due_at = now + min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0**post.failures)

    def _fill(self, number: int, now: float) -> None:
        post = self.posts.setdefault(number, Post(name=f"worker-{number}"))
        if post.process is None and now >= post.due_at:
            post.process = self._launch(post.name)
            post.started_at = now

    def _launch(self, name: str) -> subprocess.Popen[bytes]:
        env = {**self.env, NAME_VARIABLE: name, "MAZEWAVE_PARENT_PID": str(os.getpid())}
        with self._log(name).open("ab") as log:
            return subprocess.Popen(
                list(self.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=env,
                start_new_session=True,
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - the keeper has one thread
            )

    def _log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def _bound_logs(self) -> None:
        """The workers hold the file open for appending, so it is copied and cut, not renamed."""
        for post in self.posts.values():
            log = self._log(post.name)
            with suppress(OSError):
                if log.stat().st_size > LOG_LIMIT:
                    shutil.copyfile(log, log.with_suffix(".log.1"))
                    os.truncate(log, 0)


def _owner(process: psutil.Process) -> str | None:
    """The worker whose environment the process inherited; none when it cannot be told."""
    try:
        return process.environ().get(NAME_VARIABLE)
    except psutil.Error:
        return None


def _kill_tree(process: psutil.Process) -> None:
    with suppress(psutil.Error):
        for below in [*process.children(recursive=True), process]:
            with suppress(psutil.Error):
                below.kill()
        process.wait(timeout=1.0)
