"""Booking: what a fact changes in the ledger, and which piece of work follows within a step.

Invariant: nothing here moves `step`; a fact of an earlier turn, or about a scenario that is not
open, changes nothing. A new piece of work has a new turn. Leaves out thresholds (`suite.judge`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from contract.identity import ScenarioId
from contract.vocabulary import Layer, ScenarioStatus
from coordinator.judging.strategy import Passage, normalised
from coordinator.machines.suite_events import Diagnosed, LayerRan, Pressed, Ran, Scored, Written
from coordinator.machines.suite_ledger import (
    Case,
    Ledger,
    Limits,
    Phase,
    Step,
    best_layer,
    layers,
    stops_next,
    tally_of,
    to_diagnose,
    to_fix,
    to_run,
    to_write,
)

_DID_NOT_RUN = Ran(ScenarioStatus.BLOCKED, "it did not run with its layer")


def start(
    ledger: Ledger, phase: Phase, layer: Layer | None = None, ids: Iterable[ScenarioId] = ()
) -> Ledger:
    """Give out a piece of work."""
    return replace(ledger, phase=phase, layer=layer, open=tuple(ids), turn=ledger.turn + 1)


def changed(ledger: Ledger, *cases: Case) -> Ledger:
    return replace(ledger, cases={**ledger.cases, **{case.id: case for case in cases}})


def written(ledger: Ledger, event: Written) -> Ledger:
    """A writer's answer."""
    if ledger.phase is not Phase.WRITING or not _awaited(ledger, event.turn, event.id):
        return ledger
    case = replace(
        ledger.cases[event.id],
        status=event.status,
        written=event.status is ScenarioStatus.WRITTEN,
        classification=event.classification,
    )
    return _settled(changed(ledger, case), event.id)


def diagnosed(ledger: Ledger, event: Diagnosed) -> Ledger:
    """A diagnostician's answer."""
    if ledger.phase is not Phase.DIAGNOSING or not _awaited(ledger, event.turn, event.id):
        return ledger
    case = replace(
        ledger.cases[event.id], classification=event.classification, fix=event.fix, asked=True
    )
    return _settled(changed(ledger, case), event.id)


def layer_ran(ledger: Ledger, event: LayerRan) -> Ledger:
    """A layer's run, which settles all that is open at once."""
    if ledger.phase not in {Phase.RUNNING, Phase.RERUNNING} or event.turn != ledger.turn:
        return ledger
    cases = [
        _ran(ledger.cases[each], event.tests.get(each, _DID_NOT_RUN), fixed=each in ledger.fixing)
        for each in ledger.open
    ]
    return replace(changed(ledger, *cases), open=(), fixing=())


def _ran(case: Case, ran: Ran, *, fixed: bool) -> Case:
    """A verdict stays while the same error does; a test that changed is to be diagnosed anew."""
    error = normalised(ran.error)
    if ran.status is not ScenarioStatus.FAILED:
        return replace(
            case, status=ran.status, error=error, classification=None, fix=None, asked=False
        )
    known = case.status is ScenarioStatus.WRITTEN or (case.failed and case.error == error)
    if known and not fixed:
        return replace(case, status=ran.status, error=error)
    return replace(case, status=ran.status, error=error, classification=None, fix=None, asked=False)


def scored(ledger: Ledger, event: Scored) -> Ledger:
    """The end of an iteration's work: what it brought is written down for the next choice."""
    if ledger.phase is not Phase.SCORING or event.turn != ledger.turn:
        return ledger
    passage = Passage(
        rate=tally_of(ledger).rate,
        green=tuple(
            case.id for case in ledger.cases.values() if case.status is ScenarioStatus.PASSED
        ),
        failing={case.id: case.error for case in ledger.cases.values() if case.failed},
    )
    return replace(
        ledger, score=event.score, passages=(*ledger.passages, passage), phase=Phase.JUDGING
    )


def pressed(ledger: Ledger, event: Pressed) -> Ledger:
    if ledger.phase is not Phase.PRESSING or event.turn != ledger.turn:
        return ledger
    ledger = replace(ledger, pressed=event.done)
    if ledger.step is Step.REPORT:
        return start(ledger, Phase.REPORTING)
    return replace(ledger, phase=Phase.JUDGING)


def _awaited(ledger: Ledger, turn: int, scenario: ScenarioId) -> bool:
    return turn == ledger.turn and scenario in ledger.open


def _settled(ledger: Ledger, scenario: ScenarioId) -> Ledger:
    return replace(ledger, open=tuple(each for each in ledger.open if each != scenario))


def proceed(ledger: Ledger, limits: Limits) -> Ledger:
    """The next piece of work of this step, once nothing of the last one is open."""
    if ledger.open or ledger.layer is None:
        return ledger
    match ledger.phase:
        case Phase.WRITING if ids := to_run(ledger, ledger.layer):
            return start(ledger, Phase.RUNNING, ledger.layer, ids)
        case Phase.WRITING | Phase.RUNNING:
            if stops_next(ledger, ledger.layer):
                return replace(ledger, phase=Phase.RAN)
            return first_layer(ledger, _after(ledger, ledger.layer))
        case Phase.DIAGNOSING | Phase.RERUNNING:
            return _inner(ledger, ledger.layer, limits) or repair(
                ledger, limits, _after(ledger, ledger.layer)
            )
        case _:
            return ledger


def _after(ledger: Ledger, layer: Layer) -> tuple[Layer, ...]:
    every = layers(ledger)
    return every[every.index(layer) + 1 :]


def first_layer(ledger: Ledger, order: Iterable[Layer]) -> Ledger:
    """Begin with the first of these layers that has something to write or run."""
    for layer in order:
        if ids := to_write(ledger, layer):
            return start(ledger, Phase.WRITING, layer, ids)
        if ids := to_run(ledger, layer):
            return start(ledger, Phase.RUNNING, layer, ids)
        if stops_next(ledger, layer):
            break
    return replace(ledger, phase=Phase.RAN)


def repair(ledger: Ledger, limits: Limits, order: Iterable[Layer]) -> Ledger:
    """Begin with the first of these layers that has something to diagnose or fix; else score."""
    for layer in order:
        if following := _inner(ledger, layer, limits):
            return following
    return start(ledger, Phase.SCORING)


def _inner(ledger: Ledger, layer: Layer, limits: Limits) -> Ledger | None:
    """One inner round: look for the faults first, then fix and run the layer again.

    After the last run the faults are looked for once more, so that none stays unclassified.
    """
    if ids := to_diagnose(ledger, layer):
        return start(ledger, Phase.DIAGNOSING, layer, ids)
    rounds = ledger.inner.get(layer, 0)
    fixes = to_fix(ledger, layer)
    if not fixes or rounds >= limits.inner:
        return None
    tried = [replace(ledger.cases[each], fix=None) for each in fixes]
    inner: Mapping[Layer, int] = {**ledger.inner, layer: rounds + 1}
    ledger = replace(changed(ledger, *tried), fixing=fixes, inner=inner)
    return start(ledger, Phase.RERUNNING, layer, to_run(ledger, layer))


def press(ledger: Ledger) -> Ledger:
    """Begin the pressure pass; without a passing test there is none to be made."""
    layer = best_layer(ledger)
    if layer is not None:
        return start(ledger, Phase.PRESSING, layer)
    ledger = replace(ledger, pressed=False)
    return start(ledger, Phase.REPORTING) if ledger.step is Step.REPORT else ledger
