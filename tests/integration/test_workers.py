"""Worker processes that die, leave, and get messages that are none: each job ends once."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from dramatiq import Message

from contract.channels import BROWSER_QUEUE, set_aside_key, workers_key
from contract.results import JobFailed, RoutesDiscovered
from contract.vocabulary import FailureReason
from contract.wire import job_to_message
from coordinator.driver.publish import Depth
from tests.support import workers
from tests.support.jobs import job, wait_for
from tests.support.workers import Site


@pytest.fixture
def site(valkey: str, client: redis.Redis, namespace: str, tmp_path: Path) -> Iterator[Site]:
    yield from workers.at(valkey, client, namespace, tmp_path)


def send_raw(site: Site, data: bytes) -> None:
    site.client.hset(f"{site.namespace}:{BROWSER_QUEUE}.msgs", "raw", data)
    site.client.rpush(f"{site.namespace}:{BROWSER_QUEUE}", "raw")


def stop(worker: subprocess.Popen[bytes], times: int = 1) -> int:
    for _ in range(times):
        worker.send_signal(signal.SIGTERM)
    return worker.wait(timeout=30)


def test_a_killed_workers_job_comes_back_and_goes_on_from_its_checkpoints(site: Site) -> None:
    first = site.work()
    site.publisher.publish(job(start="/checkpoint/1"))
    wait_for(site.checkpoints)
    first.kill()
    before = site.checkpoints()
    site.work()
    (result,) = site.wait_for_results(1)
    assert isinstance(result, RoutesDiscovered)
    assert result.worker == "echo-2"
    assert site.checkpoints()[: len(before)] == before
    assert site.checkpoints() == [b"step 0", b"step 1", b"step 2"]


def test_a_job_that_lost_two_workers_is_not_started_a_third_time(site: Site) -> None:
    site.publisher.publish(job(start="/hang"))
    for starts in (1, 2):
        worker = site.work()
        site.wait_for_start(starts=starts)
        worker.kill()
    site.work()
    (result,) = site.wait_for_results(1)
    assert isinstance(result, JobFailed)
    assert result.reason is FailureReason.LOST_TWICE
    assert not result.retryable
    wait_for(lambda: site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=0, running=0))


def test_a_worker_asked_to_stop_finishes_its_job_and_hoards_nothing(site: Site) -> None:
    worker = site.work()
    site.publisher.publish(job(start="/sleep/1"))
    site.publisher.publish(job("next"))
    site.wait_for_start()
    assert stop(worker, times=2) == 0
    assert [result.job_id for result in site.results()] == ["discover"]
    assert site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=1, running=0)
    assert site.client.hlen(workers_key(site.namespace)) == 0


def test_a_worker_that_cannot_wait_hands_its_job_back_uncounted(site: Site) -> None:
    worker = site.work()
    site.publisher.publish(job(start="/patient"))
    site.wait_for_start()
    assert stop(worker) == 0
    assert site.leases.starts([job().job_id]) == {}
    assert site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=1, running=0)


def test_an_idle_worker_stops_at_once(site: Site) -> None:
    worker = site.work()
    wait_for(lambda: site.client.hlen(workers_key(site.namespace)))
    assert stop(worker) == 0


def test_the_same_message_twice_is_done_once(site: Site) -> None:
    site.publisher.publish(job())
    site.publisher.publish(job())
    site.publisher.publish(job("last"))
    site.work()
    assert [result.job_id for result in site.wait_for_results(2)] == ["discover", "last"]


def test_a_late_attempt_is_dropped(site: Site) -> None:
    site.publisher.publish(job(attempt=2))
    site.publisher.publish(job(attempt=1))
    site.publisher.publish(job("late", deadline_s=-1))
    site.publisher.publish(job("last"))
    site.work()
    found = [(result.job_id, result.attempt) for result in site.wait_for_results(2)]
    assert found == [("discover", 2), ("last", 1)]


def test_a_job_that_cannot_be_read_is_set_aside_and_reported(site: Site) -> None:
    message = {**job_to_message(job()), "kind": "discover_routes", "site": "not a site"}
    site.publisher._sender.enqueue(raw_message(message))
    site.publisher.publish(job("last"))
    site.work()
    failure, last = site.wait_for_results(2)
    assert isinstance(failure, JobFailed)
    assert (failure.job_id, failure.reason) == ("discover", FailureReason.NOT_DECODED)
    assert last.job_id == "last"
    (kept,) = set_aside(site)
    assert "not a site" in kept


def raw_message(argument: object) -> Message[None]:
    return Message(
        queue_name=BROWSER_QUEUE,
        actor_name="discover_routes",
        args=(argument,),
        kwargs={},
        options={},
    )


@pytest.mark.parametrize(
    "data",
    [
        b"\xff not json",
        b"[]",
        json.dumps(
            {
                "queue_name": "elsewhere",
                "actor_name": "discover_routes",
                "args": [job_to_message(job())],
                "kwargs": {},
                "options": {},
                "message_id": "1",
                "message_timestamp": 1,
            }
        ).encode(),
    ],
    ids=["bytes", "no message", "another queue"],
)
def test_a_message_that_is_none_is_set_aside_and_the_worker_lives(site: Site, data: bytes) -> None:
    send_raw(site, data)
    site.publisher.publish(job("last"))
    site.work()
    assert [result.job_id for result in site.wait_for_results(1)] == ["last"]
    assert len(set_aside(site)) == 1


def set_aside(site: Site) -> list[str]:
    found = site.client.lrange(set_aside_key(site.namespace), 0, -1)
    return [entry.decode() for entry in found if isinstance(entry, bytes)]


def test_a_worker_whose_connections_are_cut_finishes_its_job(site: Site) -> None:
    site.work()
    site.publisher.publish(job(start="/sleep/1"))
    site.wait_for_start()
    for connection in site.client.client_list():
        if connection["name"] == "echo-1":
            site.client.client_kill_filter(_id=connection["id"])
    assert [result.job_id for result in site.wait_for_results(1)] == ["discover"]
    wait_for(lambda: site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=0, running=0))
