"""Fixtures for all tests; they live in `tests/support`."""

from tests.support.explorer import explorer
from tests.support.fixtures import bench, client, namespace, valkey

__all__ = ["bench", "client", "explorer", "namespace", "valkey"]
