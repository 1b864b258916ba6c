"""Criteria as people write them: what is claimed is read, and nothing else is taken for a claim."""

import ast
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.writer.claims import spell
from workers.writer.criteria import read
from workers.writer.criteria.claims import SURE_ENOUGH, CallReturns, Cases, GivenWhenThen

CORPUS = tomllib.loads((Path(__file__).parent / "corpus" / "criteria.toml").read_text("utf-8"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.binary(max_size=6),
    lambda inner: st.lists(inner, max_size=4)
    | st.tuples(inner, inner)
    | st.dictionaries(st.text("abc ,:()'\"", max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.parametrize("entry", CORPUS["read"], ids=lambda entry: entry["text"][:60])
def test_a_criterion_is_read_as_it_is_meant(entry: dict[str, list[str]]) -> None:
    reading = read(str(entry["text"]))
    assert [spell(claim) for claim in reading.claims] == entry["claims"]
    assert not reading.unread


@pytest.mark.parametrize("text", CORPUS["refused"]["texts"], ids=lambda text: text[:60])
def test_what_is_no_clear_claim_is_never_read_as_one(text: str) -> None:
    reading = read(text)
    assert not reading.claims
    assert reading.unread or text.startswith("## Out of scope")


def test_every_expression_that_is_read_can_be_parsed() -> None:
    for entry in CORPUS["read"]:
        for claim in read(entry["text"]).claims:
            if isinstance(claim, CallReturns):
                ast.parse(claim.call.source, mode="eval")
                ast.parse(claim.expected.source, mode="eval")


def test_what_is_not_read_comes_back_with_its_line_and_why() -> None:
    reading = read("- add(2, 3) returns 5\n- add(2, 3) returns 5 apples\n- be fast", first_line=10)
    assert [claim.line for claim in reading.claims] == [10]
    assert [(miss.line, miss.why) for miss in reading.unread] == [
        (11, "what follows add(2, 3) is not understood: returns 5 apples"),
        (12, "no form of criterion fits"),
    ]


def test_the_front_matter_of_a_requirement_is_no_criterion() -> None:
    reading = read("---\nid: REQ-001\n---\n\n1. `f(2)` MUST return 4")
    assert [(spell(claim), claim.line) for claim in reading.claims] == [("f(2) -> 4", 5)]
    assert not reading.unread


def test_a_row_that_is_not_read_takes_no_other_row_with_it() -> None:
    reading = read("`add`:\n\n| a | b | expected |\n|---|---|---|\n| 1 | 2 | 3 |\n| 1 | ? | 3 |")
    assert [spell(claim) for claim in reading.claims] == ["add(a, b): 1, 2 -> 3"]
    assert [miss.line for miss in reading.unread] == [6]


@pytest.mark.parametrize(
    "text",
    [
        "share(1, 4) returns 25%",
        "| a | expected |\n|---|---|\n| 1 | 2 |",
        "`grade`:\n\n| points | expected |\n|---|---|\n| 95 | A |",
        "given a cart when it is emptied then total is 0",
        "chunk([1, 2, 3], 2) returns 2 items",
    ],
)
def test_a_reading_that_leaves_room_for_another_is_less_sure(text: str) -> None:
    assert read(text).claims[0].sure < SURE_ENOUGH


@pytest.mark.parametrize(
    "text", ["add(2, 3) returns 5", "f(-1) raises ValueError", "add(a, b) == add(b, a)"]
)
def test_a_plain_claim_is_sure(text: str) -> None:
    assert read(text).claims[0].sure >= 0.9


def test_a_section_of_a_requirement_is_read_item_by_item() -> None:
    text = """## Acceptance Criteria

- [ ] AC-1: `slug("A b")` returns `"a-b"`
- [ ] AC-2: `slug(None)` raises
      `TypeError`
- [ ] AC-3: it should feel quick

Given a shop with 3 items
When checkout is called
Then the total is 30.00

## Out of scope

- `slug("Ä")` returns `"a"`

### Later

- `slug("Ö")` returns `"o"`

## Rules

- `slug("")` returns `""`
"""
    reading = read(text)
    assert [spell(claim) for claim in reading.claims] == [
        "slug('A b') -> 'a-b'",
        "slug(None) raises TypeError",
        "given a shop with 3 items [3] when checkout is called then total == 30.00",
        "slug('') -> ''",
    ]
    assert [claim.line for claim in reading.claims] == [3, 4, 8, 22]
    assert [miss.line for miss in reading.unread] == [6]


def test_code_in_a_fence_is_no_criterion_but_scenarios_and_bodies_are() -> None:
    assert read("```python\nadd(2, 3) == 5\n```") == read("")
    gherkin = read("```gherkin\nGiven a stack\nWhen I push 3\nThen the size is 1\n```")
    assert isinstance(gherkin.claims[0], GivenWhenThen)


def test_a_table_knows_the_line_of_each_row() -> None:
    claim = read("`add`:\n\n| a | expected |\n|---|---|\n| 1 | 2 |\n| 2 | 3 |").claims[0]
    assert isinstance(claim, Cases)
    assert [row.line for row in claim.rows] == [5, 6]


@given(st.lists(VALUES, max_size=4), VALUES, st.sampled_from(["returns", "==", "should be"]))
def test_a_call_with_literals_survives_the_way_through_a_sentence(
    arguments: list[object], expected: object, joint: str
) -> None:
    call = f"f({', '.join(map(repr, arguments))})"
    claims = read(f"- [ ] `{call}` {joint} `{expected!r}`").claims
    if "`" in f"{call}{expected!r}":
        return  # code within code is another matter
    assert len(claims) == 1
    claim = claims[0]
    assert isinstance(claim, CallReturns)
    assert [ast.literal_eval(value.source) for value in claim.call.arguments] == arguments
    assert ast.literal_eval(claim.expected.source) == expected


@given(st.text("f(x)[]{}'\"`,.=:-> \n|0159returnsisaGivenWhT#*~", max_size=80))
def test_any_text_is_read_or_given_back(text: str) -> None:
    reading = read(text)
    for claim in reading.claims:
        assert claim.line >= 1


@pytest.mark.parametrize("text", ["f(" * 5000, "[" * 5000 + " returns 5", "- " + "a and " * 5000])
def test_deep_nesting_is_no_claim_and_no_trouble(text: str) -> None:
    assert not read(text).claims
    assert read(text).unread
