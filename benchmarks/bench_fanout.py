"""Fan-out and merge of 1,000 jobs: a whole run with a private broker and two fake workers.

A fake worker answers at once with a small report and three screenshots. What is left is what
mazewave itself costs per route: queue, lease, result, files, state. The first route goes alone (it
explores what all share); the clock runs from its publication to the last merge.
"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.kit import show
from benchmarks.runs import FAST, WORKERS, new_state, running
from coordinator.driver.happenings import Published, RouteDone, Saved

JOBS = 1_000


def main() -> None:
    published, merged, saving = [], [], []
    with TemporaryDirectory() as folder:
        state = new_state(JOBS)
        with running(state, Path(folder), FAST) as happenings:
            cpu = time.process_time()
            for happening in happenings:
                match happening:
                    case Published():
                        published.append(time.perf_counter())
                    case RouteDone():
                        merged.append(time.perf_counter())
                    case Saved(seconds):
                        saving.append(seconds)
            cpu = time.process_time() - cpu
    whole = merged[-1] - published[0]
    show(
        f"Fan-out and merge of {JOBS} jobs, {WORKERS} fake workers",
        ("what", "all", "per job"),
        [
            ("first publication to last merge", f"{whole:.2f} s", _each(whole)),
            ("coordinator CPU", f"{cpu:.2f} s", _each(cpu)),
            (f"writing the state, {len(saving)} times", f"{sum(saving):.2f} s", _each(sum(saving))),
        ],
    )


def _each(seconds: float) -> str:
    return f"{1000 * seconds / JOBS:.2f} ms"


if __name__ == "__main__":
    main()
