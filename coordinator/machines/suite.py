"""A suite run: from the question what to test to the report of what the tests showed.

**Theory.** The entry is decided (parse), scenarios are gathered (source), the project's way of
testing is found (infra), and the plan is written and approved (csv_gen). L0, the static gate, must
be green. Then come the layers, L1 to L3 (layer_exec): the tests of a layer are written in one wave,
merged, and run together; a failed critical scenario stops the layers after it, and so does a layer
of which nothing could be tested. What failed is repaired (iterate): within a layer up to three
rounds of diagnosing, fixing tests and running again; then the iteration is scored, and either the
run ends or another strategy goes through the layers again. Last the reports are written.

**How it ends.** All green, or a single pass: to the report at once. Else, in this order: a blocked
layer; only code defects left; a pass rate and a confidence that are high enough; the last
iteration; twice the same failures. Before an end of the last four kinds the tests are put under
pressure, and one more iteration is forced if there is one left and coverage or diagnosis are poor,
the pressure pass could not be made, or a failure is unclassified.

**Stopping** is not a step. The ledger stays where it is, books what still comes in, and gives out
nothing more; so a run that is taken up, also after a kill, goes on at its step, iteration and
layer. `Begun` gives the orders of that place again.

`judge` is asked before an event is booked, and after it without the event: an illegal move raises
before anything has changed. Leaves out the attempts of single jobs, and the world.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from contract.vocabulary import Classification, ScenarioStatus, Strategy, SuiteStatus
from coordinator.judging.convergence import converged, only_defects
from coordinator.judging.strategy import choose, nothing_changes, regressed
from coordinator.machines.kernel import move
from coordinator.machines.suite_book import (
    changed,
    diagnosed,
    first_layer,
    layer_ran,
    press,
    pressed,
    proceed,
    repair,
    scored,
    start,
    written,
)
from coordinator.machines.suite_effects import Effect, Halt, orders
from coordinator.machines.suite_events import (
    Approved,
    Begun,
    Declined,
    Diagnosed,
    EntryDecided,
    Event,
    FrameworkFound,
    FrameworkMissing,
    GateChecked,
    LayerRan,
    Planned,
    Pressed,
    Reported,
    Scored,
    Sourced,
    StopAsked,
    Written,
)
from coordinator.machines.suite_ledger import (
    FINAL,
    Case,
    Ledger,
    Limits,
    Phase,
    Step,
    blocked_layer,
    layers,
    tally_of,
    unclassified,
)

__all__ = ["FINAL", "TABLE", "Ledger", "Limits", "Signal", "Step", "advance", "ending", "judge"]


class Signal(StrEnum):
    ENTRY_DECIDED = "entry_decided"
    SOURCED = "sourced"
    FRAMEWORK_FOUND = "framework_found"
    NO_FRAMEWORK = "no_framework"
    NOTHING_TO_TEST = "nothing_to_test"
    DRY_RUN = "dry_run"
    DECLINED = "declined"
    APPROVED = "approved"
    GATE_RED = "gate_red"
    GATE_GREEN = "gate_green"
    ALL_GREEN = "all_green"
    ONE_PASS = "one_pass"  # noqa: S105 - one iteration, not a password
    FAILURES = "failures"
    LAYER_BLOCKED = "layer_blocked"
    ONLY_DEFECTS = "only_defects"
    CONVERGED = "converged"
    LAST_ITERATION = "last_iteration"
    NOTHING_CHANGES = "nothing_changes"
    GO_ON = "go_on"
    REPORTED = "reported"


TABLE: Mapping[tuple[Step, Signal], Step] = {
    (Step.PARSE, Signal.ENTRY_DECIDED): Step.SOURCE,
    (Step.SOURCE, Signal.SOURCED): Step.INFRA,
    (Step.INFRA, Signal.FRAMEWORK_FOUND): Step.CSV_GEN,
    (Step.INFRA, Signal.NO_FRAMEWORK): Step.NO_FRAMEWORK,
    (Step.CSV_GEN, Signal.NOTHING_TO_TEST): Step.NOTHING_TO_TEST,
    (Step.CSV_GEN, Signal.DRY_RUN): Step.PLANNED,
    (Step.CSV_GEN, Signal.DECLINED): Step.DECLINED,
    (Step.CSV_GEN, Signal.APPROVED): Step.L0,
    (Step.L0, Signal.GATE_RED): Step.L0_FAILED,
    (Step.L0, Signal.GATE_GREEN): Step.LAYER_EXEC,
    (Step.LAYER_EXEC, Signal.ALL_GREEN): Step.REPORT,
    (Step.LAYER_EXEC, Signal.ONE_PASS): Step.REPORT,
    (Step.LAYER_EXEC, Signal.LAYER_BLOCKED): Step.REPORT,
    (Step.LAYER_EXEC, Signal.FAILURES): Step.ITERATE,
    (Step.ITERATE, Signal.GO_ON): Step.LAYER_EXEC,
    (Step.ITERATE, Signal.LAYER_BLOCKED): Step.REPORT,
    (Step.ITERATE, Signal.ONLY_DEFECTS): Step.REPORT,
    (Step.ITERATE, Signal.CONVERGED): Step.REPORT,
    (Step.ITERATE, Signal.LAST_ITERATION): Step.REPORT,
    (Step.ITERATE, Signal.NOTHING_CHANGES): Step.REPORT,
    (Step.REPORT, Signal.REPORTED): Step.DONE,
}
_STATUS = {
    Signal.NO_FRAMEWORK: SuiteStatus.BLOCKED,
    Signal.NOTHING_TO_TEST: SuiteStatus.BLOCKED,
    Signal.DRY_RUN: SuiteStatus.PLANNED,
    Signal.DECLINED: SuiteStatus.PLANNED,
    Signal.GATE_RED: SuiteStatus.L0_FAILED,
    Signal.ALL_GREEN: SuiteStatus.CONVERGED,
    Signal.ONE_PASS: SuiteStatus.SINGLE_PASS,
    Signal.LAYER_BLOCKED: SuiteStatus.BLOCKED,
    Signal.ONLY_DEFECTS: SuiteStatus.CONFIRMED_DEFECTS,
    Signal.CONVERGED: SuiteStatus.CONVERGED,
    Signal.LAST_ITERATION: SuiteStatus.MAX_ITER_REACHED,
    Signal.NOTHING_CHANGES: SuiteStatus.MAX_ITER_REACHED,
}
_EVENTS: Mapping[type[Event], Signal] = {
    EntryDecided: Signal.ENTRY_DECIDED,
    Sourced: Signal.SOURCED,
    FrameworkFound: Signal.FRAMEWORK_FOUND,
    FrameworkMissing: Signal.NO_FRAMEWORK,
    Approved: Signal.APPROVED,
    Declined: Signal.DECLINED,
    Reported: Signal.REPORTED,
}


def judge(ledger: Ledger, event: Event | None, limits: Limits) -> Signal | None:
    """What an event means for the run, or, without one, what the ledger itself says."""
    if isinstance(event, GateChecked):
        return Signal.GATE_RED if event.causes else Signal.GATE_GREEN
    if event is not None:
        return _EVENTS.get(type(event))
    match ledger.step, ledger.phase:
        case Step.CSV_GEN, Phase.ASKING:
            return _judge_plan(ledger)
        case Step.LAYER_EXEC, Phase.RAN:
            return _judge_layers(ledger)
        case Step.ITERATE, Phase.JUDGING:
            return _judge_iteration(ledger, limits)
        case _:
            return None


def _judge_plan(ledger: Ledger) -> Signal | None:
    if not ledger.cases:
        return Signal.NOTHING_TO_TEST
    if ledger.flags.dry_run:
        return Signal.DRY_RUN
    return Signal.APPROVED if ledger.flags.approved else None


def _judge_layers(ledger: Ledger) -> Signal:
    if blocked_layer(ledger):
        return Signal.LAYER_BLOCKED
    if ledger.flags.max_iter <= 1:
        return Signal.ONE_PASS
    failed = any(case.failed for case in ledger.cases.values())
    return Signal.FAILURES if failed else Signal.ALL_GREEN


def _judge_iteration(ledger: Ledger, limits: Limits) -> Signal | None:
    """None while the end is near and the pressure pass is not made."""
    end = ending(ledger, limits)
    if end is None:
        return Signal.GO_ON
    if end is Signal.LAYER_BLOCKED:
        return end
    if ledger.pressed is None:
        return None
    return Signal.GO_ON if _one_more(ledger, limits) else end


def ending(ledger: Ledger, limits: Limits) -> Signal | None:
    """How the run would end after this iteration, if it would."""
    overall = tally_of(ledger)
    score = ledger.score.confidence if ledger.score else None
    if blocked_layer(ledger):
        return Signal.LAYER_BLOCKED
    if only_defects(overall):
        return Signal.ONLY_DEFECTS
    if converged(overall, limits.threshold) and (score or 0.0) >= limits.confidence:
        return Signal.CONVERGED
    if ledger.iteration >= ledger.flags.max_iter:
        return Signal.LAST_ITERATION
    return Signal.NOTHING_CHANGES if nothing_changes(ledger.passages) else None


def _one_more(ledger: Ledger, limits: Limits) -> bool:
    """Whether one more iteration is forced; never beyond what the user allowed."""
    if ledger.forced or ledger.iteration >= ledger.flags.max_iter or ledger.score is None:
        return False
    measured = (ledger.score.scenario_coverage, ledger.score.diagnostic_accuracy)
    poor = any(each is not None and each < limits.floor for each in measured)
    return poor or not ledger.pressed or unclassified(ledger)


def advance(ledger: Ledger, event: Event, limits: Limits) -> tuple[Ledger, list[Effect]]:
    """Book an event; the ledger after it, and what is to be done."""
    before = ledger
    if signal := judge(ledger, event, limits):
        ledger = _move(ledger, signal, limits)
    ledger = _settle(_book(ledger, event), limits)
    if isinstance(event, StopAsked) and not ledger.final:
        return ledger, [Halt()]
    fresh = ledger.turn != before.turn or isinstance(event, Begun)
    quiet = ledger.stopping and not ledger.final
    return ledger, orders(ledger) if fresh and not quiet else []


def _settle(ledger: Ledger, limits: Limits) -> Ledger:
    """Move and proceed until there is work to wait for."""
    while True:
        if signal := judge(ledger, None, limits):
            ledger = _move(ledger, signal, limits)
            continue
        if ledger.step is Step.ITERATE and ledger.phase is Phase.JUDGING:
            following = press(ledger)
        else:
            following = proceed(ledger, limits)
        if following is ledger:
            return ledger
        ledger = following


def _move(ledger: Ledger, signal: Signal, limits: Limits) -> Ledger:
    """The only place that changes `step`."""
    after = move(TABLE, ledger.step, signal)
    if signal is Signal.GO_ON:
        ledger = _next_iteration(ledger, limits)
    status = _STATUS.get(signal, ledger.status)
    ledger = replace(ledger, step=after, status=status)
    match after:
        case Step.LAYER_EXEC:
            return _open_layers(ledger)
        case Step.ITERATE:
            return repair(replace(ledger, inner={}), limits, layers(ledger))
        case Step.REPORT:
            return _open_report(ledger, signal)
        case _:
            return start(ledger, Phase.WORKING)


def _open_layers(ledger: Ledger) -> Ledger:
    if not ledger.strategies:
        choice = choose((), ledger.iteration, ledger.flags.strategy)
        ledger = replace(ledger, strategies=(choice,))
    ledger = replace(ledger, opening=ledger.turn + 1)
    return first_layer(ledger, layers(ledger))


def _open_report(ledger: Ledger, signal: Signal) -> Ledger:
    if signal is Signal.LAYER_BLOCKED:
        layer = blocked_layer(ledger)
        reason = f"nothing of {layer} could be tested; that is a problem of the environment"
        return start(replace(ledger, reasons=(reason,)), Phase.REPORTING)
    return press(ledger) if ledger.pressed is None else start(ledger, Phase.REPORTING)


def _next_iteration(ledger: Ledger, limits: Limits) -> Ledger:
    """Choose the way through the next iteration, and open what it writes again."""
    choice = choose(ledger.passages, ledger.iteration + 1)
    anew = [case for case in ledger.cases.values() if _write_again(case, choice.strategy)]
    surgical = choice.strategy is Strategy.SURGICAL
    ledger = changed(ledger, *(Case(case.id, case.layer, case.critical) for case in anew))
    return replace(
        ledger,
        forced=ledger.forced or ending(ledger, limits) is not None,
        iteration=ledger.iteration + 1,
        strategies=(*ledger.strategies, choice),
        undo=tuple(each for each in ledger.cases if each in regressed(ledger.passages))
        if surgical
        else (),
        pressed=ledger.pressed or None,
        score=None,
    )


def _write_again(case: Case, strategy: Strategy) -> bool:
    """What never became a file is tried again; the reflective way writes failing tests anew."""
    if case.status is not ScenarioStatus.FAILED:
        return False
    theirs = case.classification in {Classification.CODE_DEFECT, Classification.ENV_ISSUE}
    return not case.written or (strategy is Strategy.REFLECTIVE and not theirs)


def _book(ledger: Ledger, event: Event) -> Ledger:
    """Write an event into the ledger."""
    match event:
        case Begun() | StopAsked():
            return replace(ledger, stopping=isinstance(event, StopAsked))
        case EntryDecided():
            return replace(ledger, entry=event.entry)
        case FrameworkMissing() | GateChecked():
            why = event.causes if isinstance(event, GateChecked) else (event.why,)
            return replace(ledger, reasons=why)
        case Planned():
            return _plan(ledger, event)
        case Written() | LayerRan() | Diagnosed() | Scored() | Pressed():
            return _answered(ledger, event)
        case _:
            return ledger


def _plan(ledger: Ledger, event: Planned) -> Ledger:
    if ledger.step is not Step.CSV_GEN or ledger.phase is not Phase.WORKING:
        return ledger
    only = ledger.flags.layer
    cases = {case.id: case for case in event.cases if only is None or case.layer is only}
    return start(replace(ledger, cases=cases), Phase.ASKING)


def _answered(ledger: Ledger, event: Written | LayerRan | Diagnosed | Scored | Pressed) -> Ledger:
    match event:
        case Written():
            return written(ledger, event)
        case LayerRan():
            return layer_ran(ledger, event)
        case Diagnosed():
            return diagnosed(ledger, event)
        case Scored():
            return scored(ledger, event)
        case Pressed():
            return pressed(ledger, event)
