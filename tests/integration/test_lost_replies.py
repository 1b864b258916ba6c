"""Redis did what it was asked, but the answer is lost: a job is still done, and merged once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis

from contract.channels import BROWSER_QUEUE
from coordinator.driver.publish import Depth
from tests.support import workers
from tests.support.jobs import job, wait_for
from tests.support.proxy import LossyProxy
from tests.support.workers import Site


@pytest.fixture
def site(valkey: str, client: redis.Redis, namespace: str, tmp_path: Path) -> Iterator[Site]:
    yield from workers.at(valkey, client, namespace, tmp_path)


@pytest.fixture
def proxy(valkey: str) -> Iterator[LossyProxy]:
    port = urlsplit(valkey).port
    assert port is not None
    standing = LossyProxy(port)
    yield standing
    standing.close()


def through(proxy: LossyProxy, url: str) -> str:
    return url.replace(str(urlsplit(url).port), str(proxy.port))


def holds(*needles: bytes) -> Callable[[bytes], bool]:
    return lambda data: all(needle in data for needle in needles)


def settled(site: Site) -> bool:
    nothing = site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=0, running=0)
    return nothing and site.leases.starts([job().job_id]) == {}


def test_a_message_whose_fetch_got_no_reply_is_put_back_at_once(
    site: Site, proxy: LossyProxy
) -> None:
    site.publisher.publish(job())
    proxy.arm(holds(b"\r\nfetch\r\n", b"\r\nbrowser\r\n"))
    stranded = site.work(MAZEWAVE_BROKER=through(proxy, site.url))
    assert stranded.wait(timeout=30) == 75
    assert proxy.lost.is_set()
    assert site.publisher.depth(BROWSER_QUEUE) == Depth(waiting=1, running=0)
    site.work()
    assert len(site.wait_for_results(1)) == 1
    wait_for(lambda: settled(site))


@pytest.mark.parametrize(
    "request_",
    [holds(b"\r\nack\r\n"), holds(b"\r\ndiscover\r\n", b"\r\n604800\r\n"), holds(b"payload")],
    ids=["ack", "begin", "report"],
)
def test_a_lost_reply_at_most_doubles_the_entry(
    site: Site, proxy: LossyProxy, request_: Callable[[bytes], bool]
) -> None:
    proxy.arm(request_)
    site.publisher.publish(job())
    site.work(MAZEWAVE_BROKER=through(proxy, site.url))
    wait_for(proxy.lost.is_set)
    found = site.wait_for_results(1)
    wait_for(lambda: settled(site))
    assert {(result.job_id, result.attempt) for result in found} == {("discover", 1)}
    assert len(site.results()) <= 2
