"""`python -m benchmarks.soak [MINUTES]`: one long run over endless pages; does memory stay flat?

`mazewave explore` explores pages of the practice site under ever new addresses until the time is
over. Resident memory is read every five seconds, for the command, the workers, their browsers and
the broker. Then the run is asked to stop, and what is left of it is counted.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from benchmarks.kit import show
from examples.kit.messages import Request, Response
from examples.kit.routes import Routes
from examples.kit.server import Server
from examples.practice.app import PAGES, Site

NAMES = (
    "wizard",
    "nested-dialogs",
    "toasts",
    "row-dropdown",
    "nested-tabs",
    "long-list",
    "submenu",
)
ROUTES = 50_000
EACH_S = 5.0
PARTS = 6
COMMAND = Path(sys.executable).parent / "mazewave"
KINDS = {"workers.browser": "workers", "chrom": "browsers", "valkey": "broker"}


@contextmanager
def pages() -> Iterator[str]:
    """`/{number}-{name}` is the practice page of that name."""
    site = Site(Routes(), "", PAGES)

    def answer(request: Request) -> Response:
        _, _, name = request.path.partition("-")
        path = f"/{name}" if name in NAMES else request.path
        return site.answer(replace(request, path=path))

    with Server(answer) as server:
        yield server.url


@dataclass
class Memory:
    """Megabytes of each kind of process, in the order of reading."""

    readings: dict[str, list[float]] = field(default_factory=dict)

    def read(self, command: psutil.Process) -> None:
        found = {"command": _mb(command)}
        for process in command.children(recursive=True):
            kind = _kind(process)
            found[kind] = found.get(kind, 0.0) + _mb(process)
        for kind, size in found.items():
            self.readings.setdefault(kind, []).append(size)


def _mb(process: psutil.Process) -> float:
    try:
        return process.memory_info().rss / 1e6
    except psutil.Error:
        return 0.0


def _kind(process: psutil.Process) -> str:
    try:
        line = " ".join(process.cmdline())
    except psutil.Error:
        return "other"
    return next((kind for word, kind in KINDS.items() if word in line), "other")


def soak(url: str, folder: Path, seconds: float) -> tuple[Memory, int, list[str]]:
    """The memory over time, the routes tested, and the processes that outlived the run."""
    routes = (f"- /{number}-{NAMES[number % len(NAMES)]}\n" for number in range(ROUTES))
    (folder / "ROUTE_MAP.md").write_text("".join(routes))
    line = [str(COMMAND), "explore", url, "-y", "-c", "2", "--project", str(folder)]
    memory, seen = Memory(), set[psutil.Process]()
    quiet = subprocess.DEVNULL
    with subprocess.Popen(line, stdin=quiet, stdout=quiet, stderr=quiet) as run:
        command, ends = psutil.Process(run.pid), time.monotonic() + seconds
        while time.monotonic() < ends and run.poll() is None:
            time.sleep(EACH_S)
            memory.read(command)
            seen.update(command.children(recursive=True))
        run.send_signal(signal.SIGTERM)
        run.wait(timeout=120)
    done = len(list((folder / "monkey-test-reports").glob("*.json")))
    return memory, done, [str(process) for process in seen if process.is_running()]


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with TemporaryDirectory() as name, pages() as url:
        memory, done, left = soak(url, Path(name), minutes * 60)
    rows = []
    for kind, sizes in sorted(memory.readings.items()):
        size = max(1, len(sizes) // PARTS)
        parts = [median(sizes[at : at + size]) for at in range(0, size * PARTS, size)]
        growth = f"{parts[-1] / parts[1]:.2f}" if parts[1] else ""
        rows.append((kind, *(f"{part:.0f}" for part in parts), growth))
    head = ("MB (median)", *(f"{n}/{PARTS}" for n in range(1, PARTS + 1)), "last : second")
    show(f"{minutes:.0f} minutes, {done} routes", head, rows)
    print(f"\n{len(left)} processes outlived the run", *left, sep="\n  ")


if __name__ == "__main__":
    main()
