"""What a worker is told from outside: the `MAZEWAVE_*` environment, read once at the door.

Invariant: frozen, and secrets never show in `repr`. It leaves out what a job carries itself.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from contract.channels import BROWSER_QUEUE, NAMESPACE

DEFAULT_BROKER = "redis://127.0.0.1:6379/0"


class SettingsError(ValueError):
    """A variable of the environment is not what it should be."""


@dataclass(frozen=True, kw_only=True)
class WorkerSettings:
    """`stop_s`: how long a job may go on after SIGTERM before it is handed back.

    `parent_pid`: leave when this is no longer the parent (0: never), for systems on which a parent
    cannot tie its children to itself.
    """

    broker: str = field(repr=False)
    blobs: str = field(repr=False)
    namespace: str = NAMESPACE
    worker_name: str = ""
    queue: str = BROWSER_QUEUE
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    stop_s: float = 30.0
    parent_pid: int = 0

    @classmethod
    def from_env(cls, env: Mapping[str, str] | None = None) -> Self:
        """Raises `SettingsError` naming the variable that is wrong."""
        values = os.environ if env is None else env
        return cls(
            broker=values.get("MAZEWAVE_BROKER") or DEFAULT_BROKER,
            blobs=values.get("MAZEWAVE_BLOBS") or "",
            namespace=values.get("MAZEWAVE_NAMESPACE") or NAMESPACE,
            worker_name=values.get("MAZEWAVE_WORKER_NAME") or default_name(),
            queue=values.get("MAZEWAVE_QUEUE") or BROWSER_QUEUE,
            metrics_port=int(_number(values, "MAZEWAVE_METRICS_PORT", 0)),
            metrics_host=values.get("MAZEWAVE_METRICS_HOST") or "127.0.0.1",
            stop_s=_number(values, "MAZEWAVE_STOP_S", 30.0),
            parent_pid=int(_number(values, "MAZEWAVE_PARENT_PID", 0)),
        )


def default_name() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"


def _number(env: Mapping[str, str], name: str, default: float) -> float:
    text = env.get(name) or str(default)
    try:
        number = float(text)
    except ValueError as error:
        raise SettingsError(f"{name} must be a number, not {text!r}.") from error
    if number < 0:
        raise SettingsError(f"{name} must not be negative, but is {text}.")
    return number
