"""Whatever the world answers, a suite run ends within its budget, and it can be put down and taken
up after any event.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.identity import ScenarioId
from contract.vocabulary import Classification, Layer, ScenarioStatus, Strategy
from coordinator.machines import suite_effects as do
from coordinator.machines.suite import Ledger, advance
from coordinator.machines.suite_events import Begun, Ran, StopAsked
from coordinator.machines.suite_ledger import Case, Flags, Score
from coordinator.records.suite import state
from tests.support.suite import LIMITS, World, run, steps

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MANY = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

ends = st.sampled_from([ScenarioStatus.PASSED, ScenarioStatus.FAILED, ScenarioStatus.BLOCKED])
runs = st.builds(Ran, status=ends, error=st.sampled_from(["", "1 != 2", "boom", "x is not y"]))
percents = st.none() | st.floats(0, 100)


@st.composite
def plans(draw: st.DrawFn) -> tuple[Case, ...]:
    count = draw(st.integers(1, 7))
    return tuple(
        Case(
            ScenarioId(f"AT-{number:03d}"),
            draw(st.sampled_from(Layer)),
            critical=draw(st.booleans()),
        )
        for number in range(1, count + 1)
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A world whose mind was made up beforehand, so that it answers the same twice."""
    cases = draw(plans())
    ids = [case.id for case in cases]
    fates = {each: draw(st.lists(runs, min_size=1, max_size=6)) for each in ids}
    return World(
        cases=cases,
        runs=lambda case, time: fates[case][min(time, len(fates[case])) - 1],
        faults={each: draw(st.none() | st.sampled_from(Classification)) for each in ids},
        fix=draw(st.none() | st.floats(0, 1)),
        write={
            each: draw(
                st.sampled_from(
                    [ScenarioStatus.WRITTEN, ScenarioStatus.FAILED, ScenarioStatus.BLOCKED]
                )
            )
            for each in ids
        },
        score=draw(st.builds(Score, percents, percents, percents)),
        presses=draw(st.booleans()),
    )


flags = st.builds(
    Flags,
    max_iter=st.integers(1, 5),
    strategy=st.none() | st.sampled_from(Strategy),
    approved=st.booleans(),
)


@MANY
@given(worlds(), flags)
def test_a_run_settles_within_its_budget(world: World, asked: Flags) -> None:
    ledger = run(world, Ledger(flags=asked))

    assert ledger.final
    assert ledger.iteration <= asked.max_iter
    each_layer = asked.max_iter * (1 + LIMITS.inner)
    for layer in Layer:
        layer_runs = [e for e in world.seen if isinstance(e, do.RunLayer) and e.layer is layer]
        assert len(layer_runs) <= each_layer
        looks = [e for e in world.seen if isinstance(e, do.Diagnose) and e.layer is layer]
        assert len(looks) <= each_layer
    assert sum(isinstance(effect, do.Press) for effect in world.seen) <= 2 + asked.max_iter


@MANY
@given(worlds(), flags)
def test_nothing_is_left_open_and_nothing_asked_for_is_empty(world: World, asked: Flags) -> None:
    ledger = run(world, Ledger(flags=asked))

    assert ledger.open == ()
    waves = [e for e in world.seen if isinstance(e, do.WriteWave | do.RunLayer | do.Diagnose)]
    assert all(effect.ids for effect in waves)
    assert len({effect.turn for effect in waves}) == len(waves)


@MANY
@given(worlds(), flags)
def test_the_ledger_that_was_saved_after_any_event_is_the_same(
    tmp_path: Path, world: World, asked: Flags
) -> None:
    session = state.Session(session_id="auto-test-20260102-030405", started_at=NOW)
    path = tmp_path / "state.json"
    for ledger, _ in steps(world, Ledger(flags=asked)):
        state.save(path, session, ledger, NOW)
        saved = state.load(path)
        assert saved is not None
        assert (saved.session, saved.ledger) == (session, ledger)


@MANY
@given(worlds(), flags, st.integers(0, 60))
def test_a_run_that_is_taken_up_after_any_event_ends_the_same(
    world: World, asked: Flags, when: int
) -> None:
    """The kill comes between an event and the effects that it asks for."""
    whole = run(replace(world, seen=[], ran={}), Ledger(flags=asked))
    world = replace(world, seen=[], ran={})
    on_the_way = list(steps(world, Ledger(flags=asked)))
    place = on_the_way[min(when, len(on_the_way) - 1)][0]
    ran = dict.fromkeys(Layer, 0)
    for effect in _given_out(on_the_way, place):
        if isinstance(effect, do.RunLayer):
            ran[effect.layer] += 1

    again = run(replace(world, seen=[], ran=ran), place)

    assert again == whole


def _given_out(on_the_way: Sequence[tuple[Ledger, object]], place: Ledger) -> list[do.Effect]:
    """The effects that were answered before `place`."""
    seen: dict[int, list[do.Effect]] = {}
    for ledger, _ in on_the_way:
        seen.setdefault(ledger.turn, do.orders(ledger))
        if ledger == place:
            break
    return [effect for turn, effects in seen.items() if turn < place.turn for effect in effects]


@MANY
@given(worlds(), flags, st.integers(0, 40))
def test_a_stop_at_any_time_gives_out_nothing_more(world: World, asked: Flags, when: int) -> None:
    on_the_way = list(steps(world, Ledger(flags=asked)))
    ledger = on_the_way[min(when, len(on_the_way) - 1)][0]
    stopped, effects = advance(ledger, StopAsked(), LIMITS)

    assert effects == ([] if ledger.final else [do.Halt()])
    assert stopped.step is ledger.step
    taken_up, orders = advance(stopped, Begun(), LIMITS)
    assert (taken_up, orders) == advance(ledger, Begun(), LIMITS)
