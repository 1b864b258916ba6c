"""`python -m coordinator.embedded.keeper`: owns the private Valkey and the local workers of a run.

It speaks lines of JSON: a specification and then commands come in on stdin, answers go to stdout.
Invariant: the end of stdin means that the parent is gone, in whatever way, and takes everything
down; the keeper stands in a session of its own, so Ctrl-C in the terminal does not reach it, and if
it is killed itself the kernel takes its children along. Few imports, because a user waits for it.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from coordinator.embedded import temp
from coordinator.embedded.crew import Crew
from coordinator.embedded.ties import adopt_orphans, die_with_parent
from coordinator.embedded.valkey import Valkey
from coordinator.errors import HostError

TICK_S = 0.25
LOCK_WAIT_S = 15.0
"""A keeper whose parent was just killed needs a moment to go."""

STOP_S = 5.0


class Keeper:
    """`lock`: an open file that Valkey inherits, so the folder is free only when it is gone too."""

    def __init__(self, spec: dict[str, Any], lock: int) -> None:
        self._folder = folder = Path(spec["folder"])
        self._lock = lock
        if spec.get("fresh"):
            self._forget()
        self.valkey = Valkey(folder / "broker", self._launch_valkey)
        self._log = folder / "logs" / "broker.out"
        self.valkey.start()
        env = {
            **os.environ,
            **spec["env"],
            "MAZEWAVE_BROKER": self.valkey.url,
            "MAZEWAVE_BLOBS": str(folder / "blobs"),
            "TMPDIR": str(temp.make(folder)),
        }
        self.crew = Crew(command=spec["command"], env=env, logs=folder / "logs")
        self.crew.scale(spec["workers"])
        self._broker_due = 0.0
        self._unread = b""
        self.over = False

    def loop(self) -> None:
        """Until told to go down, or the parent is gone."""
        while not self.over:
            self._tick()
            ready, _, _ = select.select([sys.stdin.fileno()], [], [], TICK_S)
            if ready:
                self._read()

    def state(self) -> dict[str, Any]:
        broker = self.valkey.process
        return {
            "keeper": os.getpid(),
            "broker": broker.pid if broker is not None else 0,
            "workers": self.crew.pids(),
            "restarts": self.crew.restarts,
            "last_exit": self.crew.last_exit,
        }

    def down(self, grace_s: float) -> None:
        """Workers first, with a moment to hand back their jobs; what they left; then Valkey."""
        self.over = True
        self.crew.scale(0)
        if grace_s > 0:
            self._wait_for_crew(grace_s)
        self.crew.signal_all(signal.SIGKILL)
        self._wait_for_crew(STOP_S)
        self.crew.kill_orphans(self._known())
        self._stop_valkey()
        # Some orphans come home only now that the connections they hung on are gone.
        self.crew.kill_orphans(set())
        temp.drop(self._folder)

    def _tick(self) -> None:
        self.crew.tick(self._known())
        broker = self.valkey.process
        now = time.monotonic()
        if broker is not None and broker.poll() is not None and now >= self._broker_due:
            self._broker_due = now + 1.0
            self.valkey.again()

    def _read(self) -> None:
        data = os.read(sys.stdin.fileno(), 65536)
        if not data:
            self.down(0.0)
            return
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            self._obey(json.loads(line))

    def _obey(self, command: dict[str, Any]) -> None:
        match command["do"]:
            case "scale":
                self.crew.scale(int(command["workers"]))
                self._tick()
            case "down":
                self.down(float(command["grace_s"]))
                if command.get("forget"):
                    self._forget()
                return  # the parent does not listen any more
        answer(sys.stdout.buffer, self.state())

    def _forget(self) -> None:
        """Remove what only a run that goes on would need; nobody else can be at it."""
        for name in ("broker", "blobs"):
            shutil.rmtree(self._folder / name, ignore_errors=True)

    def _known(self) -> set[int]:
        broker = self.valkey.process
        return {broker.pid} if broker is not None else set()

    def _wait_for_crew(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self.crew.pids() and time.monotonic() < deadline:
            time.sleep(0.02)
            self.crew.tick(self._known())

    def _launch_valkey(self, command: list[str]) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(self._lock,),
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - one thread
            )

    def _stop_valkey(self) -> None:
        broker = self.valkey.process
        if broker is None:
            return
        broker.terminate()
        try:
            broker.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            broker.kill()
            broker.wait()


def answer(out: IO[bytes], value: dict[str, Any]) -> None:
    """One line to the parent; a parent that is gone is noticed at stdin."""
    with suppress(BrokenPipeError):
        out.write(json.dumps(value).encode() + b"\n")
        out.flush()


def take_lock(folder: Path) -> int:
    """Hold the folder; raises `HostError` when another run does."""
    handle = os.open(folder / "keeper.lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise HostError(
                    f"Another run uses {folder}.", "Wait for it, or stop it, and run this again."
                ) from None
            time.sleep(0.05)
        else:
            return handle


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    adopt_orphans()
    spec = json.loads(_first_line())
    try:
        keeper = Keeper(spec, take_lock(Path(spec["folder"])))
    except HostError as error:
        answer(sys.stdout.buffer, {"sentence": error.sentence, "hint": error.hint})
        return 3
    signal.signal(signal.SIGTERM, lambda _number, _frame: setattr(keeper, "over", True))
    answer(sys.stdout.buffer, {"url": keeper.valkey.url, **keeper.state()})
    try:
        keeper.loop()
    finally:
        keeper.down(0.0)
    return 0


def _first_line() -> bytes:
    """Byte by byte, so that nothing behind it is lost in a buffer."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            raise SystemExit(0)
        line += byte
    return line


if __name__ == "__main__":
    sys.exit(main())
