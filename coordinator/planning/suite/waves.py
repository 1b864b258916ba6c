"""Waves: what the writers of a layer are sent together.

A wave holds the pending scenarios of one layer in the order of the master, each with the findings
of the layers before it. Invariant: a scenario carries nothing else of the lifecycle, and the same
master gives the same wave. Leaves out sending.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from contract.identity import ScenarioId
from contract.scenario import Scenario
from contract.vocabulary import Layer, ScenarioStatus
from coordinator.planning.suite.row import Row

_MOST = 4_000
"""Characters of context; a prompt has other things to hold."""


def wave(rows: Sequence[Row], layer: Layer, ids: Iterable[ScenarioId]) -> tuple[Scenario, ...]:
    """The scenarios of a layer that are to be written, with their context."""
    wanted = set(ids)
    context = context_before(rows, layer)
    return tuple(
        msgspec.structs.replace(row.scenario, prev_context=context)
        for row in rows
        if row.scenario.layer is layer and row.id in wanted
    )


def pending(rows: Iterable[Row], layer: Layer) -> tuple[ScenarioId, ...]:
    """The scenarios of a layer that no writer has answered for."""
    return tuple(
        row.id
        for row in rows
        if row.scenario.layer is layer and row.life.status is ScenarioStatus.PENDING
    )


def context_before(rows: Iterable[Row], layer: Layer) -> str:
    """The findings of the layers before, one line each, as many as there is room for."""
    order = list(Layer)
    before = order[: order.index(layer)]
    lines: list[str] = []
    room = _MOST
    for row in rows:
        if row.scenario.layer not in before or not row.life.findings.strip():
            continue
        line = f"{row.id}: {' '.join(row.life.findings.split())}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join(lines)


def with_context(rows: Sequence[Row], sent: Iterable[Scenario]) -> tuple[Row, ...]:
    """The rows, with the context that a wave carried."""
    contexts = {scenario.id: scenario for scenario in sent}
    return tuple(
        replace(row, scenario=contexts[row.id]) if row.id in contexts else row for row in rows
    )
