"""REQ, NFR and EPIC documents: what they say, and where they are wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coordinator.errors import RequestError
from coordinator.planning.suite.requirements import (
    Kind,
    Moscow,
    Requirement,
    each_once,
    is_requirement,
    parse,
)

REQ = """\
---
id: REQ-001
type: functional
priority: Must
traces_to: [EPIC-001, src/shop/cart.py]
status: approved   # by ann
---
# REQ-001: Cart total

The total lives in `src/shop/cart.py`.

## Acceptance Criteria

- [ ] The total MUST be the sum of all lines
- [x] **AC-2:** `total([])` returns 0
  and never None
- [ ] Discounts:
  - 10 % from 100.00
  - 20 % from 200.00

Agreed on Monday.

## Notes

1. not a criterion
"""
NFR = """\
---
id: NFR-P-001
priority: Should
---
# Speed

## Metric & Target

| Metric | Target | Measured by |
|--------|--------|-------------|
| p95 of search | 200 ms | load test |
| p99 of search | 500 ms | |
"""
EPIC = """\
---
id: EPIC-001
priority: Could
---
# Checkout

## Stories

### STORY-001-1: Pay by card

As a customer I want to pay.

#### Acceptance Criteria

1. The card is charged
2. A receipt is sent

### STORY-001-2: Pay later

- [ ] An invoice is sent
"""


def test_a_requirement_is_read_whole() -> None:
    found = parse(REQ, "req/REQ-001-cart.md")
    assert (found.id, found.kind, found.title) == ("REQ-001", Kind.REQ, "Cart total")
    assert (found.priority, found.status) == (Moscow.MUST, "approved")
    assert found.traces_to == ("EPIC-001", "src/shop/cart.py")


def test_a_criterion_is_called_by_its_ordinal_and_knows_its_line() -> None:
    criteria = parse(REQ, "REQ-001.md").criteria
    assert [(each.ac_id, each.line) for each in criteria] == [
        ("AC-1", 14),
        ("AC-2", 15),
        ("AC-3", 17),
    ]
    assert criteria[1].text == "`total([])` returns 0"
    assert criteria[1].detail == ("and never None",)
    assert criteria[2].detail == ("- 10 % from 100.00", "- 20 % from 200.00")


def test_the_ordinal_counts_and_not_the_number_that_was_written() -> None:
    text = "---\nid: REQ-002\n---\n## Acceptance criteria\n3. one\n7) two\n"
    assert [each.ac_id for each in parse(text, "a.md").criteria] == ["AC-1", "AC-2"]


def test_the_file_name_stands_in_for_a_missing_id() -> None:
    text = "# Total\n## Acceptance Criteria\n- [ ] it adds\n"
    found = parse(text, "requirements/REQ-042-total.md")
    assert (found.id, found.title, found.priority) == ("REQ-042", "Total", Moscow.SHOULD)


def test_what_stands_in_a_code_block_is_no_heading_and_no_criterion() -> None:
    text = (
        "---\nid: REQ-003\n---\n## Acceptance Criteria\n1. prints\n```\n# not a heading\n"
        "2. not a criterion\n```\n2. exits\n"
    )
    criteria = parse(text, "a.md").criteria
    assert [each.text for each in criteria] == ["prints", "exits"]
    assert "# not a heading" in criteria[0].detail


def test_each_row_of_an_nfr_is_a_criterion() -> None:
    found = parse(NFR, "NFR-P-001-speed.md")
    assert [(each.ac_id, each.text) for each in found.criteria] == [
        ("AC-1", "p95 of search (Target: 200 ms; Measured by: load test)"),
        ("AC-2", "p99 of search (Target: 500 ms)"),
    ]


def test_each_story_of_an_epic_counts_its_own_criteria() -> None:
    found = parse(EPIC, "EPIC-001-checkout.md")
    assert [(each.story, each.ac_id, each.text) for each in found.criteria] == [
        ("STORY-001-1", "AC-1", "The card is charged"),
        ("STORY-001-1", "AC-2", "A receipt is sent"),
        ("STORY-001-2", "AC-1", "An invoice is sent"),
    ]


HEAD = "---\nid: REQ-001\npriority: Must\n---\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("---\nid: REQ-001\n", "REQ-001-a.md line 1: the front matter is not closed"),
        ("---\nid: REQ-001\nnonsense\n---\n", "line 3: 'nonsense' is not a field"),
        (HEAD.replace("Must", "Perhaps"), "line 3: the priority 'Perhaps' is not known"),
        (HEAD.replace("REQ-001", "R1"), "line 2: 'R1' is no REQ-NNN"),
        (HEAD, "line 1: there are no acceptance criteria"),
        (HEAD + "## Acceptance Criteria\n", "line 5: there is no criterion here"),
        (
            HEAD + "## Acceptance Criteria\n- [ ] a\n- b\n",
            "line 7: this acceptance criterion is neither",
        ),
        (HEAD + "## Acceptance Criteria\n1. **AC-1:**\n", "line 6: this criterion says nothing"),
        ("---\nid: NFR-P-001\n---\n# a\n", "line 1: it names no target"),
        (
            "---\nid: NFR-P-001\n---\n## Metric & Target\n| M | T |\n|---|---|\n| a |\n",
            "line 7: 1 cells where 2 are needed",
        ),
        ("---\nid: EPIC-001\n---\n# a\n", "line 1: the epic has no story"),
        (
            "---\nid: EPIC-001\n---\n### STORY-1: a\n\n### STORY-2: b\n1. c\n",
            "line 4: the story has no acceptance criteria",
        ),
    ],
)
def test_a_malformed_document_names_file_and_line(text: str, words: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse(text, "REQ-001-a.md")
    assert words in caught.value.sentence
    assert caught.value.sentence.startswith("REQ-001-a.md line ")
    assert caught.value.hint


def test_the_same_id_twice_is_an_error_that_names_both_files() -> None:
    with pytest.raises(RequestError, match=r"b\.md line 1: REQ-001 is also that of a\.md"):
        each_once([parse(REQ, "a.md"), parse(REQ, "b.md")])


def test_requirements_are_known_by_their_file_names() -> None:
    names = ["REQ-001-a.md", "NFR-SC-002-b.md", "EPIC-001-c.md", "README.md", "REQ-001.txt"]
    assert [name for name in names if is_requirement(name)] == names[:3]


@pytest.mark.parametrize(
    ("priority", "status", "counts"),
    [("Must", "", True), ("Won't", "", False), ("Won’t", "", False), ("Must", "Rejected", False)],
)
def test_what_is_not_to_be_had_does_not_count(priority: str, status: str, *, counts: bool) -> None:
    text = REQ.replace("Must", priority, 1).replace("approved   # by ann", status or "approved")
    assert parse(text, "a.md").counts is counts


lines = st.lists(
    st.sampled_from(
        [
            "---",
            "id: REQ-001",
            "## Acceptance Criteria",
            "- [ ] a",
            "1. b",
            "- c",
            "```",
            "",
            "| a |",
        ]
    )
    | st.text(max_size=12),
    max_size=14,
)


@given(lines)
def test_any_text_is_a_requirement_or_an_error_with_a_line(texts: list[str]) -> None:
    found = read_or_refused("\n".join(texts))
    assert " line " in found if isinstance(found, str) else found.criteria


def read_or_refused(text: str) -> Requirement | str:
    try:
        return parse(text, "REQ-001-a.md")
    except RequestError as error:
        return error.sentence
