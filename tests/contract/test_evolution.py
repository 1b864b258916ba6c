"""The wire grows, it does not change: what an older or newer neighbour sends is read or refused."""

from typing import Any

import pytest

from contract import wire
from contract.jobs import REVISION, ExploreRoute, Waits
from contract.results import RouteExplored, Tally
from contract.vocabulary import FailureReason
from tests.contract.samples import explore_route, route_explored
from workers.kit.shift import read, unreadable


def message(**changes: Any) -> dict[str, Any]:
    """The message of a job, with some of its fields replaced."""
    return wire.job_to_message(explore_route()) | changes


def answer(**changes: Any) -> bytes:
    """The bytes of a result, with some of its fields replaced."""
    plain = wire.loads(wire.result_to_bytes(route_explored()), dict[str, Any])
    return wire.dumps(plain | changes)


def test_a_field_that_the_reader_does_not_know_is_ignored() -> None:
    assert wire.job_from_message(message(colour="blue")) == explore_route()


def test_a_field_that_the_reader_does_not_know_is_ignored_inside_a_part_too() -> None:
    later = message()
    later["limits"]["patience"] = 9

    assert wire.job_from_message(later) == explore_route()


def test_a_result_with_an_unknown_field_is_read() -> None:
    assert wire.result_from_bytes(answer(weather="fine")) == route_explored()


@pytest.mark.parametrize("name", ["limits", "waits", "noise", "routes_key", "shared_key"])
def test_a_field_with_a_default_may_be_missing_from_a_job(name: str) -> None:
    earlier = message()
    del earlier[name]

    assert wire.job_from_message(earlier) == explore_route()


def test_a_part_may_lack_fields_with_defaults() -> None:
    job = wire.job_from_message(message(waits={"quiet_ms": 50}))

    assert isinstance(job, ExploreRoute)
    assert job.waits == Waits(quiet_ms=50)


@pytest.mark.parametrize("name", ["screenshots", "discovered", "shared", "tally"])
def test_a_field_with_a_default_may_be_missing_from_a_result(name: str) -> None:
    plain = wire.loads(answer(), dict[str, Any])
    del plain[name]

    result = wire.result_from_bytes(wire.dumps(plain))

    assert isinstance(result, RouteExplored)
    assert result.tally == Tally()


@pytest.mark.parametrize("name", ["run_id", "job_id", "attempt", "deadline", "site", "route"])
def test_a_field_without_a_default_may_not_be_missing(name: str) -> None:
    broken = message()
    del broken[name]

    with pytest.raises(wire.WireError, match=name):
        wire.job_from_message(broken)


@pytest.mark.parametrize(
    "broken",
    [
        message(kind="paint_route"),
        message(site={"base_url": "http://shop.test", "safety": {"policy": "reckless"}}),
        message(attempt="first"),
        message(deadline="tomorrow"),
        {name: value for name, value in message().items() if name != "kind"},
        [],
        None,
        "explore_route",
    ],
    ids=["kind", "enum", "type", "time", "no kind", "list", "nothing", "text"],
)
def test_what_is_not_a_job_is_a_wire_error(broken: object) -> None:
    with pytest.raises(wire.WireError):
        wire.job_from_message(broken)


@pytest.mark.parametrize(
    "broken",
    [
        answer(kind="route_painted"),
        answer(attempt=None),
        answer(report={"route": "/orders"}),
        answer()[:-2],
        b"\xff\xfe",
        b"",
    ],
    ids=["kind", "type", "part", "cut off", "not UTF-8", "empty"],
)
def test_what_is_not_a_result_is_a_wire_error(broken: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.result_from_bytes(broken)


def test_a_wire_error_says_where_in_the_message_it_went_wrong() -> None:
    broken = message(limits={"depth": "deep"})

    with pytest.raises(wire.WireError, match=r"\$\.limits\.depth"):
        wire.job_from_message(broken)


def test_a_job_of_an_older_revision_is_read() -> None:
    job = read("explore_route", message(revision=REVISION - 1))

    assert job.revision == REVISION - 1


def test_a_job_of_a_newer_revision_is_refused_because_a_field_may_mean_something_else() -> None:
    with pytest.raises(wire.WireError, match="newer"):
        read("explore_route", message(revision=REVISION + 1))


def test_a_job_for_another_actor_is_refused() -> None:
    with pytest.raises(wire.WireError, match="sent to discover_routes"):
        read("discover_routes", message())


def test_a_job_that_cannot_be_read_but_named_fails_instead_of_getting_lost() -> None:
    failure = unreadable(message(limits="many"), "worker-1", "limits are not an object")

    assert failure is not None
    assert failure.reason is FailureReason.NOT_DECODED
    assert failure.job_id == explore_route().job_id


def test_a_job_that_cannot_even_be_named_gets_no_failure() -> None:
    assert unreadable({"kind": "explore_route"}, "worker-1", "no id") is None
