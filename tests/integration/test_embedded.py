"""The embedded run: it works, it mends itself, and nothing of it outlives whoever started it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from contract.channels import BROWSER_QUEUE, NAMESPACE
from contract.identity import JobId
from coordinator.driver.publish import Depth
from coordinator.driver.redis_client import connect
from coordinator.embedded.run import EmbeddedRun, Pids, prepare
from coordinator.errors import HostError
from tests.support import workers
from tests.support.jobs import job, wait_for
from tests.support.workers import ECHO, Site

PARENT = """
import sys, time
from pathlib import Path
from coordinator.embedded.run import EmbeddedRun
run = EmbeddedRun(Path(sys.argv[1]), sys.argv[2:], 2)
run.start()
sys.stdout.write(repr(run.pids().everybody()) + "\\n")
sys.stdout.flush()
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "my project" / ".mazewave"


@pytest.fixture
def run(folder: Path) -> Iterator[EmbeddedRun]:
    with EmbeddedRun(folder, ECHO, 1) as started:
        yield started


@pytest.fixture
def site(run: EmbeddedRun, folder: Path) -> Iterator[Site]:
    client = connect(run.broker_url)
    yield from workers.at(run.broker_url, client, NAMESPACE, folder)
    client.close()
    client.connection_pool.disconnect()


def alive(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def wait_until_gone(pids: tuple[int, ...]) -> None:
    wait_for(lambda: not any(alive(pid) for pid in pids))


def workers_now(run: EmbeddedRun, count: int) -> Pids:
    def enough() -> Pids | None:
        found = run.pids()
        return found if len(found.workers) == count else None

    found = wait_for(enough)
    assert found is not None
    return found


def test_jobs_are_done_and_everything_goes_down(folder: Path) -> None:
    with EmbeddedRun(folder, ECHO, 2) as run:
        client = connect(run.broker_url)
        site = Site(run.broker_url, client, NAMESPACE, folder)
        for number in range(20):
            site.publisher.publish(job(f"job-{number}"))
        assert len(site.wait_for_results(20)) == 20
        pids = run.pids().everybody()
        client.close()
        client.connection_pool.disconnect()
    wait_until_gone(pids)
    assert len(pids) == 4


def test_the_folder_is_private_and_out_of_version_control(folder: Path) -> None:
    prepare(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / ".gitignore").read_text() == "*\n"


def test_the_password_is_on_no_command_line(run: EmbeddedRun, folder: Path) -> None:
    password = run.broker_url.split(":")[2].split("@")[0]
    for pid in run.pids().everybody():
        assert password not in " ".join(psutil.Process(pid).cmdline())
    assert (folder / "broker" / "valkey.conf").stat().st_mode & 0o777 == 0o600


def test_a_killed_worker_is_replaced_and_what_it_left_is_killed(
    run: EmbeddedRun, site: Site
) -> None:
    site.publisher.publish(job(start="/orphan/600"))
    (orphan,) = wait_for(lambda: [int(pid) for pid in site.checkpoints()])
    (worker,) = run.pids().workers
    os.kill(worker, signal.SIGKILL)
    wait_until_gone((worker, orphan))
    wait_for(lambda: run.pids().restarts == 1)
    assert workers_now(run, 1).workers != (worker,)


def test_the_number_of_workers_follows_the_scale(run: EmbeddedRun, site: Site) -> None:
    run.scale(3)
    workers_now(run, 3)
    site.publisher.publish(job())
    site.wait_for_results(1)
    run.drain()
    workers_now(run, 0)
    run.scale(1)
    site.publisher.publish(job("last"))
    assert site.wait_for_results(2)[-1].job_id == "last"


def test_a_killed_broker_comes_back_with_everything(run: EmbeddedRun, site: Site) -> None:
    run.drain()
    workers_now(run, 0)
    site.publisher.publish(job())
    site.leases.mark()
    # A write is on disk within a second; INFO says when none is left.
    wait_for(lambda: site.client.info("persistence")["aof_pending_bio_fsync"] == 0)
    os.kill(run.pids().broker, signal.SIGKILL)
    wait_for(lambda: site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=1, running=0))
    assert site.leases.marked()
    run.scale(1)
    assert site.wait_for_results(1)[0].job_id == "discover"


def test_a_broker_killed_under_a_running_job_loses_nothing(run: EmbeddedRun, site: Site) -> None:
    """A worker that notices leaves and is replaced; one that was busy all the while need not."""
    site.publisher.publish(job(start="/sleep/2"))
    site.wait_for_start()
    os.kill(run.pids().broker, signal.SIGKILL)
    assert site.wait_for_results(1)[0].job_id == "discover"
    site.publisher.publish(job("last"))
    assert site.wait_for_results(2)[-1].job_id == "last"
    assert site.leases.starts([JobId("discover"), JobId("last")]) == {}


def test_killing_the_parent_takes_everything_down_and_the_next_start_goes_on(
    folder: Path,
) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder), *ECHO], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    pids = tuple(int(pid) for pid in parent.stdout.readline().strip(b"()\n").split(b","))
    parent.stdout.close()
    assert all(alive(pid) for pid in pids)
    parent.kill()
    parent.wait()
    wait_until_gone(pids)
    with EmbeddedRun(folder, ECHO, 1) as run:
        workers_now(run, 1)


def test_killing_the_keeper_takes_its_children_along(folder: Path) -> None:
    run = EmbeddedRun(folder, ECHO, 2)
    run.start()
    pids = run.pids()
    os.kill(pids.keeper, signal.SIGKILL)
    run.close()
    wait_until_gone(pids.everybody())
    with pytest.raises(HostError):
        run.pids()


def test_temporary_files_go_with_the_run_however_it_ends(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    run = EmbeddedRun(folder, ECHO, 1)
    run.start()
    workers_now(run, 1)
    (made,) = place.iterdir()
    assert psutil.Process(run.pids().workers[0]).environ()["TMPDIR"] == str(made)
    (made / "profile").mkdir()
    os.kill(run.pids().keeper, signal.SIGKILL)
    with EmbeddedRun(folder, ECHO, 1):
        assert not made.exists()
    run.close()
    assert list(place.iterdir()) == []


def test_what_is_over_leaves_its_logs_and_nothing_to_a_fresh_start(folder: Path) -> None:
    with EmbeddedRun(folder, ECHO, 0) as run:
        run.over()
    assert {path.name for path in folder.iterdir() if path.is_dir()} == {"logs"}
    with EmbeddedRun(folder, ECHO, 0) as run:
        assert connect(run.broker_url).set("left", "1")
    with EmbeddedRun(folder, ECHO, 0) as run:
        assert connect(run.broker_url).get("left") == b"1"
    with EmbeddedRun(folder, ECHO, 0, fresh=True) as run:
        assert connect(run.broker_url).get("left") is None


def test_damaged_data_is_told_with_the_way_out(folder: Path) -> None:
    with EmbeddedRun(folder, ECHO, 0) as run:
        client = connect(run.broker_url)
        client.set("key", "value")
        client.close()
        client.connection_pool.disconnect()
    for file in (folder / "broker" / "appendonlydir").glob("*.incr.aof"):
        file.write_bytes(b"*9\r\n$not an append-only file at all\r\n" * 20)
    with pytest.raises(HostError) as error, EmbeddedRun(folder, ECHO, 0):
        pass
    assert "damaged" in error.value.sentence
    assert str(folder / "broker") in error.value.hint
