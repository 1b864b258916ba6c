"""One coordinator per run: an office in Redis that is held for a while and renewed.

Invariant: the epoch grows with every term, so jobs and results of a coordinator that was succeeded
are told from those of its successor. The lock file beside the state file is another matter: that
one guards the files on one machine, this one the run across machines.
"""

import redis

from contract.channels import coordinator_key, epoch_key
from contract.identity import RunId
from coordinator.driver.redis_client import script


class OfficeHeld(Exception):
    """Another coordinator holds the run."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class Office:
    """The office of one run. `holder` names a process: host, pid, and something random."""

    def __init__(self, client: redis.Redis, namespace: str, run_id: RunId) -> None:
        self._keys = (coordinator_key(namespace, run_id), epoch_key(namespace, run_id))
        self._take = script(client, "take")
        self._renew = script(client, "renew")
        self._holder = ""
        self._epoch = 0
        self._ttl_ms = 0

    def take(self, holder: str, ttl_s: float, *, above: int = 0, instead_of: str = "") -> int:
        """Begin a term and return its epoch, or raise `OfficeHeld`.

        `above`: the epoch in the state file, for a Redis that lost the run. `instead_of`: a holder
        that the caller knows to be dead, so that nobody has to wait for its time to run out.
        """
        ttl_ms = int(ttl_s * 1000)
        took, value = self._take(self._keys, (holder, ttl_ms, above, instead_of))
        if not took:
            raise OfficeHeld(value.decode())
        self._holder, self._epoch, self._ttl_ms = holder, int(value), ttl_ms
        return self._epoch

    def renew(self) -> bool:
        """Stay for another term of the same length; false when somebody else took over."""
        return bool(self._renew(self._keys, (self._holder, self._epoch, self._ttl_ms)))

    def leave(self) -> None:
        """Free the office, if it is still ours."""
        self._renew(self._keys, (self._holder, self._epoch, 0))
