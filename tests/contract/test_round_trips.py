"""What is sent arrives as it was: every kind of job, result, beat and recipe."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract import wire
from contract.action_tree import RouteReport
from contract.jobs import AnyJob
from contract.login import LoginRecipe
from contract.results import AnyResult, Beat
from tests.contract.samples import explore_route, report
from tests.contract.strategies import of

FEW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@FEW
@given(of(AnyJob))
def test_a_job_survives_its_message(job: AnyJob) -> None:
    # Dramatiq writes the message as JSON and reads it back as plain values.
    message = json.loads(json.dumps(wire.job_to_message(job)))

    assert wire.job_from_message(message) == job


@FEW
@given(of(AnyResult))
def test_a_result_survives_its_bytes(result: AnyResult) -> None:
    assert wire.result_from_bytes(wire.result_to_bytes(result)) == result


@FEW
@given(of(Beat))
def test_a_beat_survives_its_bytes(beat: Beat) -> None:
    assert wire.loads(wire.dumps(beat), Beat) == beat


@FEW
@given(of(RouteReport))
def test_a_report_reads_the_same_from_its_pretty_file(found: RouteReport) -> None:
    assert wire.loads(wire.pretty(found), RouteReport) == found


@FEW
@given(st.binary(max_size=60))
def test_bytes_that_are_no_result_are_a_wire_error_and_nothing_else(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.result_from_bytes(data)


def test_a_job_message_holds_plain_values_that_a_person_can_read() -> None:
    message = wire.job_to_message(explore_route())

    assert message["kind"] == "explore_route"
    assert message["deadline"] == "2026-11-30T12:00:00Z"
    assert message["site"]["safety"]["policy"] == "read-only"


def test_a_recipe_reads_as_a_user_writes_it() -> None:
    written = (
        b'{"url": "/login", "submit": "button", "fields": {"#password": {"env": "SHOP_PASSWORD"}},'
        b' "success": {"selector": "nav"}}'
    )

    recipe = wire.loads(written, LoginRecipe)

    assert recipe.fields["#password"].env == "SHOP_PASSWORD"
    assert recipe.success.selector == "nav"


def test_a_pretty_file_is_indented_by_two_and_ends_in_a_newline() -> None:
    text = wire.pretty(report()).decode()

    assert text.startswith('{\n  "route": "/orders",\n')
    assert text.endswith("}\n")
