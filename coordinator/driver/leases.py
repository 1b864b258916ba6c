"""What Redis knows of a run's jobs besides queue and results: beats, starts, and the marker.

Invariant: nothing here is the truth, the state file is; when Redis lost all of it (`marked` says
no) the coordinator publishes what is outstanding again. Leaves out judging who is lost.
"""

from collections.abc import Sequence

import redis

from contract.channels import (
    beat_key,
    checkpoint_key,
    fence_key,
    login_key,
    marker_key,
    run_prefix,
    starts_key,
)
from contract.identity import JobId, RunId
from contract.results import Beat
from contract.wire import WireError, loads

FENCE_KEPT_S = 3600
"""A late delivery of a merged job is refused for this long; later its deadline refuses it."""


class Leases:
    def __init__(self, client: redis.Redis, namespace: str, run_id: RunId) -> None:
        self._redis = client
        self._ns = namespace
        self._run_id = run_id
        self._login_key = login_key(namespace, run_id)

    def beats(self, job_ids: Sequence[JobId]) -> dict[JobId, Beat]:
        """The jobs that some worker runs now, and how far they are."""
        if not job_ids:
            return {}
        values = self._redis.mget([beat_key(self._ns, self._run_id, job) for job in job_ids])
        found: dict[JobId, Beat] = {}
        for job, value in zip(job_ids, values, strict=True):
            beat = _beat(value)
            if beat is not None:
                found[job] = beat
        return found

    def starts(self, job_ids: Sequence[JobId]) -> dict[JobId, int]:
        """How many workers began each job and neither reported nor gave it back; 0 is left out."""
        if not job_ids:
            return {}
        values = self._redis.hmget(starts_key(self._ns, self._run_id), list(job_ids))
        counts = {job: int(value or 0) for job, value in zip(job_ids, values, strict=True)}
        return {job: count for job, count in counts.items() if count > 0}

    def forget(self, job_id: JobId) -> None:
        """Remove what a merged job leaves; its fence stays a while, to refuse late deliveries."""
        place = (self._ns, self._run_id, job_id)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.delete(checkpoint_key(*place), beat_key(*place))
            pipe.hdel(starts_key(self._ns, self._run_id), job_id)
            pipe.expire(fence_key(*place), FENCE_KEPT_S)
            pipe.execute()

    def mark(self) -> None:
        """Leave the mark by which `marked` tells that Redis has not lost the run."""
        self._redis.set(marker_key(self._ns, self._run_id), "1")

    def marked(self) -> bool:
        return bool(self._redis.exists(marker_key(self._ns, self._run_id)))

    def login_blob(self) -> str | None:
        """The digest of the shared storage state, to be dropped from the blob store at the end."""
        blob = self._redis.hget(self._login_key, "blob")
        return blob.decode() if isinstance(blob, bytes) else None

    def forget_login_failure(self) -> None:
        """Let workers try to log in again; for a run that is resumed."""
        self._redis.hdel(self._login_key, "failed")

    def close(self) -> None:
        """Remove every key of the run."""
        for keys in _chunks(self._redis, f"{_literal(run_prefix(self._ns, self._run_id))}:*"):
            self._redis.unlink(*keys)


def _beat(value: bytes | str | None) -> Beat | None:
    """A beat that cannot be read is none: the job then counts as not heard of."""
    if value is None:
        return None
    try:
        return loads(value, Beat)
    except WireError:
        return None


def _chunks(client: redis.Redis, pattern: str) -> list[list[bytes | str]]:
    """Collected before any is deleted, since a scan over a changing set may skip keys."""
    keys: list[bytes | str] = list(client.scan_iter(match=pattern, count=1000))
    return [keys[start : start + 1000] for start in range(0, len(keys), 1000)]


def _literal(text: str) -> str:
    """The text as a pattern that matches only itself."""
    return "".join(f"\\{char}" if char in "*?[]\\^" else char for char in text)
