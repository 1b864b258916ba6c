"""The iterations of the suite machine: repair, strategies, pressure, and when they end."""

import pytest

from contract.identity import ScenarioId
from contract.vocabulary import Classification, Layer, ScenarioStatus, Strategy, SuiteStatus
from coordinator.machines import suite_effects as do
from coordinator.machines import suite_events as facts
from coordinator.machines.suite import Ledger, Step, advance
from coordinator.machines.suite_ledger import Case, Score
from tests.support.suite import (
    BLOCKED,
    LIMITS,
    PASSED,
    PLAN,
    A,
    B,
    C,
    World,
    layers_run,
    of,
    red,
    run,
    upto,
)


def test_within_an_iteration_a_layer_is_run_again_three_times_at_most() -> None:
    world = World(cases=PLAN[:1], runs=lambda _id, time: red("abcdefgh"[time % 8]))
    ledger = run(world, max_iter=2)
    assert len(of(do.ApplyFixes, world)) == 3 * 2
    assert ledger.status is SuiteStatus.MAX_ITER_REACHED


def test_the_same_failures_twice_in_a_row_end_the_run_early() -> None:
    world = World(cases=PLAN[:2], runs=lambda case, _time: red() if case == A else PASSED, fix=None)
    ledger = run(world)
    assert ledger.status is SuiteStatus.MAX_ITER_REACHED
    assert ledger.iteration == 2


def test_too_little_confidence_takes_another_iteration() -> None:
    def runs(case: object, time: int) -> facts.Ran:
        return red(str("abcdefgh"[time % 8])) if case == A and time < 4 else PASSED

    world = World(runs=runs, score=Score(40.0, 90.0, 90.0))
    assert run(world).iteration == 2


@pytest.mark.parametrize(
    ("score", "presses", "iterations"),
    [
        (Score(90.0, 90.0, 90.0), True, 1),
        (Score(90.0, 39.9, 90.0), True, 2),
        (Score(90.0, 90.0, 39.9), True, 2),
        (Score(90.0, None, None), True, 1),
        (Score(90.0, 90.0, 90.0), False, 2),
    ],
)
def test_one_more_iteration_is_forced_once(score: Score, iterations: int, *, presses: bool) -> None:
    world = World(
        runs=lambda case, _time: red() if case == A else PASSED,
        faults={A: Classification.CODE_DEFECT},
        score=score,
        presses=presses,
    )
    assert run(world).iteration == iterations


def test_a_failure_that_nobody_can_classify_forces_one_more_iteration() -> None:
    many = tuple(Case(case.id, Layer.L1) for case in PLAN) + tuple(
        Case(type(A)(f"AT-1{number:02d}"), Layer.L1) for number in range(30)
    )
    world = World(
        cases=many, runs=lambda case, _time: red() if case == A else PASSED, faults={A: None}
    )
    ledger = run(world)
    assert (ledger.iteration, ledger.status) == (2, SuiteStatus.CONVERGED)


def test_no_iteration_is_forced_beyond_what_the_user_allowed() -> None:
    def runs(case: object, time: int) -> facts.Ran:
        return red("abcdefgh"[time % 8]) if case == A else PASSED

    world = World(runs=runs, score=Score(10.0, 10.0, 10.0))
    assert run(world, max_iter=2).iteration == 2


def test_the_layer_with_the_best_rate_is_put_under_pressure_once() -> None:
    world = World(runs=lambda case, _time: red() if case == A else PASSED, faults={A: None})
    run(world)
    assert [each.layer for each in world.seen if isinstance(each, do.Press)] == [Layer.L2]


def test_what_never_became_a_file_is_written_again_in_the_next_iteration() -> None:
    world = World(write={A: ScenarioStatus.FAILED})
    run(world, max_iter=3)
    waves = [each.ids for each in world.seen if isinstance(each, do.WriteWave)]
    assert waves[0] == (A, B)
    assert waves[-1] == (A,)


def test_tests_that_fail_three_iterations_in_a_row_are_written_anew() -> None:
    world = World(
        cases=PLAN[:2], runs=lambda case, time: red("abcdefgh"[time % 8]) if case == A else PASSED,
        fix=None,
    )  # fmt: skip
    ledger = run(world)
    assert Strategy.REFLECTIVE in [choice.strategy for choice in ledger.strategies]
    anew = [each for each in world.seen if isinstance(each, do.WriteWave) and each.anew]
    assert [each.ids for each in anew][:1] == [(A,)]


def test_a_regression_is_undone_before_anything_else() -> None:
    def runs(case: object, time: int) -> facts.Ran:
        if case == A:
            return red("abcdefgh"[time % 8])
        return red("broken") if time == 2 else PASSED

    world = World(cases=PLAN[:2], runs=runs, fix=None)
    ledger = run(world, max_iter=3)
    assert ledger.strategies[2].strategy is Strategy.SURGICAL
    assert of(do.UndoChanges, world) == [do.UndoChanges(2, (B,))]


def test_the_strategy_that_is_asked_for_is_that_of_the_first_iteration_only() -> None:
    world = World(
        runs=lambda case, time: red("abcdefgh"[time % 8]) if case == A else PASSED, fix=None
    )
    ledger = run(world, strategy=Strategy.AGGRESSIVE)
    assert [each.strategy for each in ledger.strategies[:2]] == [
        Strategy.AGGRESSIVE,
        Strategy.CONSERVATIVE,
    ]


def test_every_iteration_has_its_section_of_the_log() -> None:
    world = World(
        runs=lambda case, time: red("abcdefgh"[time % 8]) if case == A else PASSED, fix=None
    )
    ledger = run(world, max_iter=3)
    sections = {each.iteration for each in world.seen if isinstance(each, do.Reflect)}
    assert sections == set(range(1, ledger.iteration + 1))


def ran(ledger: Ledger, tests: dict[ScenarioId, facts.Ran]) -> tuple[Ledger, list[do.Effect]]:
    return advance(ledger, facts.LayerRan(ledger.turn, tests), LIMITS)


def iterating(fault: Classification | None, fix: float | None = None) -> Ledger:
    """A ledger whose test A was red and was diagnosed, in a layer of two."""
    ledger = upto(Step.ITERATE, World(cases=PLAN[:2], runs=fails_differently))
    ledger, _ = advance(ledger, facts.Diagnosed(ledger.turn, A, fault, fix), LIMITS)
    return ledger


def fails_differently(case: ScenarioId, time: int) -> facts.Ran:
    return red("abcdefgh"[time % 8]) if case == A else PASSED


def test_a_fixed_test_that_is_still_red_is_diagnosed_anew() -> None:
    ledger = iterating(Classification.TEST_DEFECT, fix=0.9)
    same_error = red("b")
    ledger, effects = ran(ledger, {A: same_error, B: PASSED})
    assert effects == [do.Diagnose(ledger.turn, 1, Layer.L1, (A,))]


def test_a_verdict_stands_as_long_as_the_error_is_the_same() -> None:
    world = World(
        cases=PLAN[:2],
        runs=lambda case, _time: red() if case == A else PASSED,
        faults={A: Classification.CODE_DEFECT},
        score=Score(10.0, 10.0, 90.0),
    )
    ledger = run(world)
    assert ledger.iteration == 2
    assert len(of(do.Diagnose, world)) == 1


def test_a_verdict_about_another_error_is_asked_for_again() -> None:
    world = World(
        cases=PLAN[:2],
        runs=fails_differently,
        faults={A: Classification.CODE_DEFECT},
        score=Score(10.0, 10.0, 90.0),
    )
    assert run(world).iteration == 2
    assert len(of(do.Diagnose, world)) == 2


def test_a_run_of_an_earlier_turn_is_not_believed() -> None:
    ledger = iterating(Classification.TEST_DEFECT, fix=0.9)
    late = facts.LayerRan(ledger.turn - 1, {A: PASSED, B: PASSED})
    assert advance(ledger, late, LIMITS) == (ledger, [])


def test_a_pressure_pass_that_could_not_be_made_is_tried_again() -> None:
    world = World(
        runs=lambda case, _time: red() if case == A else PASSED,
        faults={A: Classification.CODE_DEFECT},
        presses=False,
    )
    run(world)
    assert len(of(do.Press, world)) == 2


def test_a_product_that_is_wrong_is_not_written_about_anew() -> None:
    """B is a bug and A a test that cannot be mended: after three iterations only A is rewritten."""

    def runs(case: ScenarioId, time: int) -> facts.Ran:
        return PASSED if case == C else red("abcdefgh"[time % 8])

    cases = (*PLAN[:2], Case(C, Layer.L1))
    world = World(cases=cases, runs=runs, faults={B: Classification.CODE_DEFECT}, fix=None)
    run(world)
    anew = [each.ids for each in world.seen if isinstance(each, do.WriteWave) and each.anew]
    assert anew
    assert set(anew) == {(A,)}


def test_a_layer_without_any_file_whose_critical_scenario_failed_stops_the_next() -> None:
    cases = (Case(A, Layer.L1, critical=True, status=ScenarioStatus.FAILED), Case(C, Layer.L2))
    world = World(cases=cases)
    run(world, max_iter=1)
    assert layers_run(world) == []


def test_a_blocked_test_is_not_run_again() -> None:
    def runs(case: ScenarioId, time: int) -> facts.Ran:
        if case == B:
            return BLOCKED
        return red() if time == 1 else PASSED

    world = World(cases=PLAN[:2], runs=runs)
    run(world)
    assert [each.ids for each in world.seen if isinstance(each, do.RunLayer)] == [(A, B), (A,)]
