"""How long a user waits: for `mazewave --help`, and from `mazewave explore` to the first action.

The app is the bundled shop with its own route map and login. The milestones are read from outside:
the file that says where the run can be watched, and what the workers say of themselves at the
broker. The run is stopped after the first action.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeVar

import redis

from benchmarks.kit import show
from benchmarks.runs import timed
from contract import wire
from contract.channels import run_prefix
from contract.results import Beat
from coordinator.driver import live_file
from examples import shop

T = TypeVar("T")

TURNS = 5
PATIENCE_S = 90.0
COMMAND = (str(Path(sys.executable).with_name("mazewave")),)
BARE = (sys.executable, "-c", "pass")


def main() -> None:
    os.environ.setdefault("SHOP_PASSWORD", "corner")
    helped = _median(lambda: _run(*COMMAND, "--help"))
    bare = _median(lambda: _run(*BARE))
    rows = [("mazewave --help", f"{helped:.2f}"), ("of that, Python itself", f"{bare:.2f}")]
    with shop.serve() as server, TemporaryDirectory() as folder:
        rows += [(name, f"{at:.2f}") for name, at in milestones(server.url, Path(folder))]
    show("Seconds from the command", ("until", "seconds"), rows)


def milestones(url: str, folder: Path) -> Iterator[tuple[str, float]]:
    """What was reached, and when."""
    began = time.perf_counter()
    with exploring(url, folder) as run:
        live = _wait(run, lambda: live_file.read(folder / ".mazewave"))
        yield "explore: the run is in office", time.perf_counter() - began
        client = redis.Redis.from_url(live.broker)
        key = f"{run_prefix(live.namespace, live.run_id)}:beat:*"
        _wait(run, lambda: _beats(client, key))
        yield "explore: a worker has begun", time.perf_counter() - began
        _wait(run, lambda: any(beat.tally.states for beat in _beats(client, key)))
        yield "explore: logged in, the first page is seen", time.perf_counter() - began
        _wait(run, lambda: any(beat.tally.actions for beat in _beats(client, key)))
        yield "explore: the first action is done", time.perf_counter() - began
        client.close()


@contextmanager
def exploring(url: str, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """`mazewave explore` as a user starts it; it is stopped and waited for in all cases."""
    files = resources.files("examples.shop")
    flags = ["--project", str(folder), "--routes", str(files / "ROUTE_MAP.md"), "--yes"]
    flags += ["--login", str(files / "login.toml")]
    log = folder / "run.log"
    with log.open("wb") as said:
        run = subprocess.Popen(
            [*COMMAND, "explore", url, *flags], stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            yield run
        except RuntimeError:
            print(log.read_text("utf-8", "replace"), file=sys.stderr)
            raise
        finally:
            _stop(run)


def _stop(run: "subprocess.Popen[bytes]") -> None:
    """The first signal asks, the second one leaves at once; the broker and the workers go along."""
    for _ in range(2):
        run.terminate()
        time.sleep(0.2)
    try:
        run.wait(timeout=30)
    except subprocess.TimeoutExpired:
        run.kill()
        run.wait()


def _beats(client: redis.Redis, pattern: str) -> list[Beat]:
    found = [client.get(key) for key in client.scan_iter(pattern)]
    return [wire.loads(value, Beat) for value in found if isinstance(value, bytes)]


def _wait(run: "subprocess.Popen[bytes]", ask: Callable[[], T | None]) -> T:
    """The first answer that is something; raises when the run ends before."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and run.poll() is None:
        if answer := ask():
            return answer
        time.sleep(0.01)
    raise RuntimeError("the run did not get so far")


def _median(work: Callable[[], object]) -> float:
    return median(timed(work) for _ in range(TURNS))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
