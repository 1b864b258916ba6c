"""Publishing without importing a worker, and the doctor's look at the broker."""

import re

import pytest
import redis

from contract.channels import BROWSER_QUEUE
from contract.identity import RunId
from coordinator.driver.line import explain, passes
from coordinator.driver.publish import Depth, Publisher
from coordinator.driver.redis_client import check, connect
from tests.support.jobs import RUN, job
from workers.kit.redis_client import once, takes_no_writes


def test_published_jobs_wait_in_their_queue(client: redis.Redis, namespace: str) -> None:
    publisher = Publisher(client, namespace)
    publisher.publish(job("a"))
    publisher.publish(job("b"))
    assert publisher.depth(BROWSER_QUEUE) == Depth(waiting=2, running=0)


def test_purging_removes_the_jobs_of_one_run_only(client: redis.Redis, namespace: str) -> None:
    publisher = Publisher(client, namespace)
    for number in range(5):
        publisher.publish(job(f"job-{number}"))
    client.rpush(f"{namespace}:{BROWSER_QUEUE}", "unreadable")
    client.hset(f"{namespace}:{BROWSER_QUEUE}.msgs", "unreadable", "not json")
    assert publisher.purge(BROWSER_QUEUE, RunId("run-9")) == 0
    assert publisher.purge(BROWSER_QUEUE, RUN) == 5
    assert publisher.depth(BROWSER_QUEUE).waiting == 1


def test_a_good_broker_has_no_problems(valkey: str) -> None:
    assert check(valkey) == []


def test_a_wrong_password_is_named_without_telling_it(valkey: str) -> None:
    (problem,) = check(re.sub(r":[^:@]+@", ":letmein@", valkey))
    assert "password" in problem
    assert "letmein" not in problem


def test_an_unreachable_broker_is_named() -> None:
    assert "cannot be reached" in check("redis://127.0.0.1:1/0")[0]
    assert "not a Redis URL" in check("http://127.0.0.1")[0]


def test_a_broker_that_evicts_is_named(valkey: str, client: redis.Redis) -> None:
    client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert "allkeys-lru" in check(valkey)[0]
    finally:
        client.config_set("maxmemory-policy", "noeviction")


NO_ROOM = (
    "return redis.error_reply('MISCONF Errors writing to the AOF file: No space left on device')"
)


def test_a_broker_without_room_on_its_disk_is_waited_for(valkey: str) -> None:
    with connect(valkey, retries=0) as client, pytest.raises(redis.ResponseError) as told:
        client.eval(NO_ROOM, 0)
    assert passes(told.value)
    assert "no room left on its disk" in explain(told.value)


def test_a_command_that_the_broker_does_not_know_is_not_waited_for(valkey: str) -> None:
    with connect(valkey, retries=0) as client, pytest.raises(redis.ResponseError) as told:
        client.execute_command("NOSUCH")
    assert not passes(told.value)


def test_a_worker_knows_a_broker_without_room(valkey: str) -> None:
    with once(valkey, "worker") as client, pytest.raises(redis.ResponseError) as told:
        client.eval(NO_ROOM, 0)
    assert takes_no_writes(told.value)
