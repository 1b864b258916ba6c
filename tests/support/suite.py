"""Ledgers, cases and a small world for the suite machine, in the few words that its tests need."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from contract.identity import ScenarioId
from contract.vocabulary import Classification, Layer, ScenarioStatus, SourceRoute
from coordinator.machines import suite_effects as do
from coordinator.machines import suite_events as facts
from coordinator.machines.suite import Ledger, Limits, Step, advance
from coordinator.machines.suite_effects import Effect
from coordinator.machines.suite_events import Event, Ran
from coordinator.machines.suite_ledger import Case, Flags, Score

LIMITS = Limits()
PASSED = Ran(ScenarioStatus.PASSED)
BLOCKED = Ran(ScenarioStatus.BLOCKED, "no database")
A, B, C, D = (ScenarioId(f"AT-00{number}") for number in (1, 2, 3, 4))
PLAN = (Case(A, Layer.L1), Case(B, Layer.L1), Case(C, Layer.L2), Case(D, Layer.L3))


def red(error: str = "1 != 2") -> Ran:
    return Ran(ScenarioStatus.FAILED, error)


Runs = Callable[[ScenarioId, int], Ran]
"""How a test goes when its layer runs for the nth time, from 1."""


@dataclass
class World:
    """Answers every effect at once; what is not said goes well."""

    cases: tuple[Case, ...] = PLAN
    runs: Runs = lambda _id, _time: PASSED
    faults: Mapping[ScenarioId, Classification | None] = field(default_factory=dict)
    fix: float | None = 0.9
    write: Mapping[ScenarioId, ScenarioStatus] = field(default_factory=dict)
    score: Score = field(default_factory=lambda: Score(90.0, 90.0, 90.0))
    causes: tuple[str, ...] = ()
    framework: bool = True
    agrees: bool = True
    presses: bool = True
    ran: dict[Layer, int] = field(default_factory=dict)
    seen: list[Effect] = field(default_factory=list)

    def answers(self, effect: Effect) -> list[Event]:
        self.seen.append(effect)
        match effect:
            case do.WriteWave():
                return [self._written(effect.turn, each) for each in effect.ids]
            case do.RunLayer():
                time = self.ran[effect.layer] = self.ran.get(effect.layer, 0) + 1
                tests = {each: self.runs(each, time) for each in effect.ids}
                return [facts.LayerRan(effect.turn, tests)]
            case do.Diagnose():
                return [self._diagnosed(effect.turn, each) for each in effect.ids]
            case do.MeasureIteration():
                return [facts.Scored(effect.turn, self.score)]
            case do.Press():
                return [facts.Pressed(effect.turn, self.presses)]
            case _:
                return self._plain(effect)

    def _plain(self, effect: Effect) -> list[Event]:
        answers: dict[type[Effect], Event] = {
            do.DecideEntry: facts.EntryDecided(SourceRoute.SPEC),
            do.ReadSources: facts.Sourced(),
            do.ProbeProject: facts.FrameworkFound()
            if self.framework
            else facts.FrameworkMissing("there is no pytest"),
            do.WritePlan: facts.Planned(self.cases),
            do.AskApproval: facts.Approved() if self.agrees else facts.Declined(),
            do.RunGate: facts.GateChecked(self.causes),
            do.WriteReports: facts.Reported(),
        }
        found = answers.get(type(effect))
        return [found] if found else []

    def _written(self, turn: int, scenario: ScenarioId) -> Event:
        status = self.write.get(scenario, ScenarioStatus.WRITTEN)
        return facts.Written(turn, scenario, status)

    def _diagnosed(self, turn: int, scenario: ScenarioId) -> Event:
        fault = self.faults.get(scenario, Classification.TEST_DEFECT)
        fix = self.fix if fault is Classification.TEST_DEFECT else None
        return facts.Diagnosed(turn, scenario, fault, fix)


def run(world: World, ledger: Ledger | None = None, **flags: object) -> Ledger:
    """Play until the run is over; `flags` for a new one."""
    first = ledger or Ledger(flags=Flags(**flags))  # type: ignore[arg-type]
    return list(steps(world, first))[-1][0]


def steps(world: World, ledger: Ledger) -> Iterable[tuple[Ledger, Event]]:
    """Every ledger on the way, with the event that led to it."""
    events: list[Event] = [facts.Begun()]
    while events:
        event = events.pop(0)
        ledger, effects = advance(ledger, event, LIMITS)
        for effect in effects:
            events += world.answers(effect)
        yield ledger, event


def upto(step: Step, world: World | None = None, **flags: object) -> Ledger:
    """The ledger as soon as it is in `step`."""
    start = Ledger(flags=Flags(**flags))  # type: ignore[arg-type]
    return next(ledger for ledger, _ in steps(world or World(), start) if ledger.step is step)


def of(kind: type[Effect], world: World) -> list[Effect]:
    """The effects of a kind that a world saw."""
    return [effect for effect in world.seen if isinstance(effect, kind)]


def layers_run(world: World) -> list[Layer]:
    return [effect.layer for effect in world.seen if isinstance(effect, do.RunLayer)]
