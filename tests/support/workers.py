"""Echo workers as real processes at a test's broker, and the coordinator's side of them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis

from contract.channels import BROWSER_QUEUE, checkpoint_key
from contract.identity import JobId
from contract.results import AnyResult
from coordinator.driver.blobs import Blobs
from coordinator.driver.inbox import START, Inbox
from coordinator.driver.leases import Leases
from coordinator.driver.publish import Publisher
from tests.support.jobs import RUN, wait_for

ECHO = [sys.executable, "-m", "tests.support.echo_worker"]
HEARTBEAT_S = 2.0
"""Workers are heard every second; two is short for a crowded machine and enough for a test."""


@dataclass
class Site:
    """A namespace at a broker, with the workers that a test started there."""

    url: str
    client: redis.Redis
    namespace: str
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        blobs = Blobs(str(self.folder / "blobs"))
        self.publisher = Publisher(self.client, self.namespace, heartbeat_s=HEARTBEAT_S)
        self.inbox = Inbox(self.client, self.namespace, RUN, blobs)
        self.leases = Leases(self.client, self.namespace, RUN)

    def work(self, **env: str) -> subprocess.Popen[bytes]:
        """Start one worker; `env` is added to what it needs anyway."""
        settings = {
            "MAZEWAVE_BROKER": self.url,
            "MAZEWAVE_BLOBS": str(self.folder / "blobs"),
            "MAZEWAVE_NAMESPACE": self.namespace,
            "MAZEWAVE_WORKER_NAME": f"echo-{len(self.workers) + 1}",
        }
        log = self.folder / f"worker-{len(self.workers) + 1}.log"
        with log.open("wb") as out:
            started = subprocess.Popen(
                ECHO, env={**os.environ, **settings, **env}, stdout=out, stderr=out
            )
        self.workers.append(started)
        return started

    def results(self) -> list[AnyResult]:
        return [found.result for found in self.inbox.read(START) if found.result is not None]

    def wait_for_results(self, count: int) -> list[AnyResult]:
        """While waiting, do what a coordinator does: bring back what dead workers had."""

        def enough() -> list[AnyResult]:
            self.publisher.maintain(BROWSER_QUEUE)
            found = self.results()
            return found if len(found) >= count else []

        return wait_for(enough)

    def wait_for_start(self, name: str = "discover", starts: int = 1) -> None:
        job = JobId(name)

        def begun() -> bool:
            self.publisher.maintain(BROWSER_QUEUE)
            return self.leases.starts([job]).get(job) == starts and job in self.leases.beats([job])

        wait_for(begun)

    def checkpoints(self, name: str = "discover") -> list[bytes]:
        key = checkpoint_key(self.namespace, RUN, JobId(name))
        return [entry for entry in self.client.lrange(key, 0, -1) if isinstance(entry, bytes)]

    def close(self) -> None:
        for worker in self.workers:
            with suppress(ProcessLookupError):
                worker.kill()
            worker.wait(timeout=10)


def at(url: str, client: redis.Redis, namespace: str, folder: Path) -> Iterator[Site]:
    """For a fixture: the site, and the end of its workers."""
    site = Site(url, client, namespace, folder)
    yield site
    site.close()
