"""The entry point of every worker: one process, one worker thread, one queue.

`serve` runs until it is asked to stop (exit 0), until Redis has failed it (75: start it again), or
until it is broken itself (70). Invariant: a running job is finished or handed back first, and no
message stays taken by a worker that is gone. What a job is and how it is done is the service's.
"""

import logging
import os
import signal
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from typing import Protocol

import dramatiq
import redis
from dramatiq import Message, Worker
from prometheus_client import CollectorRegistry

from contract.channels import BEAT_S, workers_key
from workers.kit.bench import Bench
from workers.kit.blobs import Blobs
from workers.kit.broker import ThreadHooks, WorkerBroker, new_worker
from workers.kit.duty import EXIT_AGAIN, EXIT_OVERTIME, Handler
from workers.kit.metrics import WorkerMetrics, serve_metrics
from workers.kit.settings import WorkerSettings
from workers.kit.shift import Shift
from workers.kit.signs import Signs

log = logging.getLogger("mazewave.worker")

TICK_S = 0.1
DRAIN_MS = 5000


class Service(Protocol):
    """What a worker is good for. `open` and `close` run in the thread that runs the handlers.

    `open` comes before the first job; if it raises, the worker exits with 70. `close` comes after
    the last job.
    """

    @property
    def handlers(self) -> Mapping[str, Handler]: ...

    def open(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Plain:
    """A service that holds nothing: just the handlers, by the names of `contract.channels`."""

    handlers: Mapping[str, Handler]

    def open(self) -> None:
        """Nothing to open."""

    def close(self) -> None:
        """Nothing to close."""


def serve(queue: str, service: Service, settings: WorkerSettings) -> int:
    """Work until asked to stop, and return the exit code. Call it from the main thread."""
    _log_to_stderr(settings.worker_name)
    return _Process(queue, service, settings).run()


class _Process:
    def __init__(self, queue: str, service: Service, settings: WorkerSettings) -> None:
        self._queue = queue
        self._service = service
        self._settings = settings
        self._asked = False
        self.signs = Signs()
        self._metrics = WorkerMetrics(CollectorRegistry())
        self._broker = WorkerBroker(
            settings.broker,
            settings.worker_name,
            settings.namespace,
            signs=self.signs,
            metrics=self._metrics,
        )
        self._bench = Bench(
            worker=settings.worker_name,
            namespace=settings.namespace,
            redis=self._broker.steady.client,
            blobs=Blobs(settings.blobs),
            metrics=self._metrics,
            signs=self.signs,
            stop_s=settings.stop_s,
        )
        self._shift = Shift(self._bench, service.handlers, self._give_back)
        self._broker.set_aside = self._shift.set_aside

    def run(self) -> int:
        self._listen()
        server = self._serve_metrics()
        worker = self._start()
        self._watch(worker)
        self._wind_up(worker)
        if server is not None:
            server.shutdown()
        return self._exit_code()

    def _listen(self) -> None:
        """A handler only notes the signal: an `Event` may deadlock when set from one."""

        def ask(_number: int, _frame: object) -> None:
            self._asked = True

        signal.signal(signal.SIGTERM, ask)
        signal.signal(signal.SIGINT, ask)

    def _serve_metrics(self) -> ThreadingHTTPServer | None:
        settings = self._settings
        self._metrics.info.info({"worker": settings.worker_name, "queue": self._queue})
        if not settings.metrics_port:
            return None
        where = (settings.metrics_host, settings.metrics_port)
        return serve_metrics(*where, self._metrics.registry, self.signs.silent_s)

    def _start(self) -> Worker:
        self._broker.add_middleware(ThreadHooks(self._opened, self._service.close))
        for name in self._service.handlers:
            self._declare(name)
        self._broker.emit_after("process_boot")
        worker = new_worker(self._broker, self._queue)
        worker.start()
        return worker

    def _declare(self, name: str) -> None:
        def act(message: object) -> None:
            self._shift.take(name, message)

        dramatiq.actor(actor_name=name, queue_name=self._queue, broker=self._broker)(act)

    def _opened(self) -> None:
        """Dramatiq logs what `open` raises, and goes on; we must not."""
        with ExitStack() as undo:
            undo.callback(self.signs.broken.set)
            self._service.open()
            undo.pop_all()

    def _watch(self, worker: Worker) -> None:
        """Until a sign says to leave, and the running job is done."""
        next_beat = 0.0
        while not self.signs.leaving() or self._shift.busy:
            if time.monotonic() >= next_beat:
                self._say_alive()
                next_beat = time.monotonic() + BEAT_S
            if self._asked or self._orphaned():
                self.signs.stopping.set()
            if not all(thread.is_alive() for thread in worker.workers):
                self.signs.broken.set()
                return
            time.sleep(TICK_S)

    def _wind_up(self, worker: Worker) -> None:
        worker.stop(timeout=DRAIN_MS)
        try:
            back = self._broker.release_stranded(self._queue)
            self._bench.redis.hdel(workers_key(self._settings.namespace), self._bench.worker)
        except redis.RedisError as error:
            self._bench.note("leave", error)
        else:
            log.info("leaving; %d messages put back", back)

    def _exit_code(self) -> int:
        if self.signs.broken.is_set():
            return EXIT_OVERTIME
        return 0 if self.signs.stopping.is_set() else EXIT_AGAIN

    def _say_alive(self) -> None:
        try:
            key = workers_key(self._settings.namespace)
            self._bench.redis.hset(key, self._bench.worker, str(time.time()))
        except redis.RedisError as error:
            self._bench.note("alive", error)

    def _orphaned(self) -> bool:
        parent = self._settings.parent_pid
        return bool(parent) and os.getppid() != parent

    def _give_back(self, actor: str, message: object) -> None:
        """A new message first, then the old one is acked: at worst there are two, never none."""
        again: Message[None] = Message(
            queue_name=self._queue, actor_name=actor, args=(message,), kwargs={}, options={}
        )
        try:
            self._broker.steady.enqueue(again)
        except redis.RedisError as error:
            self._bench.note("give_back", error)
            self._bench.leave(EXIT_AGAIN)


def _log_to_stderr(worker: str) -> None:
    # Dramatiq reports every closed connection at length; its warnings are enough.
    logging.basicConfig(format=f"%(asctime)s {worker} %(levelname)s %(message)s")
    logging.getLogger("mazewave").setLevel(logging.INFO)
