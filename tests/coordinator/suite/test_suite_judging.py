"""What a suite run is worth: rates, strategies, confidence, coverage, the next step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.vocabulary import (
    Classification,
    Priority,
    ScenarioStatus,
    Strategy,
    SuiteStatus,
)
from coordinator.judging.confidence import (
    WEIGHTS,
    Measured,
    Name,
    Part,
    Verdict,
    confidence,
)
from coordinator.judging.convergence import (
    Standing,
    Tally,
    converged,
    only_defects,
    tally,
)
from coordinator.judging.next_step import NextStep, next_step
from coordinator.judging.requirement_coverage import (
    Asked,
    CoverageVerdict,
    CriterionStatus,
    Shown,
    criterion,
    requirement,
)
from coordinator.judging.strategy import (
    Passage,
    choose,
    fixes_to_apply,
    normalised,
    nothing_changes,
    similarity,
)

PASSED = Standing(ScenarioStatus.PASSED)
FAILED = Standing(ScenarioStatus.FAILED)
BLOCKED = Standing(ScenarioStatus.BLOCKED)
BUG = Standing(ScenarioStatus.FAILED, Classification.CODE_DEFECT)
ENV = Standing(ScenarioStatus.FAILED, Classification.ENV_ISSUE)
UNRUN = Standing(ScenarioStatus.WRITTEN)
standings = st.builds(
    Standing, st.sampled_from(ScenarioStatus), st.none() | st.sampled_from(Classification)
)


@pytest.mark.parametrize(
    ("counted", "rate", "raw"),
    [
        ([PASSED, FAILED], 50.0, 50.0),
        ([PASSED, BUG], 100.0, 50.0),
        ([PASSED, ENV, BLOCKED, BUG, FAILED], 50.0, 20.0),
        ([PASSED, UNRUN], 50.0, 50.0),
        ([BUG, BUG], None, 0.0),
        ([], None, None),
    ],
)
def test_the_rate_leaves_out_what_no_test_can_mend(
    counted: list[Standing], rate: float | None, raw: float | None
) -> None:
    counts = tally(counted)
    assert (counts.rate, counts.raw_rate) == (rate, raw)


@given(st.lists(standings))
def test_each_scenario_counts_once_and_no_rate_leaves_its_range(found: list[Standing]) -> None:
    counts = tally(found)
    columns = (counts.passed, counts.failed, counts.code_defects, counts.env_issues)
    assert sum(columns) + counts.blocked + counts.unrun == counts.total == len(found)
    assert counts.rate is None or 0 <= (counts.raw_rate or 0) <= counts.rate <= 100


@pytest.mark.parametrize(
    ("counted", "blocked"),
    [([BLOCKED, ENV], True), ([BLOCKED, PASSED], False), ([BLOCKED, BUG], False), ([], False)],
)
def test_a_layer_is_wholly_blocked_if_nothing_could_be_tested(
    counted: list[Standing], *, blocked: bool
) -> None:
    assert tally(counted).wholly_blocked is blocked


def test_convergence_needs_a_rate() -> None:
    assert converged(tally([PASSED] * 19 + [FAILED]))
    assert not converged(tally([PASSED] * 18 + [FAILED]))
    assert not converged(tally([BLOCKED]))


def test_only_defects_are_left_when_nothing_else_is_red() -> None:
    assert only_defects(tally([PASSED, BUG]))
    assert not only_defects(tally([PASSED, BUG, FAILED]))
    assert not only_defects(tally([PASSED]))


def passage(rate: float, *failing: str, green: tuple[str, ...] = (), error: str = "x") -> Passage:
    return Passage(rate, green, {test: f"{error} in {test}" for test in failing})


ALIKE = Passage(90.0, (), {"a": "timeout waiting for db", "b": "timeout waiting for db"})
DROP = [passage(90, "a"), passage(79.9, "a")]
SMALL_DROP = [passage(90, "a"), passage(80, "a", "b")]
BROKEN = [passage(90, "a", green=("b",)), passage(90, "a", "b")]
SAME = [passage(50, "a"), passage(50, "a"), passage(50, "a")]


@pytest.mark.parametrize(
    ("passages", "iteration", "strategy"),
    [
        ([], 1, Strategy.CONSERVATIVE),
        ([passage(50, "a")], 2, Strategy.CONSERVATIVE),
        (DROP, 2, Strategy.SURGICAL),
        (SMALL_DROP, 3, Strategy.CONSERVATIVE),
        (BROKEN, 3, Strategy.SURGICAL),
        (SAME, 4, Strategy.REFLECTIVE),
        (SAME[:2], 3, Strategy.CONSERVATIVE),
        ([*SAME, *BROKEN], 6, Strategy.SURGICAL),
        ([ALIKE], 3, Strategy.AGGRESSIVE),
        ([ALIKE], 2, Strategy.CONSERVATIVE),
        ([Passage(80.0, (), ALIKE.failing)], 3, Strategy.CONSERVATIVE),
        ([Passage(90.0, (), {"a": "timeout", "b": "1 != 2"})], 3, Strategy.CONSERVATIVE),
    ],
)
def test_the_first_rule_that_fits_decides(
    passages: list[Passage], iteration: int, strategy: Strategy
) -> None:
    choice = choose(passages, iteration)
    assert choice.strategy is strategy
    assert choice.reason


def test_the_user_decides_about_the_first_iteration_only() -> None:
    assert choose([], 1, Strategy.AGGRESSIVE).strategy is Strategy.AGGRESSIVE
    assert choose([], 2, Strategy.AGGRESSIVE).strategy is Strategy.CONSERVATIVE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<User object at 0x7f12ab>", "<User object at 0x55ff00>"),
        ("took 12.5 s", "took 13 s"),
        ("\x1b[31mE   assert\x1b[0m 1", "E assert 1"),
        ("in /tmp/run-1/tests/test_a.py", "in /home/x/y/tests/test_a.py"),
    ],
)
def test_errors_are_compared_without_what_changes_from_run_to_run(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@given(st.text(max_size=200))
def test_normalising_twice_changes_nothing_more_in_length(error: str) -> None:
    assert len(normalised(error)) <= 500


def test_nothing_changes_if_the_same_tests_fail_alike_twice() -> None:
    assert nothing_changes([passage(50, "a"), passage(50, "a")])
    assert not nothing_changes([passage(50, "a"), passage(50, "a", error="y")])
    assert not nothing_changes([passage(50, "a"), passage(50, "a", "b")])
    assert not nothing_changes([passage(100), passage(100)])
    assert not nothing_changes([passage(50, "a")])


@given(st.lists(st.text(max_size=20), max_size=6))
def test_likeness_is_between_nothing_and_all(errors: list[str]) -> None:
    assert 0.0 <= similarity(errors) <= 1.0


@pytest.mark.parametrize(
    ("strategy", "fixes"),
    [
        (Strategy.CONSERVATIVE, ("a", "b")),
        (Strategy.AGGRESSIVE, ("a", "b", "c")),
        (Strategy.REFLECTIVE, ("a", "b", "c")),
        (Strategy.SURGICAL, ("c",)),
    ],
)
def test_a_strategy_says_which_fixes_are_tried(strategy: Strategy, fixes: tuple[str]) -> None:
    known = {"a": 0.9, "b": 0.8, "c": 0.5}
    assert fixes_to_apply(strategy, known, broken=("c", "d")) == fixes


def test_if_no_fix_is_sure_the_surest_is_tried_alone() -> None:
    assert fixes_to_apply(Strategy.CONSERVATIVE, {"a": 0.3, "b": 0.5}) == ("b",)
    assert fixes_to_apply(Strategy.CONSERVATIVE, {}) == ()


FULL = Measured(
    criteria=Part("criteria", 9, 12),
    symbols=Part("symbols", 5, 10),
    cases=Part("cases", 4, 4),
    kills=Part("kills", 45, 50),
    oracles=Part("oracles", 8, 10),
    non_trivial=Part("non-trivial", 10, 10),
    steady=Part("steady", 9, 10),
    verdicts=(Verdict(0.9, agreed=True), Verdict(0.7, agreed=False), Verdict(0.8)),
    rates=(50.0, 70.0),
    jobs=Part("jobs", 19, 20),
)


def test_each_dimension_is_the_mean_of_what_was_measured() -> None:
    found = confidence(FULL)
    scores = {each.name: each.score for each in found.dimensions}
    assert scores == {
        Name.SCENARIO_COVERAGE: 75.0,
        Name.TEST_QUALITY: 90.0,
        Name.DIAGNOSTIC_ACCURACY: 40.0,
        Name.STRATEGY_EFFECTIVENESS: 100.0,
        Name.INFRASTRUCTURE_FITNESS: 95.0,
    }
    by_hand = 0.25 * 75 + 0.30 * 90 + 0.20 * 40 + 0.10 * 100 + 0.15 * 95
    assert found.overall == pytest.approx(by_hand, abs=0.05)
    assert found.weakest is Name.DIAGNOSTIC_ACCURACY


def test_the_weights_are_those_of_the_method() -> None:
    assert list(WEIGHTS.values()) == [0.25, 0.30, 0.20, 0.10, 0.15]


def test_a_dimension_without_data_says_so_and_its_weight_is_shared_out() -> None:
    found = confidence(Measured(kills=Part("kills", 1, 2), jobs=Part("jobs", 1, 1)))
    weights = {each.name: each.weight for each in found.dimensions if each.score is not None}
    assert weights == {
        Name.TEST_QUALITY: pytest.approx(2 / 3),
        Name.INFRASTRUCTURE_FITNESS: pytest.approx(1 / 3),
    }
    assert found.overall == pytest.approx(66.7)
    assert found.score(Name.SCENARIO_COVERAGE) is None


def test_without_any_data_there_is_no_confidence() -> None:
    found = confidence(Measured())
    assert (found.overall, found.weakest) == (None, None)


@pytest.mark.parametrize(
    ("rates", "score"),
    [
        ((), None),
        ((50.0,), None),
        ((50.0, 50.0), 50.0),
        ((50.0, 60.0), 75.0),
        ((90.0, 60.0), 0.0),
        ((99.0, 100.0), 100.0),
    ],
)
def test_a_strategy_is_worth_what_the_rate_gained(
    rates: tuple[float, ...], score: float | None
) -> None:
    assert confidence(Measured(rates=rates)).score(Name.STRATEGY_EFFECTIVENESS) == score


parts = st.builds(Part, st.just("p"), st.floats(0, 100), st.floats(0, 100))


@given(
    st.builds(
        Measured,
        criteria=parts,
        kills=parts,
        oracles=parts,
        jobs=parts,
        rates=st.lists(st.floats(0, 100), max_size=4).map(tuple),
        verdicts=st.lists(
            st.builds(Verdict, st.floats(0, 1), st.none() | st.booleans()), max_size=4
        ).map(tuple),
    )
)
def test_the_arithmetic_that_is_shown_gives_the_whole(measured: Measured) -> None:
    found = confidence(measured)
    if found.overall is None:
        assert all(each.score is None for each in found.dimensions)
    else:
        assert 0 <= found.overall <= 100
        assert sum(each.weight for each in found.dimensions) == pytest.approx(1)
        shown = sum(each.points for each in found.dimensions)
        assert found.overall == pytest.approx(shown, abs=0.051)


MUST = Asked("AC-1", "adds", Priority.CRITICAL)
MAY = Asked("AC-2", "subtracts", Priority.MEDIUM)
S = ScenarioStatus


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        ((), CriterionStatus.UNTESTED),
        ((S.PASSED, S.PASSED), CriterionStatus.PASSED),
        ((S.PASSED, S.FAILED, S.BLOCKED), CriterionStatus.FAILED),
        ((S.PASSED, S.BLOCKED), CriterionStatus.BLOCKED),
        ((S.PASSED, S.WRITTEN), CriterionStatus.UNTESTED),
    ],
)
def test_a_criterion_is_what_its_scenarios_are(
    statuses: tuple[ScenarioStatus, ...], status: CriterionStatus
) -> None:
    assert criterion(MUST, [Shown("t", each) for each in statuses]).status is status


@pytest.mark.parametrize(
    ("must", "may", "verdict", "coverage"),
    [
        (S.PASSED, S.PASSED, CoverageVerdict.VERIFIED, 100.0),
        (S.PASSED, S.FAILED, CoverageVerdict.VERIFIED, 50.0),
        (S.FAILED, S.PASSED, CoverageVerdict.PARTIAL, 50.0),
        (S.BLOCKED, S.PASSED, CoverageVerdict.PARTIAL, 50.0),
        (S.FAILED, S.FAILED, CoverageVerdict.UNVERIFIED, 0.0),
        (S.PENDING, S.FAILED, CoverageVerdict.UNVERIFIED, 0.0),
    ],
)
def test_a_requirement_is_verified_by_what_must_and_should_hold(
    must: ScenarioStatus, may: ScenarioStatus, verdict: CoverageVerdict, coverage: float
) -> None:
    results = [criterion(MUST, [Shown("a", must)]), criterion(MAY, [Shown("b", may)])]
    found = requirement("REQ-001", "Sums", results)
    assert (found.verdict, found.coverage) == (verdict, coverage)


@pytest.mark.parametrize(
    ("status", "counts", "step"),
    [
        (SuiteStatus.CONVERGED, Tally(total=2, passed=2), NextStep.REVIEW),
        (SuiteStatus.CONVERGED, Tally(total=2, passed=1, code_defects=1), NextStep.DEBUG),
        (SuiteStatus.CONFIRMED_DEFECTS, Tally(total=1, code_defects=1), NextStep.DEBUG),
        (SuiteStatus.MAX_ITER_REACHED, Tally(total=10, passed=9, failed=1), NextStep.TEST),
        (SuiteStatus.MAX_ITER_REACHED, Tally(total=10, passed=8, failed=2), NextStep.DEBUG),
        (SuiteStatus.SINGLE_PASS, Tally(total=2, passed=2), NextStep.TEST),
        (SuiteStatus.BLOCKED, Tally(total=2, blocked=2), NextStep.DEBUG),
        (SuiteStatus.PLANNED, Tally(total=2, unrun=2), NextStep.TEST),
    ],
)
def test_every_ending_has_a_next_step(status: SuiteStatus, counts: Tally, step: NextStep) -> None:
    advice = next_step(status, counts)
    assert advice.step is step
    assert advice.words
