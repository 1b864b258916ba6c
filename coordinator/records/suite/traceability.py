"""traceability.md: each requirement with what the tests say of it, for a run that came from a spec.

Invariant: texts from the project cannot break a table or add a heading; the verdict is `passed`
only if no criterion failed, is blocked or is untested. Leaves out deciding (`judging`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from contract import wire
from coordinator.judging.requirement_coverage import CriterionStatus, RequirementCoverage
from coordinator.records.atomic import write_atomic
from coordinator.records.suite.iteration import LayerResult
from coordinator.reporting.markdown import items, table, text


@dataclass(frozen=True, slots=True)
class Trace:
    """What the page shows. `failures` and `next_steps` are sentences."""

    completed_at: datetime
    requirements: Sequence[RequirementCoverage]
    layers: Mapping[str, LayerResult]
    failures: Sequence[str] = ()
    next_steps: Sequence[str] = ()
    phase: int | None = None
    blueprint_ref: str | None = None

    @property
    def verdict(self) -> str:
        met = all(
            each.status is CriterionStatus.PASSED
            for requirement in self.requirements
            for each in requirement.criteria
        )
        return "passed" if met else "gaps_found"


def save(path: Path, trace: Trace) -> None:
    write_atomic(path, render(trace).encode("utf-8", "replace"))


def render(trace: Trace) -> str:
    """The page."""
    lines = [
        "---",
        f"phase: {_value(trace.phase)}",
        f"blueprint_ref: {_value(trace.blueprint_ref)}",
        f"completed_at: {wire.loads(wire.dumps(trace.completed_at), str)}",
        f"verdict: {trace.verdict}",
        "---",
        *("", "## Requirement Coverage", "", *_requirements(trace.requirements)),
        *("", "## Layer Results", "", *_layers(trace.layers)),
        *("", "## Failures", "", *items(map(text, trace.failures))),
        *("", "## Next Steps", "", *items(map(text, trace.next_steps))),
    ]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """A value of the front matter, which is YAML and JSON at once."""
    return wire.dumps(value).decode()


def _requirements(requirements: Sequence[RequirementCoverage]) -> list[str]:
    heads = ("REQ", "Title", "AC Total", "Passed", "Failed", "Coverage", "Verdict")
    return table(
        heads,
        (
            (
                text(each.req_id),
                text(each.title),
                len(each.criteria),
                each.count(CriterionStatus.PASSED),
                each.count(CriterionStatus.FAILED),
                rate(each.coverage),
                each.verdict,
            )
            for each in requirements
        ),
    )


def _layers(layers: Mapping[str, LayerResult]) -> list[str]:
    heads = ("Layer", "Total", "Passed", "Failed", "Blocked", "Pass Rate")
    return table(
        heads,
        (
            (name, each.total, each.passed, each.failed, each.blocked, rate(each.pass_rate))
            for name, each in layers.items()
        ),
    )


def rate(percent: float | None) -> str:
    """A rate as people read it; an en dash where there is none."""
    return "–" if percent is None else f"{percent:g}%"
