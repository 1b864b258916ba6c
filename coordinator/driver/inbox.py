"""The results of one run as they come in: read from a stream, decoded once, never lost.

Invariant: reading changes nothing but the list of what was set aside; an entry is gone only after
`trim`, which the caller calls once the state that includes it is on disk. Every entry becomes one
delivery, a result or a problem in words. Judging results (duplicate, late, stale) is the caller's.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import redis

from contract.channels import RESULT_LIMIT, SET_ASIDE_LIMIT, results_stream, set_aside_key
from contract.identity import RunId
from contract.results import AnyResult
from contract.wire import WireError, dumps, result_from_bytes
from coordinator.driver.blobs import BlobProblem, Blobs

MAX_BLOCK_S = 2.0
START = "0-0"
"""The cursor before the first entry."""

KEPT_BYTES = 64 * 1024
"""Of a field that is set aside no more than this is kept."""

Fields = Mapping[bytes, bytes]


@dataclass(frozen=True)
class Delivery:
    """One entry of the stream, a result or what is wrong with it, and the place after it.

    `blob`: where a large result came from; it can be dropped once the result is merged.
    """

    cursor: str
    result: AnyResult | None = None
    problem: str | None = None
    blob: str | None = None


class Inbox:
    def __init__(self, client: redis.Redis, namespace: str, run_id: RunId, blobs: Blobs) -> None:
        self._redis = client
        self._run_id = run_id
        self._blobs = blobs
        self._stream = results_stream(namespace, run_id)
        self._set_aside_key = set_aside_key(namespace)

    def read(self, cursor: str, limit: int = 100, block_s: float = 0.0) -> list[Delivery]:
        """What came after the cursor; waits up to `block_s` (at most 2) for the first of it."""
        block = int(min(block_s, MAX_BLOCK_S) * 1000) or None
        reply: Any = self._redis.xread({self._stream: cursor}, count=limit, block=block)
        return [self._delivery(entry.decode(), fields) for entry, fields in _entries(reply)]

    def trim(self, cursor: str) -> None:
        """Forget the entries before the cursor."""
        self._redis.xtrim(self._stream, minid=cursor, approximate=False)

    def last_id(self) -> str:
        """The last place that the stream has known; behind the cursor when Redis lost the run."""
        try:
            info: Any = self._redis.xinfo_stream(self._stream)
        except redis.ResponseError:
            return START
        last = info["last-generated-id"]
        return last.decode() if isinstance(last, bytes) else str(last)

    def _delivery(self, cursor: str, fields: Fields) -> Delivery:
        try:
            result = result_from_bytes(self._payload(fields))
        except (WireError, BlobProblem) as error:
            return self._problem(cursor, fields, str(error))
        if result.run_id != self._run_id:
            return self._problem(cursor, fields, "a result of another run")
        blob = fields.get(b"blob")
        return Delivery(cursor=cursor, result=result, blob=blob.decode() if blob else None)

    def _payload(self, fields: Fields) -> bytes:
        """Raises `BlobProblem`; an unreachable store raises its own error, and nothing is lost."""
        if b"blob" in fields:
            return self._blobs.get(fields[b"blob"].decode("ascii", "replace"))
        payload = fields.get(b"payload", b"")
        if len(payload) > RESULT_LIMIT:
            raise WireError(f"a result of {len(payload)} bytes")
        return payload

    def _problem(self, cursor: str, fields: Fields, problem: str) -> Delivery:
        kept = {
            "where": "results",
            "run_id": self._run_id,
            "entry": cursor,
            "problem": problem,
            "fields": {_text(name): _text(value) for name, value in fields.items()},
        }
        self._redis.lpush(self._set_aside_key, dumps(kept))
        self._redis.ltrim(self._set_aside_key, 0, SET_ASIDE_LIMIT - 1)
        return Delivery(cursor=cursor, problem=problem)


def _entries(reply: Any) -> list[tuple[bytes, Fields]]:
    """The entries of the one stream that was asked for; RESP3 answers with a map of lists."""
    if not reply:
        return []
    if isinstance(reply, dict):
        pages = next(iter(reply.values()))
        return [entry for page in pages for entry in page]
    entries: list[tuple[bytes, Fields]] = reply[0][1]
    return entries


def _text(data: bytes) -> str:
    """Readable where it is text; what is not is kept as base64, so that it is kept whole."""
    data = data[:KEPT_BYTES]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(data).decode("ascii")
