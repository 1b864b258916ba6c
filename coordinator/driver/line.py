"""All that a run needs of Redis and the blob store, in one place, and what may go wrong with it.

Leaves out what is done with it: the loop uses it, `run` opens and closes it.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import redis
from obstore.exceptions import BaseError

from contract.channels import BROWSER_QUEUE, beat_key, starts_key, workers_key
from contract.identity import JobId, RunId
from coordinator.driver.blobs import Blobs
from coordinator.driver.inbox import Inbox
from coordinator.driver.leases import Leases
from coordinator.driver.office import Office
from coordinator.driver.publish import HEARTBEAT_S, Publisher
from coordinator.driver.redis_client import LOST, connect, takes_no_writes
from coordinator.records.atomic import DiskFullError

_TROUBLE = (*LOST, redis.OutOfMemoryError, BaseError, DiskFullError)

WORKER_HEARD_S = 60.0
PRIVATE_HEARTBEAT_S = 8.0
"""Workers on the same machine share our clock, so less slack is needed to call one dead."""
OFFICE_S = 30.0
"""A coordinator that was not heard of for this long may be succeeded."""


@dataclass(frozen=True)
class Line:
    """One run's connections. `private` says that nobody else uses this Redis."""

    client: redis.Redis
    namespace: str
    publisher: Publisher
    inbox: Inbox
    leases: Leases
    office: Office
    blobs: Blobs
    holder: str
    private: bool
    queue: str = BROWSER_QUEUE

    def void_beats(self, run_id: RunId, jobs: list[JobId]) -> None:
        """Forget who ran these jobs, but not what they finished; for workers known to be gone."""
        if jobs:
            self.client.delete(*(beat_key(self.namespace, run_id, job) for job in jobs))
            self.client.hdel(starts_key(self.namespace, run_id), *jobs)

    def keep_office(self, epoch: int) -> int:
        """The epoch of our term: the same one, or a new one if it had run out unnoticed."""
        if self.office.renew():
            return epoch
        return self.office.take(self.holder, OFFICE_S, above=epoch)

    def workers(self, now: datetime) -> int:
        """How many workers were heard of lately."""
        seen = self.client.hgetall(workers_key(self.namespace))
        return sum(_heard(value, now) for value in seen.values())


def _heard(value: bytes | str, now: datetime) -> bool:
    try:
        return now.timestamp() - float(value) < WORKER_HEARD_S
    except ValueError:
        return False


@contextlib.contextmanager
def open_line(
    broker: str, blobs: str, namespace: str, run_id: RunId, *, holder: str, private: bool
) -> Iterator[Line]:
    """Connect; the first command tells whether the broker answers."""
    client = connect(broker)
    heartbeat = PRIVATE_HEARTBEAT_S if private else HEARTBEAT_S
    store = Blobs(blobs)
    try:
        yield Line(
            client=client,
            namespace=namespace,
            publisher=Publisher(client, namespace, heartbeat_s=heartbeat),
            inbox=Inbox(client, namespace, run_id, store),
            leases=Leases(client, namespace, run_id),
            office=Office(client, namespace, run_id),
            blobs=store,
            holder=holder,
            private=private,
        )
    finally:
        client.close()


def passes(error: Exception) -> bool:
    """Trouble that goes away, or is put right by somebody, while the run waits."""
    return isinstance(error, _TROUBLE) or takes_no_writes(error)


def explain(error: Exception) -> str:
    """Trouble as a sentence for whoever watches."""
    if isinstance(error, DiskFullError):
        return f"{error.sentence}; {error.hint}"
    if isinstance(error, redis.OutOfMemoryError):
        return "the broker has no memory left"
    if takes_no_writes(error):
        return "the broker cannot write its file; is there no room left on its disk?"
    if isinstance(error, BaseError):
        return f"the blob store does not answer ({type(error).__name__})"
    return f"the broker does not answer ({type(error).__name__})"
