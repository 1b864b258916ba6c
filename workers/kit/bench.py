"""What all the jobs of one worker share: its connection, blobs, metrics, signs, and name.

Invariant: built once when the worker starts, and handed down; nothing here belongs to one job.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import redis

from contract.channels import GRACE_S
from workers.kit.blobs import Blobs
from workers.kit.metrics import WorkerMetrics
from workers.kit.redis_client import LOST, Script, script, takes_no_writes
from workers.kit.signs import Signs

KEYS_LIVE_S = 7 * 24 * 3600
"""The keys of a run that nobody closes go away after this long."""


@dataclass
class Bench:
    """`leave` ends the process at once, without a word to Dramatiq: the message will come back.

    `store_pause_s`: how long a job waits for a blob store in trouble before it is put back.
    """

    worker: str
    namespace: str
    redis: redis.Redis
    blobs: Blobs
    metrics: WorkerMetrics
    signs: Signs = field(default_factory=Signs)
    stop_s: float = 30.0
    grace_s: float = GRACE_S
    store_pause_s: float = 5.0
    leave: Callable[[int], object] = os._exit

    def note(self, op: str, error: Exception) -> None:
        """Count an error of Redis; after one that stays the worker leaves, its job done."""
        self.metrics.redis_errors.labels(op, type(error).__name__).inc()
        if isinstance(error, LOST) or takes_no_writes(error):
            self.signs.trouble.set()

    @cached_property
    def begin(self) -> Script:
        return script(self.redis, "begin")

    @cached_property
    def release(self) -> Script:
        return script(self.redis, "release")

    @cached_property
    def report(self) -> Script:
        return script(self.redis, "report")

    @cached_property
    def beat(self) -> Script:
        return script(self.redis, "beat")

    @cached_property
    def append(self) -> Script:
        return script(self.redis, "append")

    @cached_property
    def unlock(self) -> Script:
        return script(self.redis, "unlock")
