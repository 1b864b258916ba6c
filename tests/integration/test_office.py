"""One coordinator per run, and an epoch that grows with every term."""

import pytest
import redis

from contract.channels import coordinator_key
from coordinator.driver.office import Office, OfficeHeld
from tests.support.jobs import RUN, wait_for


@pytest.fixture
def offices(client: redis.Redis, namespace: str) -> tuple[Office, Office]:
    return Office(client, namespace, RUN), Office(client, namespace, RUN)


def test_a_second_coordinator_learns_who_holds_the_run(offices: tuple[Office, Office]) -> None:
    first, second = offices
    assert first.take("host-1", 30) == 1
    with pytest.raises(OfficeHeld) as held:
        second.take("host-2", 30)
    assert held.value.holder == "host-1"


def test_the_epoch_grows_at_a_takeover(offices: tuple[Office, Office]) -> None:
    first, second = offices
    first.take("host-1", 0.05)
    assert wait_for(lambda: taken(second)) == 2
    assert not first.renew()
    first.leave()
    assert second.renew()


def taken(office: Office) -> int:
    try:
        return office.take("host-2", 30)
    except OfficeHeld:
        return 0


def test_a_dead_holder_can_be_succeeded_at_once(offices: tuple[Office, Office]) -> None:
    first, second = offices
    first.take("host-1", 30)
    assert second.take("host-2", 30, instead_of="host-1") == 2
    assert not first.renew()


def test_an_office_that_was_left_is_free(offices: tuple[Office, Office]) -> None:
    first, second = offices
    first.take("host-1", 30)
    first.leave()
    assert second.take("host-2", 30) == 2


def test_the_epoch_is_above_that_of_the_state_file_when_redis_lost_it(
    client: redis.Redis, namespace: str, offices: tuple[Office, Office]
) -> None:
    first, second = offices
    first.take("host-1", 30, above=41)
    client.delete(coordinator_key(namespace, RUN))
    assert not first.renew()
    assert second.take("host-2", 30, above=42) == 43
