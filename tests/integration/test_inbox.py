"""The inbox: every entry becomes a result or a problem, and nothing stops the reading."""

from pathlib import Path

import pytest
import redis

from contract.channels import results_stream, set_aside_key
from contract.identity import RunId
from contract.wire import result_to_bytes
from coordinator.driver.blobs import Blobs
from coordinator.driver.inbox import START, Inbox
from tests.support.jobs import RUN, job, result


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(str(tmp_path / "blobs"))


@pytest.fixture
def inbox(client: redis.Redis, namespace: str, blobs: Blobs) -> Inbox:
    return Inbox(client, namespace, RUN, blobs)


def send(client: redis.Redis, namespace: str, fields: dict[str, bytes]) -> None:
    client.xadd(results_stream(namespace, RUN), dict(fields.items()))


def test_an_empty_run_has_no_results(inbox: Inbox) -> None:
    assert inbox.read(START) == []
    assert inbox.last_id() == START


def test_results_come_in_order_and_the_cursor_moves(
    client: redis.Redis, namespace: str, inbox: Inbox
) -> None:
    for name in ("a", "b", "c"):
        send(client, namespace, {"payload": result_to_bytes(result(job(name)))})
    first = inbox.read(START, limit=2)
    rest = inbox.read(first[-1].cursor, block_s=0.1)
    assert [found.result and found.result.job_id for found in first + rest] == ["a", "b", "c"]
    assert inbox.last_id() == rest[-1].cursor
    assert inbox.read(rest[-1].cursor, block_s=0.01) == []


def test_a_result_in_the_blob_store_is_fetched(
    client: redis.Redis, namespace: str, inbox: Inbox, blobs: Blobs
) -> None:
    sent = result(job())
    send(client, namespace, {"blob": blobs.put(result_to_bytes(sent)).encode()})
    assert inbox.read(START)[0].result == sent


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"payload": b"\xff\xfe not json"}, "malformed"),
        ({"payload": b'{"kind": "from_the_future"}'}, "from_the_future"),
        ({}, ""),
        ({"blob": b"0" * 64}, "missing"),
        ({"blob": b"../../etc/passwd"}, "SHA-256"),
    ],
)
def test_what_cannot_be_read_is_set_aside_and_the_next_is_read(
    client: redis.Redis,
    namespace: str,
    inbox: Inbox,
    fields: dict[str, bytes],
    problem: str,
) -> None:
    send(client, namespace, {"job_id": b"bad", **fields})
    send(client, namespace, {"payload": result_to_bytes(result(job()))})
    bad, good = inbox.read(START)
    assert bad.result is None
    assert bad.problem is not None
    assert problem in bad.problem
    assert good.result is not None
    assert client.llen(set_aside_key(namespace)) == 1


def test_a_result_of_another_run_is_a_problem(
    client: redis.Redis, namespace: str, blobs: Blobs
) -> None:
    other = RunId("run-2")
    stream = results_stream(namespace, other)
    client.xadd(stream, {"payload": result_to_bytes(result(job()))})
    (found,) = Inbox(client, namespace, other, blobs).read(START)
    assert found.problem == "a result of another run"


def test_trimmed_entries_are_gone_but_the_last_place_is_known(
    client: redis.Redis, namespace: str, inbox: Inbox
) -> None:
    for name in ("a", "b", "c"):
        send(client, namespace, {"payload": result_to_bytes(result(job(name)))})
    found = inbox.read(START)
    inbox.trim(found[-1].cursor)
    assert len(inbox.read(START)) == 1
    assert inbox.last_id() == found[-1].cursor
