"""Who holds a job: the fence with attempt and token, the count of starts, the beat.

Invariant: of all workers that ever began a job at most one holds its fence, and whoever finds
another value there writes nothing more. A start is counted before the work and settled by an
orderly end, so the count is the number of workers that the job has lost, and the one that runs it.
Leaves out what is done with a lost lease; `duty` decides that.
"""

import secrets
import threading
from enum import StrEnum

import redis

from contract.channels import LEASE_S, MAX_STARTS, beat_key, fence_key, starts_key
from contract.identity import JobId, RunId
from contract.results import Beat
from contract.wire import dumps
from workers.kit.bench import KEYS_LIVE_S, Bench
from workers.kit.errors import LeaseLost


class Begin(StrEnum):
    """What `begin` says; the values are those of `begin.lua`."""

    HELD = "held"
    OLD = "old"
    SPENT = "spent"


class Lease:
    """The lease of one job in this worker; not held before `begin`."""

    def __init__(self, bench: Bench, run_id: RunId, job_id: JobId, attempt: int) -> None:
        self._bench = bench
        self._job_id = job_id
        self._attempt = attempt
        self._fence_key = fence_key(bench.namespace, run_id, job_id)
        self._starts_key = starts_key(bench.namespace, run_id)
        self._beat_key = beat_key(bench.namespace, run_id, job_id)
        self.fence = ""
        self.lost = threading.Event()

    @property
    def keys(self) -> tuple[str, str, str]:
        """Fence, starts, beat: what the scripts want first."""
        return self._fence_key, self._starts_key, self._beat_key

    def begin(self) -> Begin:
        """Take the fence and count the start, unless a newer attempt has it or it is spent."""
        token = secrets.token_hex(6)
        args = (self._job_id, self._attempt, token, MAX_STARTS, KEYS_LIVE_S)
        began = Begin(self._bench.begin(self.keys[:2], args).decode())
        if began is Begin.HELD:
            self.fence = f"{self._attempt}:{token}"
        return began

    def check(self) -> None:
        """Raises `LeaseLost`; while Redis cannot be reached the lease counts as held."""
        if not self.lost.is_set() and self._still_held():
            return
        self.lost.set()
        raise LeaseLost

    def _still_held(self) -> bool:
        try:
            held = self._bench.redis.get(self._fence_key)
        except redis.RedisError as error:
            self._bench.note("check", error)
            return True
        return held == self.fence.encode()

    def beat(self, beat: Beat) -> None:
        """Say that the job is alive; notes it when the job is no longer ours."""
        args = (self.fence, dumps(beat), int(LEASE_S * 1000))
        try:
            held = self._bench.beat((self._fence_key, self._beat_key), args)
        except redis.RedisError as error:
            self._bench.note("beat", error)
            return
        self._bench.signs.alive()
        if not held:
            self.lost.set()

    def release(self) -> None:
        """Settle the start of a job that ends without a report and without losing its worker."""
        try:
            self._bench.release(self.keys, (self._job_id, self.fence))
        except redis.RedisError as error:
            self._bench.note("release", error)
