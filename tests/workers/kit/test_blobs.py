"""The blob stores of both sides: the same names, and damage that is noticed."""

from pathlib import Path

import pytest

from contract.channels import blob_path
from coordinator.driver import blobs as coordinator_side
from workers.kit.blobs import Blobs
from workers.kit.errors import BlobProblem


def test_what_a_worker_puts_the_coordinator_gets(tmp_path: Path) -> None:
    digest = Blobs(str(tmp_path)).put(b"picture")
    assert coordinator_side.Blobs(tmp_path.as_uri()).get(digest) == b"picture"


def test_putting_twice_is_harmless(tmp_path: Path) -> None:
    store = Blobs(str(tmp_path / "new folder"))
    assert store.put(b"same") == store.put(b"same")


def test_a_store_in_memory_works_alike() -> None:
    store = Blobs("memory:///")
    assert store.get(store.put(b"")) == b""


def test_a_damaged_blob_is_noticed(tmp_path: Path) -> None:
    digest = Blobs(str(tmp_path)).put(b"whole")
    (tmp_path / blob_path(digest)).write_bytes(b"hole")
    with pytest.raises(BlobProblem, match="damaged"):
        Blobs(str(tmp_path)).get(digest)


@pytest.mark.parametrize("name", ["0" * 64, "../../etc/passwd", ""])
def test_a_name_without_a_blob_is_a_problem(tmp_path: Path, name: str) -> None:
    with pytest.raises(BlobProblem):
        Blobs(str(tmp_path)).get(name)
    with pytest.raises(coordinator_side.BlobProblem):
        coordinator_side.Blobs(str(tmp_path)).get(name)


def test_a_blob_beyond_the_limit_is_neither_stored_nor_read(tmp_path: Path) -> None:
    digest = Blobs(str(tmp_path)).put(b"12345")
    small = Blobs(str(tmp_path), limit=4)
    with pytest.raises(BlobProblem):
        small.put(b"12345")
    with pytest.raises(BlobProblem):
        small.get(digest)


def test_the_coordinator_drops_blobs_that_may_be_gone_already(tmp_path: Path) -> None:
    store = coordinator_side.Blobs(str(tmp_path))
    digest = store.put(b"old")
    store.drop([digest, digest])
    with pytest.raises(coordinator_side.BlobProblem, match="missing"):
        store.get(digest)
