"""What writers are given and what they tell each other."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings

from contract import wire
from contract.discoveries import (
    AnyDiscovery,
    Blocker,
    Convention,
    FixtureSeen,
    Mock,
    MockSetup,
    Obstacle,
    Pattern,
    PatternSeen,
    Shared,
    Style,
    key,
    unseen,
)
from contract.scenario import Answer, Scenario
from tests.contract.strategies import of

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
COLUMNS = (
    "id,name,layer,priority,category,target_file,test_file,description,test_cases,fixtures,"
    "req_ref,infrastructure_hints,prev_context"
)


def test_a_scenario_has_the_input_columns_and_the_context_and_nothing_else() -> None:
    assert ",".join(Scenario.__struct_fields__) == COLUMNS


@FEW
@given(of(Scenario))
def test_a_scenario_survives_its_message(scenario: Scenario) -> None:
    assert wire.loads(wire.dumps(scenario), Scenario) == scenario


@FEW
@given(of(Answer))
def test_an_answer_survives_its_message(answer: Answer) -> None:
    assert wire.loads(wire.dumps(answer), Answer) == answer


def test_an_answer_needs_only_what_the_format_requires() -> None:
    answer = wire.loads('{"id": "AT-001", "result_status": "blocked", "findings": ""}', Answer)
    assert answer.red_result is None


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            PatternSeen(ts=NOON, worker="w", data=Pattern(name="aaa")),
            ("test_pattern", "aaa"),
        ),
        (MockSetup(ts=NOON, worker="w", data=Mock(target="smtp")), ("mock_setup", "smtp")),
        (FixtureSeen(ts=NOON, worker="w", data=Shared(name="client")), ("fixture", "client")),
        (Convention(ts=NOON, worker="w", data=Style(quotes="double")), ("convention", "")),
        (
            Blocker(ts=NOON, worker="w", data=Obstacle(issue="no database")),
            ("blocker", "no database"),
        ),
    ],
)
def test_each_kind_of_discovery_has_its_key(
    record: AnyDiscovery, expected: tuple[str, str]
) -> None:
    assert key(record) == expected


def test_of_the_same_discovery_the_first_stands() -> None:
    first, second = (
        Convention(ts=NOON, worker=worker, data=Style(quotes=quotes))
        for worker, quotes in (("a", "double"), ("b", "single"))
    )
    assert unseen((first, second), frozenset()) == (first,)
    assert unseen((second,), frozenset({key(first)})) == ()
