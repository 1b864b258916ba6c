"""`python -m tests.support.echo_worker`: a worker without a browser, for tests of the plumbing.

What a job does is written in its `start`: `/`, `/sleep/SECONDS`, `/checkpoint/SECONDS`, `/crash`,
`/silent`, `/hang`, `/orphan/SECONDS` (starts a process that outlives a killed worker).
"""

import subprocess
import sys
import time
from collections.abc import Callable

from contract.channels import ACTOR_OF, BROWSER_QUEUE
from contract.jobs import AnyJob, DiscoverRoutes
from contract.results import RoutesDiscovered, Tally
from workers.kit.duty import Duty, HandBack
from workers.kit.main import Plain, serve
from workers.kit.settings import WorkerSettings


def echo(job: AnyJob, duty: Duty) -> None:
    """Do what `start` says, and report no routes."""
    start = job.start if isinstance(job, DiscoverRoutes) else "/"
    _, word, *rest = start.split("/")
    actions: dict[str, Callable[[Duty, float], None]] = {
        "sleep": _sleep,
        "checkpoint": _checkpoint,
        "crash": _crash,
        "hang": _hang,
        "patient": _patient,
        "orphan": _orphan,
    }
    if word in actions:
        actions[word](duty, float(rest[0]) if rest else 0.0)
    if word != "silent":
        duty.report(RoutesDiscovered(**duty.stamp(), routes=()))


def _sleep(duty: Duty, seconds: float) -> None:
    duty.tell(Tally(actions=1), "sleeping")
    time.sleep(seconds)


def _checkpoint(duty: Duty, seconds: float) -> None:
    for number in range(len(duty.checkpoints.load()), 3):
        duty.checkpoints.append(f"step {number}".encode())
        duty.tell(Tally(actions=number + 1), f"step {number}")
        time.sleep(seconds)


def _crash(_duty: Duty, _seconds: float) -> None:
    raise ValueError("secret page content")


def _hang(_duty: Duty, _seconds: float) -> None:
    time.sleep(3600)


def _patient(duty: Duty, _seconds: float) -> None:
    """Works until asked to stop, and gives the job back."""
    duty.stopping.wait()
    raise HandBack


def _orphan(duty: Duty, seconds: float) -> None:
    """Like a browser: a session of its own, so no signal to the worker's group reaches it."""
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
    )
    duty.checkpoints.append(str(child.pid).encode())
    time.sleep(seconds)


def main() -> int:
    handlers = dict.fromkeys(ACTOR_OF.values(), echo)
    return serve(BROWSER_QUEUE, Plain(handlers), WorkerSettings.from_env())


if __name__ == "__main__":
    sys.exit(main())
