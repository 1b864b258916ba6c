"""How far a suite run can be trusted: five dimensions, each from what was executed.

A dimension is the mean of its measures that have data; one without any says so, and its weight is
shared out among the others in proportion. Invariant: every score is 0 to 100 and can be worked out
again from the inputs that stand beside it. Leaves out measuring, and the words of the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

ENOUGH = 60.0
FLOOR = 40.0
_RISE = 20.0
"""Points of pass rate per iteration that count as a strategy at its best."""


class Name(StrEnum):
    SCENARIO_COVERAGE = "scenario_coverage"
    TEST_QUALITY = "test_quality"
    DIAGNOSTIC_ACCURACY = "diagnostic_accuracy"
    STRATEGY_EFFECTIVENESS = "strategy_effectiveness"
    INFRASTRUCTURE_FITNESS = "infrastructure_fitness"


WEIGHTS: Mapping[Name, float] = {
    Name.SCENARIO_COVERAGE: 0.25,
    Name.TEST_QUALITY: 0.30,
    Name.DIAGNOSTIC_ACCURACY: 0.20,
    Name.STRATEGY_EFFECTIVENESS: 0.10,
    Name.INFRASTRUCTURE_FITNESS: 0.15,
}


@dataclass(frozen=True, slots=True)
class Part:
    """A measure as a share of a whole, such as 9 of 12 criteria covered; no whole, no data."""

    name: str
    part: float = 0.0
    whole: float = 0.0

    @property
    def share(self) -> float | None:
        """0 to 1."""
        return min(1.0, max(0.0, self.part / self.whole)) if self.whole > 0 else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How sure a diagnosis was, and whether the fix bore it out: 1, 0, or not known yet."""

    confidence: float
    agreed: bool | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What was executed, counted. What was not measured stays at nothing."""

    criteria: Part = Part("criteria covered")
    symbols: Part = Part("public symbols covered")
    cases: Part = Part("test cases implemented")
    kills: Part = Part("mutants killed")
    oracles: Part = Part("oracle weight")
    non_trivial: Part = Part("non-trivial tests")
    steady: Part = Part("tests without flakes")
    verdicts: tuple[Verdict, ...] = ()
    rates: tuple[float, ...] = ()
    """The pass rate of each iteration."""
    jobs: Part = Part("jobs without environment trouble")


@dataclass(frozen=True, slots=True)
class Dimension:
    """`score` is None without data; `weight` is what it counts after sharing out."""

    name: Name
    inputs: tuple[Part, ...]
    score: float | None
    weight: float

    @property
    def points(self) -> float:
        """What it adds to the whole."""
        return (self.score or 0.0) * self.weight


@dataclass(frozen=True, slots=True)
class Confidence:
    """`overall` is the sum of the points; None when nothing was measured at all."""

    overall: float | None
    dimensions: tuple[Dimension, ...]

    def score(self, name: Name) -> float | None:
        return next(each.score for each in self.dimensions if each.name is name)

    @property
    def weakest(self) -> Name | None:
        """The dimension with the lowest score; the first one of equals."""
        scored = [each for each in self.dimensions if each.score is not None]
        return min(scored, key=lambda each: each.score or 0.0).name if scored else None


def confidence(measured: Measured) -> Confidence:
    """Every dimension with its arithmetic, and the whole."""
    inputs = _inputs(measured)
    scores = {name: _score(name, parts) for name, parts in inputs.items()}
    present = sum(WEIGHTS[name] for name, score in scores.items() if score is not None)
    dimensions = tuple(
        Dimension(
            name=name,
            inputs=inputs[name],
            score=score,
            weight=WEIGHTS[name] / present if score is not None else 0.0,
        )
        for name, score in scores.items()
    )
    overall = round(sum(each.points for each in dimensions), 1) if present else None
    return Confidence(overall=overall, dimensions=dimensions)


def _inputs(measured: Measured) -> dict[Name, tuple[Part, ...]]:
    return {
        Name.SCENARIO_COVERAGE: (measured.criteria, measured.symbols, measured.cases),
        Name.TEST_QUALITY: (
            measured.kills,
            measured.oracles,
            measured.non_trivial,
            measured.steady,
        ),
        Name.DIAGNOSTIC_ACCURACY: _accuracy(measured.verdicts),
        Name.STRATEGY_EFFECTIVENESS: (_effect(measured.rates),),
        Name.INFRASTRUCTURE_FITNESS: (measured.jobs,),
    }


def _score(name: Name, parts: Sequence[Part]) -> float | None:
    shares = [part.share for part in parts if part.share is not None]
    if not shares:
        return None
    if name is Name.DIAGNOSTIC_ACCURACY:
        product = 1.0
        for share in shares:
            product *= share
        return round(100 * product, 1)
    return round(100 * sum(shares) / len(shares), 1)


def _accuracy(verdicts: Sequence[Verdict]) -> tuple[Part, ...]:
    """Mean confidence, times agreement with what the fixes showed, where they showed anything."""
    tried = [verdict.agreed for verdict in verdicts if verdict.agreed is not None]
    return (
        Part("mean confidence", sum(each.confidence for each in verdicts), len(verdicts)),
        Part("verdicts that held", sum(tried), len(tried)),
    )


def _effect(rates: Sequence[float]) -> Part:
    """The mean rise of the pass rate per iteration; a rate that is as good as it gets is full
    effect, since it cannot rise, and no change at all is half.
    """
    name = "change of the pass rate per iteration"
    if len(rates) < 2:
        return Part(name)
    if rates[-1] >= 100:
        return Part(name, 1, 1)
    mean = (rates[-1] - rates[0]) / (len(rates) - 1)
    return Part(name, min(_RISE, max(-_RISE, mean)) + _RISE, 2 * _RISE)
