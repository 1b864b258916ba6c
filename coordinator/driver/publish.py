"""Sends jobs to workers by the names in `contract.channels`, and looks after their queues.

Invariant: it imports no actor and no worker. Publishing twice is harmless. `maintain` is the one
clock that declares workers dead: it brings back the messages of those without a heartbeat.
"""

from dataclasses import dataclass

import redis
from dramatiq import Message
from dramatiq.brokers.redis import RedisBroker

from contract.channels import ACTOR_OF, GRACE_S, QUEUE_OF
from contract.identity import RunId
from contract.jobs import AnyJob
from contract.wire import job_to_message
from coordinator.driver.redis_client import script

HEARTBEAT_S = 20.0
"""A worker that Redis has not heard of for this long is dead; workers are heard every second."""

ALWAYS = 1_000_000


@dataclass(frozen=True)
class Depth:
    waiting: int
    running: int


class Publisher:
    """`heartbeat_s` can be short where coordinator and workers share a clock."""

    def __init__(
        self, client: redis.Redis, namespace: str, *, heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        self._redis = client
        self._ns = namespace
        self._purge = script(client, "purge")
        self._sender = _broker(client, namespace, heartbeat_s, chance=0)
        self._keeper = _broker(client, namespace, heartbeat_s, chance=ALWAYS)

    def publish(self, job: AnyJob) -> None:
        """Put the job at the end of its queue."""
        kind = type(job)
        message: Message[None] = Message(
            queue_name=QUEUE_OF[kind],
            actor_name=ACTOR_OF[kind],
            args=(job_to_message(job),),
            kwargs={},
            # Dramatiq's limit comes last: budget, grace, and the watchdog's exit are before it.
            options={"time_limit": int((job.budget_s + 2 * GRACE_S + 30) * 1000)},
        )
        self._sender.enqueue(message)

    def depth(self, queue: str) -> Depth:
        """How many messages wait, and how many are with workers."""
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.llen(f"{self._ns}:{queue}")
            pipe.hlen(f"{self._ns}:{queue}.msgs")
            waiting, known = pipe.execute()
        return Depth(waiting=waiting, running=max(0, known - waiting))

    def maintain(self, queue: str) -> None:
        """Bring back what dead workers had taken; call it every few seconds."""
        self._keeper.do_qsize(queue)

    def purge(self, queue: str, run_id: RunId) -> int:
        """Remove the waiting messages of a run that ends early; returns how many."""
        return int(self._purge((f"{self._ns}:{queue}", f"{self._ns}:{queue}.msgs"), (run_id,)))


def _broker(client: redis.Redis, namespace: str, heartbeat_s: float, *, chance: int) -> RedisBroker:
    return RedisBroker(  # type: ignore[no-untyped-call]  # not annotated there
        client=client,
        namespace=namespace,
        middleware=[],
        heartbeat_timeout=int(heartbeat_s * 1000),
        maintenance_chance=chance,
    )
