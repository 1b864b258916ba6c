"""Where expected values come from: examples, contracts, relations, and how far each is trusted."""

import textwrap

import pytest

from tests.workers.writer.claims import spell
from workers.writer.analyse.python import Module, read_module
from workers.writer.criteria.claims import CallRaises, CallReturns
from workers.writer.oracles.contracts import contracts
from workers.writer.oracles.examples import from_docstrings, from_markdown
from workers.writer.oracles.ladder import (
    LADDER,
    Expectation,
    MustAccept,
    MustRaise,
    MustReturn,
    Rank,
    Relation,
    strongest,
)
from workers.writer.oracles.relations import relations


def module(text: str) -> Module:
    return read_module(textwrap.dedent(text), "shop", "shop.py")


def told(found: tuple[Expectation, ...]) -> list[tuple[str, int]]:
    claims = [(one.what, one.line) for one in found]
    return [
        (spell(what), line) for what, line in claims if isinstance(what, CallReturns | CallRaises)
    ]


def related(text: str) -> dict[str, Relation]:
    found = [one.what for one in relations(module(text))]
    return {one.kind: one for one in found if isinstance(one, Relation)}


def test_the_ladder_falls_and_only_its_upper_part_may_be_red() -> None:
    weights = [LADDER[rank].weight for rank in Rank]
    assert weights == [1.0, 0.8, 0.6, 0.5, 0.3, 0.1]
    assert [rank.value for rank in Rank if LADDER[rank].may_be_red] == ["O1", "O2", "O3"]
    assert [rank.value for rank in Rank if not LADDER[rank].alone] == ["O6"]


def test_of_several_sources_the_strongest_is_asserted() -> None:
    text = 'def double(n: int) -> int:\n    """>>> double(2)\n    4\n    """\n    return n * 2\n'
    found = [*contracts(module(text)), *from_docstrings(module(text))]
    best = strongest(found)
    assert best is not None
    assert best.rank is Rank.EXAMPLE
    assert strongest([]) is None


def test_doctests_of_module_class_and_function_are_examples() -> None:
    text = '''
        """A shop.

        >>> price(2)
        4.5
        """
        class Cart:
            """
            >>> Cart().total()
            0
            """
            def total(self): ...
        def price(n):
            """
            >>> price(-1)
            Traceback (most recent call last):
            ValueError: no negative
            >>> n = 3
            >>> price(n)
            6
            >>> price(object())
            <object>
            """
        '''
    found = from_docstrings(module(text))
    assert told(found) == [
        ("price(2) -> 4.5", 4),
        ("Cart().total() -> 0", 9),
        ("price(-1) raises ValueError 'no negative'", 15),
    ]
    assert all(one.rank is Rank.EXAMPLE and one.path == "shop.py" for one in found)


README = """# Shop

Prices are rounded: `price(2)`.

```python
from shop import price
price(2)  # => 4.5
price(3)       # -> 6.75
price(4)  # returns 9.0
price(0)  # 0
price(-1)  # raises ValueError
print(price(5))  # 11.25
print(name(5))  # 'five'
price(n)  # => 3
price(2)  # rounds half up
price(2)  # 4 or 5
label = price(7)  # => 3
assert price(8) == 18.0
```

```js
add(2, 3) // 5
split("a,b") // => ["a", "b"]
```

```pycon
>>> price(10)
22.5
```

```sh
price(99)  # => 1
```

## Before 2.0

```python
price(2)  # => 4
```

## Own

```python
def price(n): return 1
price(2)  # => 1
```
"""


def test_code_in_a_readme_with_its_result_beside_it_is_an_example() -> None:
    assert told(from_markdown(README, "README.md")) == [
        ("price(2) -> 4.5", 7),
        ("price(3) -> 6.75", 8),
        ("price(4) -> 9.0", 9),
        ("price(0) -> 0", 10),
        ("price(-1) raises ValueError", 11),
        ("price(5) -> 11.25", 12),
        ("price(8) -> 18.0", 18),
        ("add(2, 3) -> 5", 22),
        ("split('a,b') -> ['a', 'b']", 23),
        ("price(10) -> 22.5", 27),
    ]


def test_what_hangs_on_a_name_that_the_examples_set_is_no_example() -> None:
    text = """```python
store = Store("a")
store.get("b")  # => 1
with open_it() as other:
    other.size()  # => 2
price(2)  # => 4.5
```
"""
    assert told(from_markdown(text, "README.md")) == [("price(2) -> 4.5", 6)]


def test_a_result_without_an_arrow_is_less_sure() -> None:
    found = {one.line: one.sure for one in from_markdown(README, "README.md")}
    assert (found[7], found[10]) == (1.0, 0.8)


def test_guards_docs_and_annotations_are_contracts() -> None:
    text = '''
        class Color(Enum):
            RED = 1
            BLUE = 2

        def paint(amount: int, color: Color) -> Literal["ok", "no"]:
            """Paints.

            Raises:
                ValueError: If amount is negative.
                KeyError: If the moon is full.
                LookupError: If amount is greater than 10.
            """
            if amount == 7:
                raise RuntimeError("seven")
            return "ok"
        '''
    found = [(one.what, one.line) for one in contracts(module(text))]
    raises = [
        (what.error, [(g.test, g.holds) for g in what.guards], line)
        for what, line in found
        if isinstance(what, MustRaise)
    ]
    assert raises == [
        ("RuntimeError", [("amount == 7", True)], 15),
        ("ValueError", [("amount < 0", True)], 10),
        ("KeyError", [], 11),
        ("LookupError", [("amount > 10", True)], 12),
    ]
    assert [what.values for what, _ in found if isinstance(what, MustReturn)] == [("'ok'", "'no'")]
    assert [what.values for what, _ in found if isinstance(what, MustAccept)] == [
        ("Color.RED", "Color.BLUE")
    ]


def test_what_a_dataclass_checks_is_a_contract_of_its_constructor() -> None:
    text = """
        @dataclass
        class Item:
            price: float
            def __post_init__(self):
                if self.price < 0:
                    raise ValueError("negative")
        """
    (found,) = [one for one in contracts(module(text)) if isinstance(one.what, MustRaise)]
    assert found.target == "Item"
    assert isinstance(found.what, MustRaise)
    assert found.what.guards[0].test == "price < 0"


@pytest.mark.parametrize("annotation", ["", "Any", "Iterator[int]", "'Self'"])
def test_an_annotation_that_says_nothing_is_no_contract(annotation: str) -> None:
    arrow = f" -> {annotation}" if annotation else ""
    assert not contracts(module(f"def f(){arrow}: return 1"))


@pytest.mark.parametrize(
    ("text", "kind", "law"),
    [
        ("def clean(s): return s", "idempotent", "clean(clean(x)) == clean(x)"),
        ("def add(a: int, b: int): return a + b", "commutative", "add(a, b) == add(b, a)"),
        ("def total(xs): return sum(xs)", "order_does_not_matter", "total(xs) == total(xs[::-1])"),
        ("def pack(x): return x\ndef unpack(x): return x", "round_trip", "unpack(pack(x)) == x"),
        ("def to_a(n): return n\ndef from_a(s): return s", "round_trip", "from_a(to_a(x)) == x"),
        ("def get(k): return k\nasync def get_async(k): return k", "async_twin", ""),
        ("class S:\n def push(self, x): ...\n def pop(self): ...", "undoes", ""),
        ("def f(a, b=1): return a", "explicit_default", ""),
    ],
)  # fmt: skip
def test_a_name_suggests_a_relation_that_is_never_red(text: str, kind: str, law: str) -> None:
    relation = related(text)[kind]
    assert (relation.law, relation.words) == (law, "")
    assert not any(one.may_be_red for one in relations(module(text)))


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Tidies. This is idempotent.", "idempotent"),
        ("Returns the words sorted.", "sorted"),
        ("Returns a list without duplicates.", "unique"),
        ("The result is never negative.", "not_negative"),
        ("Returns a score between 0 and 1.", "share"),
        ("Looks it up; case-insensitive.", "case_insensitive"),
        ("Does not modify the list.", "argument_unchanged"),
        ("Returns a list of the same length.", "same_length"),
    ],
)
def test_words_of_the_docs_make_a_relation_binding(words: str, kind: str) -> None:
    text = f'def work(q):\n    """{words}"""\n    return q\n'
    (found,) = [
        one
        for one in relations(module(text))
        if isinstance(one.what, Relation) and one.what.kind == kind
    ]
    assert found.may_be_red
    assert isinstance(found.what, Relation)
    assert found.what.words in words


@pytest.mark.parametrize(
    "words",
    [
        "Not idempotent.",
        "The input must be sorted.",
        "Returns the values of a list that must be sorted.",
        "Returns them unsorted.",
        "Returns the sum. Expects unique keys.",
        "Returns a score that is not between 0 and 1.",
        "Sends a distinct mail.",
        "Returns a unique identifier.",
        "If the flag is set, returns the words sorted.",
        "Each object has no duplicates, so the result is normalised.",
        "For real files on case insensitive filesystems.",
    ],
)
def test_words_that_deny_it_or_speak_of_what_is_given_bind_nothing(words: str) -> None:
    text = f'def work(q):\n    """{words}"""\n    return q\n'
    assert not [one for one in relations(module(text)) if one.may_be_red]


def test_a_round_trip_that_the_docs_call_an_inverse_is_binding() -> None:
    text = (
        "def encode(x):\n    return x\n"
        'def decode(x):\n    """The inverse of encode."""\n    return x\n'
    )
    assert related(text)["round_trip"].words == "The inverse of encode."


@pytest.mark.parametrize(
    ("words", "binding"),
    [("A failed call leaves the stack unchanged.", True), ("The name is left unchanged.", False)],
)
def test_state_after_an_error_is_only_promised_where_errors_are_spoken_of(
    words: str, binding: bool
) -> None:
    text = (
        f'class S:\n    def pop(self, n):\n        """{words}"""\n'
        "        if n < 0:\n            raise ValueError\n        return n\n"
    )
    assert bool(related(text)["error_keeps_state"].words) is binding
