"""test-plan.json: what a run means to do, for people and for the approval.

The scenarios of the plan are the rows of the master as they were planned; the master says what
became of them. Invariant: its counts are derived from its scenarios. Fields that are not ours are
kept.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from contract.scenario import Scenario
from contract.vocabulary import Layer, Priority, SourceRoute
from coordinator.records.suite import json_file
from coordinator.records.suite.json_file import Document, Part
from coordinator.records.suite.state import Infrastructure

HINT = "correct that field, or plan anew with --dry-run"


class GatePlan(Part, frozen=True, kw_only=True):
    """L0: no scenarios, but the commands that check the ground."""

    scenario_count: int = 0
    commands: tuple[str, ...] = ()


class LayerPlan(Part, frozen=True, kw_only=True):
    scenario_count: int = 0
    priority_distribution: dict[Priority, int] = msgspec.field(default_factory=dict)


class Layers(Part, frozen=True, kw_only=True):
    L0: GatePlan = GatePlan()
    L1: LayerPlan = LayerPlan()
    L2: LayerPlan = LayerPlan()
    L3: LayerPlan = LayerPlan()


class Targets(Part, frozen=True, kw_only=True):
    requirements_targeted: tuple[str, ...] = ()
    requirements_skipped: tuple[str, ...] = ()


class Plan(Part, frozen=True, kw_only=True):
    """`fixtures` maps a fixture's name to the scenarios that ask for it."""

    phase: int | None = None
    source_route: SourceRoute
    blueprint_ref: str | None = None
    spec_mode: str | None = None
    generated_at: datetime
    infrastructure: Infrastructure = Infrastructure()
    layers: Layers = Layers()
    scenarios: tuple[Scenario, ...] = ()
    fixtures: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    requirement_coverage_plan: Targets = Targets()


def layers_of(scenarios: Sequence[Scenario], commands: Sequence[str] = ()) -> Layers:
    """How many scenarios each layer has, by priority."""
    plans = {layer.value: _layer(scenarios, layer) for layer in Layer}
    return Layers(L0=GatePlan(commands=tuple(commands)), **plans)


def _layer(scenarios: Sequence[Scenario], layer: Layer) -> LayerPlan:
    priorities = [each.priority for each in scenarios if each.layer is layer]
    return LayerPlan(
        scenario_count=len(priorities),
        priority_distribution={priority: priorities.count(priority) for priority in Priority},
    )


def fixtures_of(scenarios: Sequence[Scenario]) -> Mapping[str, tuple[str, ...]]:
    """Who asks for which fixture."""
    asked: dict[str, tuple[str, ...]] = {}
    for scenario in scenarios:
        for fixture in scenario.fixtures:
            asked[fixture] = (*asked.get(fixture, ()), scenario.id)
    return asked


def load(path: Path) -> Document[Plan] | None:
    return json_file.load(path, Plan, HINT)


def save(path: Path, plan: Plan, before: Document[Plan] | None = None) -> None:
    """Replace the plan. What the lists of an earlier one held is not kept."""
    raw = dict(before.raw) if before else {}
    raw.pop("fixtures", None)
    json_file.save(path, plan, raw)
