"""The Dramatiq broker of a worker, set up so that a job starts soon and none is hoarded.

Invariants: one message at a time; nothing is fetched while the worker is leaving; every error of
the connection shows in `Signs.trouble`, after which the worker finishes its job and is restarted,
because a lost reply to a fetch strands that message for as long as this broker id lives. Bringing
back the messages of dead workers is left to the coordinator, so that one clock alone judges.
"""

import os
import time
from collections.abc import Callable

os.environ.setdefault("dramatiq_queue_prefetch", "1")  # read when dramatiq is imported

import dramatiq.worker
import redis
from dramatiq import MessageProxy
from dramatiq.brokers.redis import RedisBroker, _RedisConsumer
from dramatiq.errors import ConnectionClosed, DecodeError
from dramatiq.middleware import Middleware, Retries, TimeLimit

from workers.kit.metrics import WorkerMetrics
from workers.kit.redis_client import LOST, once, steady, takes_no_writes
from workers.kit.signs import Signs

IDLE_MS = 100
"""How long an idle worker sleeps between two looks at its queue, at most."""

DELAYED_S = 1.0
"""The queue of delayed messages is always empty; looking is the heartbeat while a job runs."""

TIME_LIMIT_MS = 24 * 3600 * 1000.0
"""Of a message that does not name its own; the watchdog of a duty is long done by then."""

SetAside = Callable[[str, bytes], None]


class WorkerBroker(RedisBroker):
    """`steady` is the same broker with retries, for what may happen twice: ack, nack, requeue."""

    def __init__(
        self, url: str, name: str, namespace: str, *, signs: Signs, metrics: WorkerMetrics
    ) -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # as below: not annotated there
            client=once(url, name),
            namespace=namespace,
            middleware=[TimeLimit(time_limit=TIME_LIMIT_MS), Retries(max_retries=0)],
            maintenance_chance=0,
        )
        self.signs = signs
        self.metrics = metrics
        self.set_aside: SetAside = lambda _reason, _data: None
        self.steady = RedisBroker(  # type: ignore[no-untyped-call]
            client=steady(url, name), namespace=namespace, middleware=[], maintenance_chance=0
        )
        self.steady.broker_id = self.broker_id

    @property
    def consumer_class(self) -> type[_RedisConsumer]:
        return _Consumer

    def note(self, op: str, error: Exception) -> None:
        """Count an error of Redis; after one that stays the worker leaves, its job done."""
        self.metrics.redis_errors.labels(op, type(error).__name__).inc()
        if isinstance(error, LOST) or takes_no_writes(error):
            self.signs.trouble.set()

    def release_stranded(self, queue: str) -> int:
        """Put back what Redis counts as taken by this broker; call it when nothing runs here."""
        taken = self.steady.client.smembers(self._taken(queue))
        if taken:
            self.steady.do_requeue(queue, *taken)
        return len(taken)

    def drop_unreadable(self, queue: str, data: bytes) -> None:
        """Acknowledge the message with these bytes, whose id nobody could read."""
        for message_id in self.steady.client.smembers(self._taken(queue)):
            if self.steady.client.hget(f"{self.namespace}:{queue}.msgs", message_id) == data:
                self.steady.do_ack(queue, message_id)

    def _taken(self, queue: str) -> str:
        return f"{self.namespace}:__acks__.{self.broker_id}.{queue}"


class _Consumer(_RedisConsumer):
    """Dramatiq's consumer with the errors of redis-py told apart and the gates of this worker."""

    broker: WorkerBroker

    def __init__(self, broker: WorkerBroker, queue_name: str, prefetch: int, timeout: int) -> None:
        super().__init__(broker, queue_name, prefetch, timeout)  # type: ignore[no-untyped-call]
        self._delayed = queue_name.endswith(".DQ")
        self._next_look = 0.0

    def __next__(self) -> MessageProxy | None:
        if self._must_wait():
            time.sleep(IDLE_MS / 1000)
            return None
        self.broker.signs.alive()
        try:
            message: MessageProxy | None = super().__next__()  # type: ignore[no-untyped-call]
        except (ConnectionClosed, *LOST) as error:
            self.broker.note("fetch", _cause(error))
            raise ConnectionClosed(error) from None  # type: ignore[no-untyped-call]
        except DecodeError as error:
            self._put_aside(error.data)
            return None
        return self._checked(message)

    def ack(self, message: MessageProxy) -> None:
        self._settle("ack", message)

    def nack(self, message: MessageProxy) -> None:
        self._settle("nack", message)

    def _settle(self, op: str, message: MessageProxy) -> None:
        settle = self.broker.steady.do_ack if op == "ack" else self.broker.steady.do_nack
        try:
            settle(self.queue_name, message.options["redis_message_id"])
        except redis.RedisError as error:
            self.broker.note(op, error)
            raise ConnectionClosed(error) from None  # type: ignore[no-untyped-call]
        finally:
            self.queued_message_ids.discard(message.message_id)

    def _must_wait(self) -> bool:
        if not self._delayed:
            return self.broker.signs.leaving()
        now = time.monotonic()
        if now < self._next_look:
            return True
        self._next_look = now + DELAYED_S
        return False

    def _checked(self, message: MessageProxy | None) -> MessageProxy | None:
        """A message that claims another queue would kill the worker's thread inside Dramatiq."""
        if message is None or (
            message.queue_name == self.queue_name and "redis_message_id" in message.options
        ):
            return message
        self.queued_message_ids.discard(message.message_id)
        self._put_aside(message.encode(), message.options.get("redis_message_id"))
        return None

    def _put_aside(self, data: bytes, message_id: str | None = None) -> None:
        self.broker.set_aside("not a message of this queue", data)
        if message_id:
            self.broker.steady.do_ack(self.queue_name, message_id)
        else:
            self.broker.drop_unreadable(self.queue_name, data)


def _cause(error: Exception) -> Exception:
    """Dramatiq wraps the error of redis-py in its own."""
    inner = error.args[0] if error.args else None
    return inner if isinstance(inner, redis.RedisError) else error


class ThreadHooks(Middleware):
    """Runs both in the worker's thread: `opened` before its first job, `closed` after its last."""

    def __init__(self, opened: Callable[[], None], closed: Callable[[], None]) -> None:
        self._opened = opened
        self._closed = closed

    def after_worker_thread_boot(self, _broker: object, _thread: object) -> None:
        self._opened()

    def before_worker_thread_shutdown(self, _broker: object, _thread: object) -> None:
        self._closed()


def new_worker(broker: WorkerBroker, queue: str) -> dramatiq.Worker:
    """One queue, one thread."""
    return dramatiq.Worker(broker, queues={queue}, worker_threads=1, worker_timeout=IDLE_MS)
