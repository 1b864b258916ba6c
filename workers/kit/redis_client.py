"""Redis clients with their timeouts and retries written out; nothing is left to defaults.

Two kinds: `steady` repeats a command after an error of the connection, so only what may happen
twice goes through it; `once` does not, for taking a message off a queue. Both give up a reply after
five seconds, so nothing blocks in Redis for longer than two.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.retry import Retry

from workers.kit import lua

REPLY_S = 5.0
CONNECT_S = 3.0
LOST = (redis.ConnectionError, redis.TimeoutError, redis.ReadOnlyError)
"""What says that the connection, or the primary at its other end, is gone."""


def takes_no_writes(error: Exception) -> bool:
    """The broker cannot write its own file (`MISCONF`): mostly there is no room on its disk."""
    return isinstance(error, redis.ResponseError) and str(error).startswith("MISCONF")


class Script(Protocol):
    """A Lua script at one client."""

    def __call__(self, keys: Sequence[str], args: Sequence[str | bytes | int | float]) -> Any: ...


def steady(url: str, name: str) -> redis.Redis:
    """For what may happen twice: seven attempts within some five seconds."""
    return _client(url, name, Retry(ExponentialBackoff(cap=2.0, base=0.05), 6, LOST))


def once(url: str, name: str) -> redis.Redis:
    """For what must not: one attempt."""
    return _client(url, name, Retry(NoBackoff(), 0))


def script(client: redis.Redis, name: str) -> Script:
    """`lua/{name}.lua`, loaded on first use."""
    loaded: Script = client.register_script(lua.source(name))
    return loaded


def _client(url: str, name: str, retry: Retry) -> redis.Redis:
    pool = redis.ConnectionPool.from_url(
        url,
        socket_timeout=REPLY_S,
        socket_connect_timeout=CONNECT_S,
        socket_keepalive=True,
        health_check_interval=30,
        retry=retry,
        client_name=name,
    )
    return redis.Redis(connection_pool=pool)
