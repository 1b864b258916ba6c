"""What the attempts at one job have finished: a list in Redis, opaque bytes to the kit.

Invariant: only the holder of the fence appends, in one round trip, and a repeated append does not
double. While Redis cannot take them (down, full) the entries wait here and go along with the next.
"""

import redis

from contract.channels import checkpoint_key
from contract.jobs import AnyJob
from workers.kit.bench import KEYS_LIVE_S, Bench
from workers.kit.errors import LeaseLost
from workers.kit.lease import Lease


class Checkpoints:
    """Load first, append after; appending before loading loads."""

    def __init__(self, bench: Bench, lease: Lease, job: AnyJob) -> None:
        self._bench = bench
        self._lease = lease
        self._key = checkpoint_key(bench.namespace, job.run_id, job.job_id)
        self._length: int | None = None
        self._unsent: list[bytes] = []

    def load(self) -> list[bytes]:
        """Everything that earlier attempts, and this one, have appended."""
        found = self._bench.redis.lrange(self._key, 0, -1)
        entries = [entry for entry in found if isinstance(entry, bytes)]
        self._length = len(entries)
        return entries + self._unsent

    def append(self, *entries: bytes) -> None:
        """Raises `LeaseLost` once the job is no longer ours."""
        self._unsent.extend(entries)
        if not self._unsent:
            return
        if self._lease.lost.is_set():
            raise LeaseLost
        try:
            self._send()
        except redis.RedisError as error:
            self._bench.note("append", error)

    def _send(self) -> None:
        if self._length is None:
            self._length = int(self._bench.redis.llen(self._key))
        batch = self._unsent[:500]  # Lua's stack bounds how many arguments one call may have
        length = self._bench.append(
            (self._lease.keys[0], self._key),
            (self._lease.fence, self._length, KEYS_LIVE_S, *batch),
        )
        if length < 0:
            self._lease.lost.set()
            raise LeaseLost
        self._length = length
        del self._unsent[: len(batch)]
        if self._unsent:
            self._send()
