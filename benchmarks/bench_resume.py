"""A map of 100,000 routes: how long it takes to go on with it, and what a result costs there.

Resume: from the files to a ledger that could publish its first job, with 30,000 reports on disk.
Cost: CPU seconds of the coordinator per result at 50 results a second, on that map and on one that
is just large enough to bring as many results, in the same process, turn by turn; the best of three
turns each, because whatever else the machine does is added on top.
"""

import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.kit import show
from benchmarks.runs import APP, PACED, new_state, running, saved, timed, with_done
from contract.jobs import Site
from coordinator.driver.blobs import Blobs
from coordinator.driver.desk import Brief
from coordinator.driver.exploration_desk import ExplorationDesk
from coordinator.driver.happenings import RouteDone
from coordinator.machines.events import Begun
from coordinator.machines.exploration import Limits, advance
from coordinator.records import state_file

MANY, FEW = 100_000, 700
DONE = 30_000
TURNS = 3
WARM = 100
"""Results before the clock runs: the pilot goes alone, and the window grows with the pace."""

MEMORY = Path("/dev/shm")  # noqa: S108 - a fresh folder below it
RESULTS = 400
"""Eight seconds at 50 a second, which is several group commits of the large map."""


def resume(folder: Path) -> tuple[float, float]:
    """Seconds to read the state, and from there to the first orders."""
    began = time.perf_counter()
    loaded = state_file.load(folder)
    read = time.perf_counter()
    assert loaded is not None
    assert not loaded.notes
    desk = ExplorationDesk(
        state=loaded.state,
        folder=folder,
        brief=Brief(site=Site(base_url=APP)),
        blobs=Blobs(str(folder / "blobs")),
        pages=lambda _state, _folder: None,
    )
    begun = Begun(datetime.now(UTC), frozenset(), {})
    _, effects = advance(desk.open(epoch=2), begun, Limits())
    assert effects
    return read - began, time.perf_counter() - read


def cost(routes: int) -> tuple[float, float]:
    """CPU seconds per result, and results per second. In memory where there is a file system for
    it: on a disk the kernel's share of each created file grows from run to run, whatever the map.
    """
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        folder = Path(name)
        state = new_state(routes)
        with running(state, folder, PACED) as happenings:
            done, cpu, began = 0, 0.0, 0.0
            for happening in happenings:
                if not isinstance(happening, RouteDone):
                    continue
                done += 1
                if done == WARM:
                    cpu, began = time.process_time(), time.perf_counter()
                if done == WARM + RESULTS:
                    cpu, seconds = time.process_time() - cpu, time.perf_counter() - began
                    return cpu / RESULTS, RESULTS / seconds
    raise AssertionError("the run ended too early")


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        state = new_state(MANY)
        with_done(state, DONE, folder)
        write = timed(lambda: saved(state, folder))
        size = (folder / state_file.FILE_NAME).stat().st_size / 1e6
        read, opened = min((resume(folder) for _ in range(TURNS)), key=sum)
    show(
        f"A state file of {MANY:,} routes, {DONE:,} of them tested ({size:.0f} MB)",
        ("what", "seconds", "target"),
        [
            ("read and check the state", f"{read:.2f}", ""),
            ("from there to the first jobs", f"{opened:.2f}", ""),
            ("resume in all", f"{read + opened:.2f}", "< 2"),
            ("write the state", f"{write:.2f}", ""),
        ],
    )
    turns = [(cost(FEW), cost(MANY)) for _ in range(TURNS)]
    few, many = (min(costs) for costs in zip(*turns, strict=True))
    small, large = few[0], many[0]
    show(
        "Coordinator CPU per result",
        ("map", "ms per result", "results/s"),
        [
            (f"{FEW} routes", f"{1000 * small:.2f}", f"{few[1]:.0f}"),
            (f"{MANY:,} routes", f"{1000 * large:.2f}", f"{many[1]:.0f}"),
            ("ratio (target 1.2)", f"{large / small:.2f}", ""),
        ],
    )


if __name__ == "__main__":
    main()
