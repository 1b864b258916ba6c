"""Planning: what words mean, scenarios from a spec, the entry, the waves."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.identity import ScenarioId
from contract.vocabulary import Category, Layer, Priority, ScenarioStatus, Source, SourceRoute
from coordinator.errors import RequestError
from coordinator.planning.suite.entry import Entry, Facts, decide
from coordinator.planning.suite.from_spec import Extracted, asked, cases_in, extract
from coordinator.planning.suite.requirements import Criterion, Kind, Moscow, parse
from coordinator.planning.suite.row import Row
from coordinator.planning.suite.targets import Naming, Project, path_of_test
from coordinator.planning.suite.waves import context_before, pending, wave, with_context
from coordinator.planning.suite.words import place_of, priority_of
from tests.coordinator.suite.test_requirements import EPIC, NFR, REQ


@pytest.mark.parametrize(
    ("text", "layer", "category"),
    [
        ("POST /users with an invalid e-mail returns 400", Layer.L1, Category.API_CONTRACT),
        ("the endpoint answers in JSON", Layer.L1, Category.API_CONTRACT),
        ("the response holds an id", Layer.L1, Category.API_CONTRACT),
        ("an invalid e-mail is rejected", Layer.L2, Category.BUSINESS_RULE),
        ("a name is required", Layer.L2, Category.BUSINESS_RULE),
        ("the total is the sum of all lines", Layer.L2, Category.BUSINESS_RULE),
        ("the order moves from paid to shipped", Layer.L2, Category.STATE_TRANSITION),
        ("a paid order becomes shipped", Layer.L2, Category.STATE_TRANSITION),
        ("the status of the order changes", Layer.L2, Category.STATE_TRANSITION),
        ('click "Save", then see "Saved"', Layer.L3, Category.USER_FLOW),
        ("first the cart is filled, then it is paid", Layer.L3, Category.USER_FLOW),
        ("`add(2, 3)` returns 5", Layer.L1, Category.UNIT),
        ("add(2, 3) == 5", Layer.L1, Category.UNIT),
        ('`parse("x").total(1)` MUST raise `ValueError`', Layer.L1, Category.UNIT),
        ("`add(2, (3))` SHOULD NOT be 6", Layer.L1, Category.UNIT),
    ],
)
def test_the_words_of_a_criterion_say_its_layer(
    text: str, layer: Layer, category: Category
) -> None:
    assert place_of(text) == (layer, category)


def test_the_kind_of_a_document_says_more_than_its_words() -> None:
    text = "POST /users answers within 200 ms"
    assert place_of(text, Kind.NFR) == (Layer.L2, Category.NON_FUNCTIONAL)
    assert place_of(text, Kind.EPIC) == (Layer.L3, Category.USER_FLOW)


@given(st.text(), st.sampled_from(Kind))
def test_every_text_has_a_layer(text: str, kind: Kind) -> None:
    layer, category = place_of(text, kind)
    assert layer in Layer
    assert category in Category


@pytest.mark.parametrize(
    ("text", "moscow", "priority"),
    [
        ("it MUST add", Moscow.COULD, Priority.CRITICAL),
        ("it SHALL NOT fail", Moscow.COULD, Priority.CRITICAL),
        ("it SHOULD add", Moscow.MUST, Priority.HIGH),
        ("it MAY add", Moscow.MUST, Priority.MEDIUM),
        ("it SHOULD add and MUST NOT fail", Moscow.COULD, Priority.CRITICAL),
        ("it must add", Moscow.COULD, Priority.MEDIUM),
        ("shows `MUST` in capitals", Moscow.SHOULD, Priority.HIGH),
        ('says "you MUST log in"', Moscow.COULD, Priority.MEDIUM),
        ("adds", Moscow.MUST, Priority.CRITICAL),
        ("adds", Moscow.SHOULD, Priority.HIGH),
    ],
)
def test_capitals_of_rfc_2119_come_before_moscow(
    text: str, moscow: Moscow, priority: Priority
) -> None:
    assert priority_of(text, moscow) is priority


def criterion(text: str, *detail: str) -> Criterion:
    return Criterion(ac_id="AC-1", text=text, line=1, detail=detail)


@pytest.mark.parametrize(
    ("given_", "cases"),
    [
        (criterion("adds"), ("adds",)),
        (criterion("adds", "and never fails"), ("adds and never fails",)),
        (criterion("handles:", "- zero", "- one"), ("zero", "one")),
        (criterion("adds", "- zero", "- one"), ("adds", "zero", "one")),
        (
            criterion("pays", "- Given a cart", "- When paid", "- Then it is empty"),
            ("pays\nGiven a cart\nWhen paid\nThen it is empty",),
        ),
        (
            criterion("adds:", "| a | b |", "|---|---|", "| 1 | 2 |"),
            ("adds:\n| a | b |\n|---|---|\n| 1 | 2 |",),
        ),
    ],
)
def test_the_cases_of_a_criterion(given_: Criterion, cases: tuple[str, ...]) -> None:
    assert cases_in(given_) == cases


def extracted(*texts: str, project: Project | None = None) -> Extracted:
    return extract([parse(text, "REQ-001-cart.md") for text in texts], project)


def test_each_criterion_is_one_scenario_that_leads_back_to_it() -> None:
    rows = extracted(REQ, NFR, EPIC).rows
    assert [(row.id, row.scenario.req_ref) for row in rows] == [
        ("AT-001", "REQ-001:AC-1"),
        ("AT-002", "REQ-001:AC-2"),
        ("AT-003", "REQ-001:AC-3"),
        ("AT-004", "NFR-P-001:AC-1"),
        ("AT-005", "NFR-P-001:AC-2"),
        ("AT-006", "EPIC-001:STORY-001-1:AC-1"),
        ("AT-007", "EPIC-001:STORY-001-1:AC-2"),
        ("AT-008", "EPIC-001:STORY-001-2:AC-1"),
    ]
    assert {row.life.source for row in rows} == {Source.SPEC}
    assert rows[0].scenario.priority is Priority.CRITICAL
    assert rows[0].scenario.description == "Cart total (REQ-001-cart.md:14)"


def test_what_is_not_to_be_had_is_skipped_by_name() -> None:
    found = extracted(REQ, NFR.replace("Should", "Won't"))
    assert (found.targeted, found.skipped) == (("REQ-001",), ("NFR-P-001",))


PROJECT = Project(
    files=frozenset({"src/shop/cart.py", "src/shop/total.py"}),
    symbols={"total": "src/shop/total.py"},
    endpoints={"GET /cart": "src/shop/cart.py"},
)


def test_a_criterion_names_its_target_before_its_document_does() -> None:
    rows = extracted(REQ, project=PROJECT).rows
    assert [row.scenario.target_file for row in rows] == [
        "src/shop/cart.py",
        "src/shop/total.py",
        "src/shop/cart.py",
    ]


def test_a_target_that_the_project_lacks_is_not_guessed() -> None:
    assert {row.scenario.target_file for row in extracted(REQ).rows} == {""}


def test_the_coverage_counts_the_same_criteria() -> None:
    epic = parse(EPIC, "EPIC-001.md")
    references = [row.scenario.req_ref for row in extract([epic]).rows]
    assert references == [f"{epic.id}:{each.ac_id}" for each in asked(epic)]


@pytest.mark.parametrize(
    ("naming", "path"),
    [
        (Naming(), "tests/test_at_001_adds_two_numbers.py"),
        (Naming("src/__tests__/{}.test.ts", "-"), "src/__tests__/at-001-adds-two-numbers.test.ts"),
    ],
)
def test_a_test_file_is_named_as_the_project_does(naming: Naming, path: str) -> None:
    assert path_of_test(ScenarioId("AT-001"), "Adds two numbers!", naming) == path


@given(st.text(max_size=200))
def test_a_test_file_stays_in_its_folder(name: str) -> None:
    path = path_of_test(ScenarioId("AT-001"), name, Naming())
    assert path.startswith("tests/test_at_001")
    assert path.count("/") == 1
    assert len(path) < 80


ALL = Facts(
    running=True, re_run=True, earlier=True, earlier_failures=2, requirements=3, open_gaps=4,
    saved_route=SourceRoute.GAP,
)  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "entry", "route"),
    [
        (ALL, Entry.RESUME, SourceRoute.GAP),
        (replace(ALL, running=False), Entry.RE_RUN, SourceRoute.RE_RUN),
        (replace(ALL, running=False, re_run=False), Entry.SPEC, SourceRoute.SPEC),
        (replace(ALL, running=False, earlier_failures=0), Entry.SPEC, SourceRoute.SPEC),
        (Facts(open_gaps=1), Entry.GAP, SourceRoute.GAP),
        (Facts(), Entry.CODE, SourceRoute.CODE),
    ],
)
def test_the_entry_is_decided_in_order(facts: Facts, entry: Entry, route: SourceRoute) -> None:
    decision = decide(facts)
    assert (decision.entry, decision.route) == (entry, route)
    assert decision.why


def test_a_re_run_without_an_earlier_run_is_a_request_that_makes_no_sense() -> None:
    with pytest.raises(RequestError, match="no earlier run"):
        decide(Facts(re_run=True))


def test_a_wave_carries_the_findings_of_the_layers_before() -> None:
    rows = list(extracted(REQ, NFR, EPIC).rows)
    unit = next(row for row in rows if row.scenario.layer is Layer.L1)
    place = rows.index(unit)
    rows[place] = replace(unit, life=replace(unit.life, findings="None is\nreturned"))
    sent = wave(rows, Layer.L3, pending(rows, Layer.L3))
    assert [each.id for each in sent] == ["AT-006", "AT-007", "AT-008"]
    assert {each.prev_context for each in sent} == {f"{unit.id}: None is returned"}
    assert context_before(rows, Layer.L1) == ""
    kept = with_context(rows, sent)
    assert [row.id for row in kept] == [row.id for row in rows]
    assert kept[-1].scenario.prev_context == sent[0].prev_context


def test_only_what_nobody_answered_for_is_pending() -> None:
    rows = extracted(EPIC).rows
    done: Row = replace(rows[0], life=replace(rows[0].life, status=ScenarioStatus.WRITTEN))
    assert pending((done, *rows[1:]), Layer.L3) == ("AT-002", "AT-003")


def test_the_context_has_an_end() -> None:
    rows = [
        replace(row, life=replace(row.life, findings="x" * 500))
        for row in extract([parse(REQ, "a.md")] * 20).rows
    ]
    assert len(context_before(rows, Layer.L3)) <= 4_000
