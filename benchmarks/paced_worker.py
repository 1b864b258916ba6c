"""`python -m benchmarks.paced_worker`: a worker without a browser that brings 25 results a second.

Two of them bring 50, as long as the machine can do more than that.
"""

import sys
import time

from contract.channels import BROWSER_QUEUE
from contract.jobs import AnyJob
from tests.support.fake_browser import explore
from workers.kit.duty import Duty
from workers.kit.main import Plain, serve
from workers.kit.settings import WorkerSettings

EACH_S = 0.040
BEHIND_S = 0.5
"""What a hiccup may delay is made good; what is longer is not."""


class Paced:
    """Takes each job when its turn has come."""

    def __init__(self) -> None:
        self._turn = 0.0

    def explore(self, job: AnyJob, duty: Duty) -> None:
        """Wait for the turn, then answer as the fake browser does."""
        self._turn = max(self._turn + EACH_S, time.monotonic() - BEHIND_S)
        time.sleep(max(0.0, self._turn - time.monotonic()))
        explore(job, duty)


if __name__ == "__main__":
    handlers = {"explore_route": Paced().explore}
    sys.exit(serve(BROWSER_QUEUE, Plain(handlers), WorkerSettings.from_env()))
