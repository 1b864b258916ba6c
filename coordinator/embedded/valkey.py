"""A private Valkey on the loopback interface, with its data in a folder of its own.

Invariant: the password is in a file of mode 0600 and nowhere on a command line; the data survives a
crash, so the next start finds queues and results as they were (at most a second of them lost, which
the state file makes good). Leaves out watching the process: `keeper.py` does that.
"""

import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from coordinator.embedded import binary
from coordinator.errors import HostError

HOST = "127.0.0.1"
READY_S = 60.0
"""Long, because a large append-only file takes time to load; a server that exits ends it."""

PORT_TRIES = 5
LOG_KEPT = 1024 * 1024
Launch = Callable[[list[str]], subprocess.Popen[bytes]]


class Valkey:
    """`launch` starts a command as the caller's child, tied to it as the caller sees fit."""

    def __init__(self, folder: Path, launch: Launch) -> None:
        self._folder = folder
        self._launch = launch
        self._binary = binary.find()
        self._password = secrets.token_urlsafe(24)
        self._log = folder / "valkey.log"
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{self._password}@{HOST}:{self.port}/0"

    def start(self) -> None:
        """Start on a free port and wait until it answers; raises `HostError`."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for _ in range(PORT_TRIES):
            self.port = free_port()
            if self._wait_until_ready(self.again()):
                return
        raise HostError("The private broker found no free port.", "Run the command again.")

    def again(self) -> subprocess.Popen[bytes]:
        """Start at the same port with the same data, without waiting."""
        self._write_config()
        self._bound_log()
        self.process = self._launch([str(self._binary), str(self._config)])
        return self.process

    @property
    def _config(self) -> Path:
        return self._folder / "valkey.conf"

    def _write_config(self) -> None:
        settings = {
            "bind": HOST,
            "port": str(self.port),
            "requirepass": self._password,
            "dir": quote(str(self._folder)),
            "logfile": quote(str(self._log)),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": '""',
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "loglevel": "notice",
        }
        self._config.unlink(missing_ok=True)
        handle = os.open(self._config, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{name} {value}\n" for name, value in settings.items())

    def _bound_log(self) -> None:
        if self._log.exists() and self._log.stat().st_size > LOG_KEPT:
            self._log.unlink()

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> bool:
        """False when the port was taken between choosing and binding."""
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if process.poll() is not None:
                return self._explain_exit()
            if answers(self.port, self._password):
                return True
            time.sleep(0.01)
        raise HostError(
            f"The private broker did not answer within {READY_S:.0f} s.", self._see_log()
        )

    def _explain_exit(self) -> bool:
        said = self._last_words()
        if "bind" in said and "in use" in said:
            return False
        if "append only file" in said or "Short read" in said:
            raise HostError(
                "The private broker's data is damaged.",
                f"Delete {self._folder}; finished work is in the state file and is not lost.",
            )
        raise HostError("The private broker does not start.", self._see_log())

    def _last_words(self) -> str:
        if not self._log.exists():
            return ""
        return self._log.read_text(encoding="utf-8", errors="replace")[-3000:]

    def _see_log(self) -> str:
        return f"Read {self._log}; `mazewave doctor` checks this machine."


def free_port() -> int:
    """A port that is free now; somebody may still take it before it is bound."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def quote(text: str) -> str:
    """A value of the configuration file; it understands C-like escapes within double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def answers(port: int, password: str) -> bool:
    """Whether the server at this port is ours and has loaded its data. Inline commands suffice."""
    try:
        with socket.create_connection((HOST, port), timeout=1.0) as link:
            link.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            link.settimeout(1.0)
            reply = b""
            while reply.count(b"\r\n") < 2:
                part = link.recv(256)
                if not part:
                    return False
                reply += part
            return reply == b"+OK\r\n+PONG\r\n"
    except OSError:
        return False
