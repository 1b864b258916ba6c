"""Scenarios from requirements: one for each acceptance criterion.

So a criterion is covered or not by what its own scenario shows, and `req_ref` (`REQ-001:AC-2`,
`EPIC-001:STORY-1:AC-1`) leads back to it. What the grammar of the writers cannot read is a scenario
all the same. Invariant: every criterion of every requirement that counts gives exactly one row, in
the order of ids and ordinals. Leaves out gaps, code and exploration as sources.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contract.scenario import Scenario
from contract.vocabulary import Priority, Source
from coordinator.judging.requirement_coverage import Asked
from coordinator.planning.suite.requirements import Criterion, Requirement
from coordinator.planning.suite.row import Lifecycle, Row, scenario_id
from coordinator.planning.suite.targets import Naming, Project, path_of_test, target_of
from coordinator.planning.suite.words import place_of, priority_of

_STEP = re.compile(r"(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_GIVEN = re.compile(r"\*{0,2}(?:given|when|then)\b", re.IGNORECASE)
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Extracted:
    """Rows, and which requirements they are about. Skipped are those that are not to be had."""

    rows: tuple[Row, ...] = ()
    targeted: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


def extract(
    requirements: Sequence[Requirement],
    project: Project | None = None,
    naming: Naming | None = None,
    first: int = 1,
) -> Extracted:
    """One row for each criterion; ids count from `first`."""
    wanted = [each for each in requirements if each.counts]
    pairs = [(each, criterion) for each in wanted for criterion in each.criteria]
    rows = tuple(
        _row(number, each, criterion, project or Project(), naming or Naming())
        for number, (each, criterion) in enumerate(pairs, first)
    )
    return Extracted(
        rows=rows,
        targeted=tuple(each.id for each in wanted),
        skipped=tuple(each.id for each in requirements if not each.counts),
    )


def reference(requirement: Requirement, criterion: Criterion) -> str:
    """How `req_ref` names a criterion."""
    return ":".join(filter(None, (requirement.id, criterion.story, criterion.ac_id)))


def asked(requirement: Requirement) -> tuple[Asked, ...]:
    """Its criteria as the coverage counts them."""
    return tuple(
        Asked(
            ac_id=":".join(filter(None, (each.story, each.ac_id))),
            description=each.text,
            priority=_priority(requirement, each),
        )
        for each in requirement.criteria
    )


def _priority(requirement: Requirement, criterion: Criterion) -> Priority:
    return priority_of("\n".join((criterion.text, *criterion.detail)), requirement.priority)


def _row(
    number: int, requirement: Requirement, criterion: Criterion, project: Project, naming: Naming
) -> Row:
    identity = scenario_id(number)
    cases = cases_in(criterion)
    whole = "\n".join(cases)
    layer, category = place_of(whole, requirement.kind)
    name = _short(_sentence(criterion)[0])
    texts = (whole, *requirement.traces_to, requirement.title, requirement.context)
    scenario = Scenario(
        id=identity,
        name=name,
        layer=layer,
        priority=_priority(requirement, criterion),
        category=category,
        target_file=target_of(texts, project),
        test_file=path_of_test(identity, name, naming),
        description=f"{requirement.title} ({requirement.file}:{criterion.line})",
        test_cases=cases,
        req_ref=reference(requirement, criterion),
    )
    return Row(scenario=scenario, life=Lifecycle(source=Source.SPEC))


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(":")
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1].rstrip() + "…"


def _sentence(criterion: Criterion) -> tuple[str, tuple[str, ...]]:
    """The criterion's own sentence with its wrapped lines, and what is left below it."""
    for place, line in enumerate(criterion.detail):
        if _STEP.fullmatch(line) or line.startswith(("|", "```", "~~~")) or _GIVEN.match(line):
            return " ".join((criterion.text, *criterion.detail[:place])), criterion.detail[place:]
    return " ".join((criterion.text, *criterion.detail)), ()


def cases_in(criterion: Criterion) -> tuple[str, ...]:
    """What is to be shown, entry by entry.

    Points below a criterion are cases of their own, and one that only leads up to them (it ends in
    a colon) is not. Given, When and Then, a table, or a block of code are one case with their
    criterion.
    """
    text, below = _sentence(criterion)
    steps = [_STEP.fullmatch(line) for line in below]
    points = [step[1].strip() for step in steps if step]
    if not below:
        return (text,)
    if len(points) < len(below) or any(map(_GIVEN.match, points)):
        return ("\n".join((text, *_plain(below))),)
    return tuple(points) if text.rstrip().endswith(":") else (text, *points)


def _plain(lines: Iterable[str]) -> Iterable[str]:
    """Lines without the marks of a list."""
    for line in lines:
        step = _STEP.fullmatch(line)
        yield step[1] if step else line
