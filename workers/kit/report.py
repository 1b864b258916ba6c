"""The way of a result to the coordinator: the run's stream, and the blob store when it is large.

Invariant: the entry, the closed fence and the settled start are one step, so a result that counts
is never followed by another start of its attempt. Leaves out who may report, and how often.
"""

import time

import redis

from contract.channels import INLINE_LIMIT, RESULT_LIMIT, results_stream
from contract.results import AnyResult
from contract.wire import result_to_bytes
from workers.kit.bench import KEYS_LIVE_S, Bench
from workers.kit.errors import LeaseLost, ResultTooLarge, Undelivered
from workers.kit.lease import Lease

PAUSE_S = 0.5
Fields = tuple[str | bytes | int, ...]


def pack(bench: Bench, result: AnyResult) -> Fields:
    """The fields of the entry as name, value, …; a large payload is in the blob store already."""
    payload = result_to_bytes(result)
    if len(payload) > RESULT_LIMIT:
        raise ResultTooLarge(f"a result of {len(payload)} bytes")
    if len(payload) > INLINE_LIMIT:
        body: tuple[str | bytes, ...] = ("blob", bench.blobs.put(payload))
    else:
        body = ("payload", payload)
    return (
        *("job_id", result.job_id, "attempt", result.attempt, "epoch", result.epoch),
        *("worker", result.worker, "started", result.started_at.isoformat()),
        *("ended", result.finished_at.isoformat()),
        *body,
    )


def deliver(
    bench: Bench, lease: Lease, result: AnyResult, fields: Fields, give_up_at: float
) -> None:
    """Try until it is in the stream: `LeaseLost` when nobody wants it, `Undelivered` in the end."""
    keys = (*lease.keys, results_stream(bench.namespace, result.run_id))
    counted = int(bool(lease.fence))
    args = (result.job_id, result.attempt, counted, KEYS_LIVE_S, *fields)
    while True:
        try:
            entry = bench.report(keys, args)
        except redis.RedisError as error:
            bench.note("report", error)
            if time.monotonic() >= give_up_at:
                raise Undelivered from error
            time.sleep(PAUSE_S)
        else:
            if entry is None:
                raise LeaseLost
            return
