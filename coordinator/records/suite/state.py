"""state.json: where a suite run stands, so that it can be taken up after any end.

What the format names stands at the top, the rest of the machine's ledger under `mazewave`; nothing
that decides stands in two places. The rates, the layers' states and the counts are for readers and
are derived at each write. Invariant: `load(save(session, ledger)) == (session, ledger)`. Fields
that are not ours are kept.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from contract import wire
from contract.vocabulary import Layer, SourceRoute, Strategy, SuiteStatus
from coordinator.errors import RequestError
from coordinator.judging.convergence import THRESHOLD
from coordinator.machines.suite_ledger import FINAL, Flags, Ledger, Step, layers, tally_of
from coordinator.records.suite import json_file
from coordinator.records.suite.json_file import Document, Object, Part

VERSION = 1
HINT = "correct that field, or move the file away to begin anew"

_AT_TOP = {
    "entry": "source_route",
    "status": "status",
    "flags": "flags",
    "iteration": "iteration",
    "layer": "current_layer",
    "step": "step",
}
"""Fields of the ledger that the format names, and how it calls them."""


class Infrastructure(Part, frozen=True, kw_only=True):
    """How the project is tested."""

    framework: str = ""
    run_command: str = ""


class Session(Part, frozen=True, kw_only=True):
    """What a run is about; it does not change while it runs, but for the infrastructure."""

    session_id: str
    started_at: datetime
    phase: int | None = None
    phase_dir: str | None = None
    blueprint_ref: str | None = None
    spec_mode: str | None = None
    infrastructure: Infrastructure = Infrastructure()


class LayerState(Part, frozen=True, kw_only=True):
    inner_iter: int = 0
    pass_rate: float | None = None
    status: str = "pending"


class _Mine(Part, frozen=True, kw_only=True):
    version: int = VERSION
    ledger: dict[str, Any]


class _File(Part, frozen=True, kw_only=True):
    """The file, keys in the order of the format."""

    session_id: str
    phase: int | None = None
    phase_dir: str | None = None
    source_route: SourceRoute | None = None
    blueprint_ref: str | None = None
    spec_mode: str | None = None
    status: SuiteStatus
    flags: Flags
    iteration: int
    strategy: Strategy | None = None
    strategy_history: tuple[Strategy, ...] = ()
    threshold: float = THRESHOLD
    current_layer: Layer | None = None
    layer_state: Mapping[str, LayerState] = msgspec.field(default_factory=dict)
    pass_rate_history: tuple[float | None, ...] = ()
    scenario_count: int = 0
    infrastructure: Infrastructure = Infrastructure()
    step: Step
    started_at: datetime
    updated_at: datetime
    mazewave: _Mine


class Saved(Part, frozen=True, kw_only=True):
    """A run as it was saved; `raw`: the whole file, for the next write."""

    session: Session
    ledger: Ledger
    raw: Object

    @property
    def running(self) -> bool:
        """Whether it can be taken up."""
        return self.ledger.status is SuiteStatus.RUNNING and not self.ledger.final


def load(path: Path) -> Saved | None:
    """The run at `path`, or None if there is none."""
    document = json_file.load(path, _File, HINT)
    return None if document is None else _saved(document, path.name)


def _saved(document: Document[_File], name: str) -> Saved:
    file = document.value
    if file.mazewave.version > VERSION:
        raise RequestError(
            f"{name} was written by a newer mazewave (format {file.mazewave.version}, this one "
            f"knows {VERSION})",
            "install that version: pip install --upgrade mazewave",
        )
    top = {field: getattr(file, at) for field, at in _AT_TOP.items()}
    session = {field: getattr(file, field) for field in Session.__struct_fields__}
    data = wire.dumps({**file.mazewave.ledger, **top})
    ledger = json_file.parse(data, Ledger, f"{name}, mazewave.ledger", HINT).value
    return Saved(session=Session(**session), ledger=ledger, raw=document.raw)


def save(
    path: Path, session: Session, ledger: Ledger, now: datetime, raw: Object | None = None
) -> None:
    """Replace the file. Nothing of an earlier ledger is kept."""
    others = {name: value for name, value in (raw or {}).items() if name not in _DERIVED}
    json_file.save(path, _file(session, ledger, now), others)


_DERIVED = {"mazewave", "layer_state"}


def _file(session: Session, ledger: Ledger, now: datetime) -> _File:
    inside: dict[str, Any] = wire.loads(wire.dumps(ledger), Object)
    for field in _AT_TOP:
        inside.pop(field)
    return _File(
        **msgspec.structs.asdict(session),
        **{at: getattr(ledger, field) for field, at in _AT_TOP.items()},
        strategy=ledger.strategy if ledger.strategies else None,
        strategy_history=tuple(choice.strategy for choice in ledger.strategies),
        layer_state=layer_states(ledger),
        pass_rate_history=tuple(passage.rate for passage in ledger.passages),
        scenario_count=len(ledger.cases),
        updated_at=max(now, session.started_at),
        mazewave=_Mine(ledger=inside),
    )


def layer_states(ledger: Ledger) -> dict[str, LayerState]:
    """How each layer stands, for readers."""
    states = {"L0": LayerState(status=_gate(ledger))}
    for layer in layers(ledger):
        counts = tally_of(ledger, layer)
        if counts.wholly_blocked:
            status = "blocked"
        elif counts.unrun:
            status = "running" if layer is ledger.layer and not ledger.final else "pending"
        else:
            status = "passed" if counts.passed == counts.total - counts.blocked else "failed"
        states[layer] = LayerState(
            inner_iter=ledger.inner.get(layer, 0), pass_rate=counts.rate, status=status
        )
    return states


def _gate(ledger: Ledger) -> str:
    if ledger.step is Step.L0_FAILED:
        return "failed"
    early = {Step.PARSE, Step.SOURCE, Step.INFRA, Step.CSV_GEN, Step.L0}
    not_reached = FINAL - {Step.DONE, Step.L0_FAILED}
    return "pending" if ledger.step in early | not_reached else "passed"
