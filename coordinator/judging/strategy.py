"""Which way the next iteration takes, from what the last ones brought.

The rules, in order; the first that fits decides:

1. *Regression* (the rate fell by more than 10 points, or a test that was green is red): surgical.
2. The *same tests* failed three iterations in a row: reflective.
3. Up to iteration 2: conservative.
4. Over 80 % with *alike failures* (similarity over 0.7): aggressive.
5. Else conservative.

Each choice comes with its reason, for the reflection log. Errors are compared without what changes
from run to run: addresses, numbers, paths, colours. Leaves out carrying a strategy out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from contract.vocabulary import Strategy

DROP = 10.0
ALIKE = 0.7
HIGH = 80.0
SAME = 3
EARLY = 2
SURE = 0.8
_MOST_COMPARED = 40

_NOISE = (
    (re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]"), ""),
    (re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE), "0x"),
    (re.compile(r"(?:[A-Za-z]:)?(?:[\w.@-]*[\\/]){2,}[\w.@-]+"), "PATH"),
    (re.compile(r"\d+(?:\.\d+)*"), "0"),
    (re.compile(r"\s+"), " "),
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """What an iteration brought. `failing`: the normalised error of each red test."""

    rate: float | None = None
    green: tuple[str, ...] = ()
    failing: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    strategy: Strategy
    reason: str


def normalised(error: str) -> str:
    """An error without what differs from run to run."""
    for pattern, instead in _NOISE:
        error = pattern.sub(instead, error)
    return error.strip()[:500]


def choose(passages: Sequence[Passage], iteration: int, asked: Strategy | None = None) -> Choice:
    """The strategy of `iteration`, which follows the passages; `asked`: the user's, for the
    first one.
    """
    if iteration <= 1 and asked is not None:
        return Choice(asked, "it was asked for")
    if reason := regression(passages):
        return Choice(Strategy.SURGICAL, reason)
    if same := same_failures(passages):
        return Choice(Strategy.REFLECTIVE, f"{same} tests failed {SAME} iterations in a row")
    if iteration <= EARLY:
        return Choice(Strategy.CONSERVATIVE, f"iteration {iteration} is an early one")
    last = passages[-1] if passages else Passage()
    likeness = similarity(last.failing.values())
    if last.rate is not None and last.rate > HIGH and likeness > ALIKE:
        reason = f"{last.rate} % pass and the failures are alike ({likeness:.2f})"
        return Choice(Strategy.AGGRESSIVE, reason)
    return Choice(Strategy.CONSERVATIVE, "no other rule fits")


def regression(passages: Sequence[Passage]) -> str:
    """What got worse in the last iteration, or nothing."""
    if len(passages) < 2:
        return ""
    before, now = passages[-2], passages[-1]
    if before.rate is not None and now.rate is not None and before.rate - now.rate > DROP:
        return f"the pass rate fell from {before.rate} % to {now.rate} %"
    if broken := regressed(passages):
        return f"{len(broken)} tests that were green are red"
    return ""


def regressed(passages: Sequence[Passage]) -> tuple[str, ...]:
    """Tests that are red and were green in the iteration before."""
    if len(passages) < 2:
        return ()
    green = set(passages[-2].green)
    return tuple(test for test in passages[-1].failing if test in green)


def same_failures(passages: Sequence[Passage]) -> int:
    """How many tests are red, if the same ones were red in the last three iterations."""
    if len(passages) < SAME:
        return 0
    sets = [frozenset(passage.failing) for passage in passages[-SAME:]]
    return len(sets[-1]) if len(set(sets)) == 1 else 0


def nothing_changes(passages: Sequence[Passage]) -> bool:
    """Twice in a row the same tests failed with the same errors."""
    return (
        len(passages) >= 2
        and bool(passages[-1].failing)
        and dict(passages[-1].failing) == dict(passages[-2].failing)
    )


def similarity(errors: Iterable[str]) -> float:
    """How alike errors are, 0 to 1: the mean share of words that two of them have in common.

    A single failure is like nothing: one fix for a cluster needs a cluster.
    """
    words = [frozenset(_WORD.findall(error.lower())) for error in errors][:_MOST_COMPARED]
    pairs = [_overlap(one, other) for one, other in combinations(words, 2)]
    return sum(pairs) / len(pairs) if pairs else 0.0


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    union = one | other
    return len(one & other) / len(union) if union else 1.0


def fixes_to_apply(
    strategy: Strategy, fixes: Mapping[str, float], broken: Iterable[str] = ()
) -> tuple[str, ...]:
    """Which tests get their fix now, from the confidence of each fix.

    Conservative: the sure ones, each test its own; if none is sure, the surest alone. Surgical:
    those of the regression (`broken`) only. Aggressive and reflective: all.
    """
    if strategy is Strategy.SURGICAL:
        return tuple(test for test in broken if test in fixes)
    if strategy is not Strategy.CONSERVATIVE:
        return tuple(fixes)
    sure = tuple(test for test, confidence in fixes.items() if confidence >= SURE)
    return sure or tuple(sorted(fixes, key=lambda test: -fixes[test]))[:1]
