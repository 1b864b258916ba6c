"""A run on one machine with nothing installed: private broker, blob folder, local workers.

Invariant: everything it starts is gone when the process that holds it is, whatever way that ends;
the data in the folder stays, so that the next start goes on, until somebody says that it is over.
The work is done by `keeper.py`, a process of its own, because a process that is killed cannot clean
up after itself.
"""

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from coordinator.embedded import temp
from coordinator.errors import HostError

START_S = 90.0
ANSWER_S = 20.0
GRACE_S = 5.0
"""What workers get to leave at the end; by then they are idle."""


@dataclass(frozen=True)
class Pids:
    """The processes of an embedded run. `restarts` counts workers that had to be started again."""

    keeper: int
    broker: int
    workers: tuple[int, ...]
    restarts: int = 0
    last_exit: int | None = None

    def everybody(self) -> tuple[int, ...]:
        return (self.keeper, self.broker, *self.workers)


class EmbeddedRun:
    """Started by `with`; thread-safe. `folder` is `{project}/.mazewave`.

    `fresh` says that nobody goes on with what an earlier run may have left there.
    """

    def __init__(
        self,
        folder: Path,
        worker_command: Sequence[str],
        workers: int,
        env: Mapping[str, str] | None = None,
        *,
        fresh: bool = False,
    ) -> None:
        self._folder = folder.absolute()
        self._spec = {
            "folder": str(self._folder),
            "command": list(worker_command),
            "workers": workers,
            "env": dict(env or {}),
            "fresh": fresh,
        }
        self._over = False
        self._keeper: subprocess.Popen[bytes] | None = None
        self._asking = threading.Lock()
        self._unread = b""
        self.broker_url = ""
        self.blobs_url = str(self._folder / "blobs")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Raises `HostError`; what was started until then is taken down."""
        prepare(self._folder)
        with (self._folder / "logs" / "keeper.log").open("ab") as log:
            self._keeper = subprocess.Popen(
                [sys.executable, "-m", "coordinator.embedded.keeper"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        with ExitStack() as undo:
            undo.callback(self.close)
            hello = self._ask(self._spec, START_S)
            if "sentence" in hello:
                raise HostError(hello["sentence"], hello["hint"])
            undo.pop_all()
        self.broker_url = hello["url"]

    def pids(self) -> Pids:
        return _pids(self._ask({"do": "state"}, ANSWER_S))

    def scale(self, workers: int) -> None:
        """Start more workers, or let the last ones finish their job and go."""
        self._ask({"do": "scale", "workers": workers}, ANSWER_S)

    def drain(self) -> None:
        """Let every worker finish its job and go; the broker stays."""
        self.scale(0)

    def over(self, yes: bool = True) -> None:
        """If all is done, `close` removes the broker's data and the blobs, and leaves the logs."""
        self._over = yes

    def close(self, grace_s: float = GRACE_S) -> None:
        """Take everything down; harmless when it is down already."""
        keeper, self._keeper = self._keeper, None
        if keeper is None or keeper.stdin is None or keeper.stdout is None:
            return
        try:
            down = {"do": "down", "grace_s": grace_s, "forget": self._over}
            keeper.stdin.write(_line(down))
            keeper.stdin.flush()
        except BrokenPipeError:
            pass  # It is gone, and the kernel took its children along.
        finally:
            _close_quietly(keeper)
        try:
            keeper.wait(timeout=grace_s + ANSWER_S)
        except subprocess.TimeoutExpired:
            keeper.kill()
            keeper.wait()
        temp.drop(self._folder)  # Its keeper has done so, unless it was killed.

    def _ask(self, command: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        with self._asking:
            keeper = self._keeper
            if keeper is None or keeper.stdin is None or keeper.stdout is None:
                raise HostError("The embedded run is not running.", "Start it first.")
            try:
                keeper.stdin.write(_line(command))
                keeper.stdin.flush()
            except BrokenPipeError:
                raise self._gone() from None
            reply: dict[str, Any] = json.loads(self._read_line(keeper.stdout.fileno(), seconds))
            return reply

    def _read_line(self, stream: int, seconds: float) -> bytes:
        while b"\n" not in self._unread:
            ready, _, _ = select.select([stream], [], [], seconds)
            part = os.read(stream, 65536) if ready else b""
            if not part:
                raise self._gone()
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _gone(self) -> HostError:
        log = self._folder / "logs" / "keeper.log"
        return HostError("The private broker and the local workers are gone.", f"Read {log}.")


def prepare(folder: Path) -> None:
    """The run's folder: for the user's eyes only, and never in version control."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    for name in ("broker", "blobs", "logs"):
        (folder / name).mkdir(exist_ok=True, mode=0o700)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _pids(state: Mapping[str, Any]) -> Pids:
    return Pids(
        keeper=state["keeper"],
        broker=state["broker"],
        workers=tuple(state["workers"]),
        restarts=state["restarts"],
        last_exit=state["last_exit"],
    )


def _close_quietly(keeper: subprocess.Popen[bytes]) -> None:
    """Closing flushes, which fails when the other end is gone."""
    for stream in (keeper.stdin, keeper.stdout):
        if stream is None:
            continue
        try:
            stream.close()
        except BrokenPipeError:
            continue
