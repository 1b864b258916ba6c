"""The login of a run, shared by its workers: one logs in, the others take over what it got.

A hash holds `generation`, the `blob` with the storage state, and `failed`, a sentence. Invariant:
the generation only grows, and a failed login fails for everybody at once. Every call is one short
round trip, so that it can be made from a coroutine; waiting is up to the caller, or to `renew`.
The storage state is a secret: here it is a digest only.
"""

import secrets
import time
from collections.abc import Callable

from contract.channels import login_key
from contract.identity import RunId
from workers.kit.bench import KEYS_LIVE_S, Bench
from workers.kit.errors import LoginFailed

LOCK_S = 60.0
"""A worker that logs in for longer than this loses the lock; the next one tries."""

POLL_S = 0.1


class SharedLogin:
    def __init__(self, bench: Bench, run_id: RunId) -> None:
        self._bench = bench
        self._key = login_key(bench.namespace, run_id)
        self._lock = f"{self._key}:lock"
        self._token = secrets.token_hex(8)

    def current(self) -> tuple[int, str | None]:
        """The generation (0: nobody has logged in yet) and the digest of its storage state."""
        generation, blob = self._bench.redis.hmget(self._key, ["generation", "blob"])
        return int(generation or 0), blob.decode() if isinstance(blob, bytes) else None

    def failed(self) -> str | None:
        """Why the login of this run does not work, once that is known."""
        sentence = self._bench.redis.hget(self._key, "failed")
        return sentence.decode() if isinstance(sentence, bytes) else None

    def try_acquire(self) -> bool:
        """Take the lock; true as well when we have it already, so asking twice is harmless."""
        took = self._bench.redis.set(self._lock, self._token, nx=True, px=int(LOCK_S * 1000))
        return bool(took) or self._bench.redis.get(self._lock) == self._token.encode()

    def release(self) -> None:
        self._bench.unlock((self._lock,), (self._token,))

    def publish(self, storage_state: bytes) -> tuple[int, str]:
        """Store what a login got; the others see a new generation."""
        blob = self._bench.blobs.put(storage_state)
        with self._bench.redis.pipeline(transaction=True) as pipe:
            pipe.hincrby(self._key, "generation", 1)
            pipe.hset(self._key, "blob", blob)
            pipe.hdel(self._key, "failed")
            pipe.expire(self._key, KEYS_LIVE_S)
            generation = int(pipe.execute()[0])
        return generation, blob

    def publish_failure(self, sentence: str) -> None:
        """Let every other worker of the run fail with the same sentence."""
        with self._bench.redis.pipeline(transaction=True) as pipe:
            pipe.hset(self._key, "failed", sentence)
            pipe.expire(self._key, KEYS_LIVE_S)
            pipe.execute()

    def renewed(self, seen: int) -> tuple[int, str] | None:
        """What somebody else got since generation `seen`; `LoginFailed` if it did not work."""
        generation, blob = self.current()
        if blob is not None and generation > seen:
            return generation, blob
        sentence = self.failed()
        if sentence is not None:
            raise LoginFailed(sentence)
        return None

    def renew(self, seen: int, log_in: Callable[[], bytes]) -> tuple[int, str]:
        """Log in, or wait for whoever does; for handlers that may block."""
        while True:
            found = self.renewed(seen)
            if found is not None:
                return found
            if self.try_acquire():
                return self._log_in(seen, log_in)
            time.sleep(POLL_S)

    def _log_in(self, seen: int, log_in: Callable[[], bytes]) -> tuple[int, str]:
        try:
            return self.renewed(seen) or self.publish(log_in())
        except LoginFailed as error:
            self.publish_failure(error.sentence)
            raise
        finally:
            self.release()
