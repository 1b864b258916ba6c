"""What the journeys share: the command as a user's process, the apps, and a look at what is left.

Every process of a run inherits a mark in its environment, and a folder for temporary files of its
own, so that whatever outlives the run is found, wherever it went.
"""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from contract import wire
from contract.action_tree import Node, RouteReport, walk
from contract.channels import checkpoint_key
from contract.identity import explore_job
from coordinator.driver import live_file
from coordinator.driver.redis_client import LOST, connect
from coordinator.records import state_file
from coordinator.records.state import State
from tests.support.jobs import wait_for
from workers.browser.atlas import ENTRY, Entry, Tried

PASSWORD = "corner"
LONG_S = 150.0
"""For what takes seconds; a test that needs it all has failed."""

MARK = "MAZEWAVE_JOURNEY"
REPORTS = "monkey-test-reports"
SCREENSHOTS = "monkey-test-screenshots"


@dataclass
class App:
    """A server of `examples` in a process of its own."""

    module: str
    folder: Path
    port: int = 0
    url: str = ""
    process: "subprocess.Popen[str] | None" = None

    @property
    def log(self) -> Path:
        return self.folder / f"{self.module.rpartition('.')[2]}.log"

    def start(self) -> "App":
        line = [sys.executable, "-m", self.module, "--port", str(self.port), "--log", str(self.log)]
        env = {**os.environ, "SHOP_PASSWORD": PASSWORD}
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rpartition(":")[2])
        return self

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def requests(self) -> list[tuple[str, str]]:
        """Method and path of each request so far."""
        text = self.log.read_text() if self.log.exists() else ""
        return [(line["method"], line["path"]) for line in map(json.loads, text.splitlines())]


@contextmanager
def app(module: str, folder: Path) -> Iterator[App]:
    found = App(module, folder).start()
    try:
        yield found
    finally:
        found.kill()


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass
class Place:
    """A folder in which a user runs `mazewave`."""

    folder: Path
    mark: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.temp = self.folder.parent / f"{self.folder.name}-tmp"
        self.temp.mkdir(exist_ok=True)

    def env(self, **more: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("MAZEWAVE_")}
        if browser := os.environ.get("MAZEWAVE_BROWSER"):
            kept["MAZEWAVE_BROWSER"] = browser
        own = {MARK: self.mark, "TMPDIR": str(self.temp), "SHOP_PASSWORD": PASSWORD}
        return {**kept, **own, **more}

    def map(self, *routes: str) -> "Place":
        text = "".join(f"- {route}\n" for route in routes)
        (self.folder / "ROUTE_MAP.md").write_text(text)
        return self

    def start(self, *words: str, **env: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(command()), *words],
            cwd=self.folder,
            env=self.env(**env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, **env: str) -> Ended:
        return finish(self.start(*words, **env))

    def processes(self, word: str = "") -> list[psutil.Process]:
        """What carries the mark or works in the folder, and has the word in its command line."""
        return [p for p in psutil.process_iter() if self._owns(p) and word in _line(p)]

    def _owns(self, process: psutil.Process) -> bool:
        """The broker writes its title over its environment, but it stays in its folder."""
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return False
            marked = process.environ().get(MARK) == self.mark
            return marked or Path(process.cwd()).is_relative_to(self.folder)
        except (psutil.Error, OSError):
            return False

    def worker(self) -> psutil.Process:
        return wait_for(lambda: self.processes("workers.browser"))[0]

    def broker(self) -> psutil.Process:
        return wait_for(lambda: self.processes("valkey-server"))[0]

    def leftovers(self) -> list[str]:
        """Processes and temporary files that outlived the run."""
        names = [f"process {p.pid} {_line(p)[:200]}" for p in self.processes()]
        return names + [str(path) for path in self.temp.iterdir()]

    def is_clean(self) -> bool:
        return not self.leftovers()

    def state(self) -> State:
        """The state file, which obeys its rules: reading it mends nothing."""
        loaded = state_file.load(self.folder)
        assert loaded is not None
        assert loaded.notes == ()
        return loaded.state

    def reports(self) -> dict[str, RouteReport]:
        files = sorted((self.folder / REPORTS).glob("*.json"))
        found = [wire.loads(path.read_bytes(), RouteReport) for path in files]
        return {report.route: report for report in found}

    def outcomes(self) -> dict[str, set[tuple[str, str, str]]]:
        """What was tried on each route and what came of it, without durations."""
        return {
            route: {_outcome(node) for node in walk(report.action_tree)}
            for route, report in self.reports().items()
        }

    def journal(self, slug: str) -> list[Entry]:
        """The checkpoints of the route that runs right now."""
        live = live_file.read(self.folder / ".mazewave")
        if live is None:
            return []
        client = connect(live.broker, retries=0)
        try:
            key = checkpoint_key(live.namespace, live.run_id, explore_job(slug))
            found = client.lrange(key, 0, -1)
            return [wire.loads(bytes(entry), ENTRY) for entry in found]  # type: ignore[arg-type]
        except LOST:
            return []
        finally:
            client.close()
            client.connection_pool.disconnect()

    def wait_for_reports(self, count: int, process: "subprocess.Popen[str]") -> None:
        folder = self.folder / REPORTS
        wait_for(
            lambda: process.poll() is not None or len(list(folder.glob("*.json"))) >= count, LONG_S
        )
        assert process.poll() is None, process.communicate()


def command() -> Path:
    """`mazewave` as it is installed beside the interpreter."""
    return Path(sys.executable).parent / "mazewave"


def finish(process: "subprocess.Popen[str]") -> Ended:
    out, err = process.communicate(timeout=LONG_S)
    return Ended(process.returncode, out, err)


def wait_for_line(process: "subprocess.Popen[str]", word: str) -> str:
    """Read what a command says until a line has the word."""
    assert process.stderr is not None
    seen = []
    while line := process.stderr.readline():
        seen.append(line)
        if word in line:
            return line
    finish(process)
    raise AssertionError(f"{word!r} was never said, but {seen}")


def kill_hard(process: "subprocess.Popen[str]") -> Ended:
    """As the kernel does when memory is short."""
    process.send_signal(signal.SIGKILL)
    return finish(process)


def pressed(entries: list[Entry]) -> list[tuple[str, str]]:
    """State and control of each action in a journal."""
    return [(entry.state, entry.control) for entry in entries if isinstance(entry, Tried)]


def _outcome(node: Node) -> tuple[str, str, str]:
    return (node.in_state, node.key, f"{node.action_result} {node.outcome or ''}".strip())


def _line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def tells_the_next_step(ended: Ended) -> bool:
    """A sentence, then what to do; never a traceback."""
    told = re.search(r"^error: .+\n  → .+", ended.err, re.MULTILINE)
    return bool(told) and "Traceback" not in ended.err + ended.out
