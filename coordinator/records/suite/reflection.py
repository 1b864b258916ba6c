"""reflection-log.md: why each strategy was chosen, and what it brought, iteration by iteration.

Invariant: an iteration has one section; writing it again replaces it and leaves the others as they
are, words of other hands included. The table of the confidence shows its arithmetic. Leaves out
choosing (`judging/strategy.py`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from contract import wire
from contract.vocabulary import Strategy
from coordinator.judging.confidence import Confidence, Dimension, Name
from coordinator.records.atomic import write_atomic
from coordinator.records.suite.json_file import read_bytes
from coordinator.records.suite.traceability import rate
from coordinator.reporting.markdown import items, table, text

_SECTION = re.compile(r"^## Iteration (\d+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reflection:
    """One iteration. `failed`: each test with its reason; `following`: the strategy chosen next."""

    iteration: int
    strategy: Strategy
    rate: float | None
    previous: float | None
    confidence: Confidence
    worked: Sequence[str] = ()
    failed: Sequence[tuple[str, str]] = ()
    pattern: str = ""
    following: Strategy | None = None
    reason: str = ""

    @property
    def delta(self) -> float | None:
        if self.rate is None or self.previous is None:
            return None
        return round(self.rate - self.previous, 1)

    @property
    def assessment(self) -> str:
        """Whether the strategy did what it was chosen for."""
        if self.delta is None:
            return "partially_effective"
        if self.delta > 0 or self.rate == 100:
            return "effective"
        return "partially_effective" if self.delta == 0 else "ineffective"

    @property
    def recommendation(self) -> str:
        if self.following in {None, self.strategy}:
            return "keep"
        return f"switch_to_{self.following}"


def write(path: Path, reflection: Reflection, phase: int | None, started: datetime) -> None:
    """Write an iteration's section."""
    before = (read_bytes(path) or b"").decode("utf-8", "replace") or head(phase, started)
    write_atomic(path, with_section(before, reflection).encode("utf-8", "replace"))


def head(phase: int | None, started: datetime) -> str:
    """How the log begins."""
    when = wire.loads(wire.dumps(started), str)
    shown = "none" if phase is None else str(phase)
    return f"# Auto-Test Reflection Log\n\nPhase: {shown}\nStarted: {when}\n"


def with_section(log: str, reflection: Reflection) -> str:
    """The log with this iteration's section, in the order of the iterations."""
    first = _SECTION.search(log)
    begin = first.start() if first else len(log)
    sections = dict(_sections(log))
    sections[reflection.iteration] = "\n".join(_lines(reflection))
    parts = [log[:begin], *(sections[number] for number in sorted(sections))]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def _sections(log: str) -> Iterator[tuple[int, str]]:
    found = list(_SECTION.finditer(log))
    ends = [match.start() for match in found] + [len(log)]
    for match, end in zip(found, ends[1:], strict=True):
        yield int(match[1]), log[match.start() : end]


def _lines(reflection: Reflection) -> Iterator[str]:
    delta = "–" if reflection.delta is None else f"{reflection.delta:+g}%"
    yield from (f"## Iteration {reflection.iteration}", "")
    yield f"Strategy: {reflection.strategy}"
    yield f"Pass rate: {rate(reflection.rate)} (previous: {rate(reflection.previous)})"
    yield f"Delta: {delta}"
    yield from ("", "### What worked", "", *items(map(text, reflection.worked)))
    failed = (f"{text(test)}: {text(reason)}" for test, reason in reflection.failed)
    yield from ("", "### What failed", "", *items(failed))
    yield from ("", "### Pattern detected", "")
    yield text(reflection.pattern) if reflection.pattern else "None"
    yield from ("", "### Strategy assessment", "")
    yield f"- Current strategy: {reflection.assessment}"
    because = f" ({text(reflection.reason)})" if reflection.reason else ""
    yield f"- Recommendation: {reflection.recommendation}{because}"
    yield from ("", "### Confidence", "", *_confidence(reflection.confidence))


def _confidence(confidence: Confidence) -> list[str]:
    rows = [(each.name, inputs(each), points(each)) for each in confidence.dimensions]
    summed = " + ".join(
        f"{each.points:.1f}" for each in confidence.dimensions if each.score is not None
    )
    whole = "no data" if confidence.overall is None else f"{confidence.overall:.1f}"
    return table(("Dimension", "Inputs", "Score"), [*rows, ("overall", summed or "–", whole)])


def inputs(dimension: Dimension) -> str:
    """`mutants killed 45/47 × …`, or that there are no data."""
    joint = " × " if dimension.name is Name.DIAGNOSTIC_ACCURACY else "; "
    told = [f"{one.name} {one.part:g}/{one.whole:g}" for one in dimension.inputs if one.whole > 0]
    return text(joint.join(told) or "no data; its weight is shared out")


def points(dimension: Dimension) -> str:
    """`95.7 · 0.30 = 28.7`."""
    if dimension.score is None:
        return "no data"
    return f"{dimension.score:.1f} · {dimension.weight:.2f} = {dimension.points:.1f}"
