"""The blob store as workers see it: bytes by their SHA-256, in a folder or a bucket.

Invariant: a blob never changes, and what `get` returns has the digest that was asked for. It leaves
out deleting, which is the coordinator's. `coordinator/driver/blobs.py` is its counterpart; both
take the name of a blob from `contract.channels.blob_path`.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    NotFoundError,
    PreconditionError,
)
from obstore.store import LocalStore, ObjectStore, from_url

from contract.channels import RESULT_LIMIT, blob_path
from workers.kit.errors import BlobProblem, StoreTrouble

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Blobs:
    """`where`: a folder, or a URL such as `s3://bucket/prefix`, `file:///…`, `memory:///`."""

    def __init__(self, where: str, *, limit: int = RESULT_LIMIT) -> None:
        self._store = open_store(where)
        self._limit = limit

    def put(self, data: bytes) -> str:
        """Store the bytes, unless they are there already, and return their digest."""
        if len(data) > self._limit:
            raise BlobProblem(f"{len(data)} bytes are more than the {self._limit} allowed")
        digest = hashlib.sha256(data).hexdigest()
        # The same name means the same bytes; some stores say "exists" as a failed condition.
        with _store_trouble(), suppress(AlreadyExistsError, PreconditionError):
            obstore.put(self._store, blob_path(digest), data, mode="create")
        return digest

    def get(self, digest: str) -> bytes:
        """Raises `BlobProblem`, or `StoreTrouble` when the store cannot be reached."""
        if not _DIGEST.fullmatch(digest):
            raise BlobProblem("what should name a blob is not a SHA-256")
        try:
            with _store_trouble():
                found = obstore.get(self._store, blob_path(digest))
        except (FileNotFoundError, NotFoundError) as error:
            raise BlobProblem(f"blob {digest} is missing") from error
        if found.meta["size"] > self._limit:
            raise BlobProblem(f"blob {digest} has {found.meta['size']} bytes, too many")
        data = bytes(found.bytes())
        if hashlib.sha256(data).hexdigest() != digest:
            raise BlobProblem(f"blob {digest} is damaged")
        return data


@contextmanager
def _store_trouble() -> Iterator[None]:
    """What the store says of itself, rather than of a blob, as `StoreTrouble`."""
    try:
        yield
    except (FileNotFoundError, NotFoundError):
        raise
    except (BaseError, OSError) as error:
        raise StoreTrouble(f"the blob store does not work: {type(error).__name__}") from error


def open_store(where: str) -> ObjectStore:
    """A URL as it is; `file://` and anything else is a folder, made when it is missing."""
    if not where:
        raise BlobProblem("no blob store is configured; set MAZEWAVE_BLOBS to a folder or a URL")
    if "://" in where and not where.startswith("file://"):
        return from_url(where)
    path = unquote(urlsplit(where).path) if where.startswith("file://") else where
    folder = Path(path).expanduser().absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return LocalStore(prefix=folder)
