"""What the coordinator sees of running jobs, and how it cleans up after them."""

import redis

from contract.channels import run_prefix
from contract.results import Beat
from coordinator.driver.leases import Leases
from tests.support.jobs import RUN, job
from workers.kit.bench import Bench
from workers.kit.duty import Duty
from workers.kit.lease import Begin

JOB = job().job_id


def begin(bench: Bench) -> Duty:
    duty = Duty(bench, job(), lambda: None)
    assert duty.begin() is Begin.HELD
    duty.lease.beat(Beat(attempt=1, worker="worker-1", doing="x"))
    return duty


def test_a_running_job_has_a_beat_and_a_start(bench: Bench, client: redis.Redis) -> None:
    leases = Leases(client, bench.namespace, RUN)
    assert leases.beats([]) == {}
    assert leases.starts([JOB]) == {}
    begin(bench)
    assert leases.beats([JOB, job("other").job_id])[JOB].worker == "worker-1"
    assert leases.starts([JOB]) == {JOB: 1}


def test_a_merged_job_leaves_nothing_but_the_refusal_of_late_deliveries(
    bench: Bench, client: redis.Redis
) -> None:
    leases = Leases(client, bench.namespace, RUN)
    duty = begin(bench)
    duty.checkpoints.append(b"one")
    duty.hand_back()
    leases.forget(JOB)
    assert leases.beats([JOB]) == {}
    assert client.keys(f"{run_prefix(bench.namespace, RUN)}:checkpoint:*") == []


def test_the_mark_tells_whether_redis_lost_the_run(client: redis.Redis, namespace: str) -> None:
    leases = Leases(client, namespace, RUN)
    assert not leases.marked()
    leases.mark()
    assert leases.marked()


def test_closing_removes_the_keys_of_this_run_only(client: redis.Redis, namespace: str) -> None:
    other = f"{run_prefix(namespace, RUN)}2:marker"
    client.set(other, "1")
    leases = Leases(client, namespace, RUN)
    leases.mark()
    leases.close()
    assert not leases.marked()
    assert client.exists(other)


def test_a_failed_login_can_be_forgotten(bench: Bench, client: redis.Redis) -> None:
    leases = Leases(client, bench.namespace, RUN)
    login = begin(bench).login
    login.publish_failure("no")
    leases.forget_login_failure()
    assert login.failed() is None
    assert leases.login_blob() is None
    assert leases.login_blob() != login.publish(b"state")[1]
    assert leases.login_blob() == login.current()[1]
