"""Pytest fixtures that several folders share: a real broker, a namespace of its own per test."""

import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from prometheus_client import CollectorRegistry

from coordinator.driver.redis_client import connect
from coordinator.embedded.valkey import Valkey
from workers.kit.bench import Bench
from workers.kit.blobs import Blobs
from workers.kit.metrics import WorkerMetrics

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an embedded Valkey that lives as long as the test session."""

    def launch(command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL)

    server = Valkey(tmp_path_factory.mktemp("valkey"), launch)
    server.start()
    yield server.url
    if server.process is not None:
        server.process.terminate()
        server.process.wait(timeout=10)


@pytest.fixture
def client(valkey: str) -> Iterator[redis.Redis]:
    found = connect(valkey)
    yield found
    found.close()
    found.connection_pool.disconnect()


@pytest.fixture
def namespace() -> str:
    """A namespace that no other test uses."""
    return f"test{next(_numbers)}"


@pytest.fixture
def bench(client: redis.Redis, namespace: str, tmp_path: Path) -> Bench:
    """What a worker's jobs share; leaving the process raises instead."""

    def leave(code: int) -> None:
        raise SystemExit(code)

    return Bench(
        worker="worker-1",
        namespace=namespace,
        redis=client,
        blobs=Blobs(str(tmp_path / "blobs")),
        metrics=WorkerMetrics(CollectorRegistry()),
        leave=leave,
    )
