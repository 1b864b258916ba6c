"""The suite machine: its table, its endings, and what an iteration does."""

import pytest

from contract.vocabulary import Classification, Layer, ScenarioStatus, SuiteStatus
from coordinator.machines import suite_effects as do
from coordinator.machines import suite_events as facts
from coordinator.machines.kernel import IllegalMoveError, move, reachable
from coordinator.machines.suite import FINAL, TABLE, Ledger, Signal, Step, advance
from coordinator.machines.suite_ledger import Case, Flags, tally_of
from tests.support.suite import (
    BLOCKED,
    LIMITS,
    PASSED,
    A,
    B,
    C,
    D,
    World,
    layers_run,
    of,
    red,
    run,
    steps,
    upto,
)


def test_every_step_can_be_reached() -> None:
    assert reachable(TABLE, Step.PARSE) == set(Step)


@pytest.mark.parametrize("step", list(Step))
def test_every_step_can_end(step: Step) -> None:
    assert reachable(TABLE, step) & FINAL


def test_final_steps_have_no_way_out() -> None:
    assert not [before for before, _ in TABLE if before in FINAL]


def test_every_signal_moves_something() -> None:
    assert {signal for _, signal in TABLE} == set(Signal)


@pytest.mark.parametrize("step", list(Step))
@pytest.mark.parametrize("signal", list(Signal))
def test_a_signal_that_is_not_in_the_table_raises(step: Step, signal: Signal) -> None:
    if (step, signal) not in TABLE:
        with pytest.raises(IllegalMoveError):
            move(TABLE, step, signal)


def test_an_illegal_event_raises_and_moves_nothing() -> None:
    ledger = upto(Step.INFRA)
    with pytest.raises(IllegalMoveError):
        advance(ledger, facts.Reported(), LIMITS)
    assert ledger == upto(Step.INFRA)


def test_the_steps_come_in_order_when_all_is_green() -> None:
    seen = [ledger.step for ledger, _ in steps(World(), Ledger())]
    order = list(dict.fromkeys(seen))
    assert order == [
        *(Step.PARSE, Step.SOURCE, Step.INFRA, Step.CSV_GEN, Step.L0, Step.LAYER_EXEC),
        *(Step.REPORT, Step.DONE),
    ]


def test_a_layer_is_written_in_one_wave_and_then_run_as_a_whole() -> None:
    world = World()
    run(world)
    work = [each for each in world.seen if isinstance(each, do.WriteWave | do.RunLayer)]
    assert [(type(each).__name__, each.layer, each.ids) for each in work] == [
        ("WriteWave", Layer.L1, (A, B)),
        ("RunLayer", Layer.L1, (A, B)),
        ("WriteWave", Layer.L2, (C,)),
        ("RunLayer", Layer.L2, (C,)),
        ("WriteWave", Layer.L3, (D,)),
        ("RunLayer", Layer.L3, (D,)),
    ]


def test_all_green_goes_to_the_report_and_has_converged() -> None:
    world = World()
    assert run(world).status is SuiteStatus.CONVERGED
    assert not of(do.Diagnose, world)


def test_a_dry_run_ends_with_the_plan() -> None:
    world = World()
    ledger = run(world, dry_run=True)
    assert (ledger.step, ledger.status) == (Step.PLANNED, SuiteStatus.PLANNED)
    assert not of(do.AskApproval, world)


def test_a_plan_that_is_approved_beforehand_is_not_asked_about() -> None:
    world = World()
    run(world, approved=True)
    assert not of(do.AskApproval, world)


def test_a_plan_that_is_declined_writes_no_test() -> None:
    world = World(agrees=False)
    assert run(world).step is Step.DECLINED
    assert not of(do.WriteWave, world)


def test_without_a_framework_the_run_says_why() -> None:
    ledger = run(World(framework=False))
    assert (ledger.step, ledger.reasons) == (Step.NO_FRAMEWORK, ("there is no pytest",))


def test_a_plan_without_scenarios_is_an_ending_of_its_own() -> None:
    assert run(World(cases=())).step is Step.NOTHING_TO_TEST


def test_a_layer_that_is_asked_for_is_the_only_one() -> None:
    world = World()
    run(world, layer=Layer.L2)
    assert layers_run(world) == [Layer.L2]


def test_a_red_gate_lists_all_causes() -> None:
    world = World(causes=("a.py does not parse", "no tests folder"))
    ledger = run(world)
    finish = do.Finish(Step.L0_FAILED, SuiteStatus.L0_FAILED, world.causes)
    assert (ledger.step, world.seen[-1]) == (Step.L0_FAILED, finish)


def test_a_failed_critical_scenario_stops_the_next_layers() -> None:
    cases = (Case(A, Layer.L1, critical=True), Case(C, Layer.L2))
    world = World(
        cases=cases, runs=lambda _id, _time: red(), faults={A: Classification.CODE_DEFECT}
    )
    ledger = run(world)
    assert set(layers_run(world)) == {Layer.L1}
    assert ledger.cases[C].status is ScenarioStatus.PENDING


def test_a_failure_that_is_not_critical_stops_nothing() -> None:
    world = World(runs=lambda case, _time: red() if case == A else PASSED)
    run(world, max_iter=1)
    assert layers_run(world) == [Layer.L1, Layer.L2, Layer.L3]


def test_a_layer_that_is_wholly_blocked_is_never_convergence() -> None:
    world = World(runs=lambda case, _time: BLOCKED if case == C else PASSED)
    ledger = run(world)
    assert (ledger.step, ledger.status) == (Step.DONE, SuiteStatus.BLOCKED)
    assert Layer.L3 not in layers_run(world)
    assert "L2" in ledger.reasons[0]


def test_a_layer_whose_failures_are_all_of_the_environment_is_blocked_too() -> None:
    world = World(
        runs=lambda case, _time: red("no database") if case == C else PASSED,
        faults={C: Classification.ENV_ISSUE},
    )
    assert run(world).status is SuiteStatus.BLOCKED


def test_a_test_that_the_run_does_not_speak_of_is_blocked() -> None:
    ledger = upto(Step.LAYER_EXEC)
    written = [facts.Written(ledger.turn, each, ScenarioStatus.WRITTEN) for each in (A, B)]
    for event in written:
        ledger, _ = advance(ledger, event, LIMITS)
    ledger, _ = advance(ledger, facts.LayerRan(ledger.turn, {A: PASSED}), LIMITS)
    assert ledger.cases[B].status is ScenarioStatus.BLOCKED


def test_a_single_pass_diagnoses_nothing() -> None:
    world = World(runs=lambda _id, _time: red())
    assert run(world, max_iter=1).status is SuiteStatus.SINGLE_PASS
    assert not of(do.Diagnose, world)


def test_a_test_defect_is_fixed_and_its_whole_layer_run_again() -> None:
    world = World(runs=lambda case, time: red() if case == A and time == 1 else PASSED)
    ledger = run(world)
    assert of(do.ApplyFixes, world) == [do.ApplyFixes((A,))]
    rerun = world.seen[world.seen.index(do.ApplyFixes((A,))) + 1]
    assert isinstance(rerun, do.RunLayer)
    assert rerun.ids == (A, B)
    assert ledger.status is SuiteStatus.CONVERGED


def test_a_code_defect_is_not_fixed_and_ends_the_run_as_confirmed() -> None:
    world = World(
        runs=lambda case, _time: red() if case == A else PASSED,
        faults={A: Classification.CODE_DEFECT},
    )
    ledger = run(world)
    assert ledger.status is SuiteStatus.CONFIRMED_DEFECTS
    assert not of(do.ApplyFixes, world)
    assert tally_of(ledger).code_defects == 1


def test_a_code_defect_that_its_writer_knew_needs_no_diagnosis() -> None:
    known = Case(
        A, Layer.L1, status=ScenarioStatus.WRITTEN, written=True,
        classification=Classification.CODE_DEFECT,
    )  # fmt: skip
    world = World(cases=(known,), runs=lambda _id, _time: red())
    assert run(world).status is SuiteStatus.CONFIRMED_DEFECTS
    assert not of(do.Diagnose, world)


def test_a_late_or_double_answer_changes_nothing() -> None:
    ledger = upto(Step.LAYER_EXEC)
    answer = facts.Written(ledger.turn, A, ScenarioStatus.WRITTEN)
    once, _ = advance(ledger, answer, LIMITS)
    assert advance(once, answer, LIMITS) == (once, [])
    assert advance(ledger, facts.Written(ledger.turn - 1, A, ScenarioStatus.FAILED), LIMITS) == (
        ledger,
        [],
    )


def test_a_run_that_is_stopped_gives_out_nothing_and_goes_on_where_it_was() -> None:
    ledger = upto(Step.LAYER_EXEC)
    ledger, effects = advance(ledger, facts.StopAsked(), LIMITS)
    assert effects == [do.Halt()]
    for each in (A, B):
        ledger, effects = advance(
            ledger, facts.Written(ledger.turn, each, ScenarioStatus.WRITTEN), LIMITS
        )
        assert effects == []
    ledger, effects = advance(ledger, facts.Begun(), LIMITS)
    assert effects == [do.RunLayer(ledger.turn, Layer.L1, (A, B))]


def test_a_run_that_is_taken_up_asks_only_for_what_is_still_open() -> None:
    ledger = upto(Step.LAYER_EXEC)
    ledger, _ = advance(ledger, facts.Written(ledger.turn, A, ScenarioStatus.WRITTEN), LIMITS)
    _, effects = advance(ledger, facts.Begun(), LIMITS)
    assert effects == [do.WriteWave(ledger.turn, Layer.L1, (B,))]


def test_tests_that_failed_earlier_are_run_again_without_being_written() -> None:
    failed = Case(A, Layer.L1, status=ScenarioStatus.FAILED, written=True)
    world = World(cases=(failed,))
    run(world, re_run=True)
    assert not of(do.WriteWave, world)
    assert layers_run(world) == [Layer.L1]


def test_flags_are_part_of_the_ledger() -> None:
    assert run(World(), max_iter=2).flags == Flags(max_iter=2)
