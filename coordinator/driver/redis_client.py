"""The coordinator's Redis client, with its timeouts and retries written out, and its check.

Invariant: every command that goes through it may happen twice (a second enqueue is a duplicate
message, which is merged once), so errors of the connection are retried. It gives up a reply after
five seconds; nothing may block in Redis for longer than two.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from coordinator.driver import lua

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


def connect(url: str, *, retries: int = 6, name: str = "mazewave-coordinator") -> redis.Redis:
    """A client; it connects with its first command. Six retries take some five seconds."""
    pool = redis.ConnectionPool.from_url(
        url,
        socket_timeout=REPLY_S,
        socket_connect_timeout=CONNECT_S,
        socket_keepalive=True,
        health_check_interval=30,
        retry=Retry(ExponentialBackoff(cap=2.0, base=0.05), retries, LOST),
        client_name=name,
    )
    return redis.Redis(connection_pool=pool)


def script(client: redis.Redis, name: str) -> Script:
    """`lua/{name}.lua`, loaded on first use."""
    loaded: Script = client.register_script(lua.source(name))
    return loaded


def check(url: str) -> list[str]:
    """What is wrong with the broker at this URL, in sentences; none when all is well."""
    try:
        client = connect(url, retries=0)
    except ValueError as error:
        return [f"The broker's address is not a Redis URL: {error}."]
    try:
        client.ping()
        return _policy_problems(client)
    except redis.AuthenticationError:
        return ["The broker refuses the password in its address."]
    except redis.ResponseError as error:
        return [f"The broker answers, but not as it should: {error}."]
    except LOST as error:
        return [f"The broker cannot be reached ({type(error).__name__})."]
    finally:
        client.close()


def _policy_problems(client: redis.Redis) -> list[str]:
    """`INFO` rather than `CONFIG GET`, which hosted Redis often forbids."""
    memory: dict[str, Any] = dict(client.info("memory"))
    policy = memory.get("maxmemory_policy", "noeviction")
    if policy == "noeviction":
        return []
    return [f"The broker may evict jobs (maxmemory-policy {policy}); set it to noeviction."]
