"""What functions are called with: real values first, edges, both sides of guards, nothing bad."""

import ast
import textwrap
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.writer.analyse.python import Function, Module, read_module
from workers.writer.inputs import Origin, inputs_for
from workers.writer.inputs.boundaries import of_length
from workers.writer.inputs.evaluate import Unknown, holds
from workers.writer.inputs.guards import aimed
from workers.writer.inputs.pairwise import CAP, pairwise
from workers.writer.inputs.refused import refused
from workers.writer.inputs.synthesis import Written, called_with, samples_for
from workers.writer.inputs.typed import values_of

SHOP = """
from enum import Enum
LIMIT = 100

class Color(Enum):
    RED = 1
    BLUE = 2

@dataclass
class Item:
    name: str
    price: float
    tags: list[str] = field(default_factory=list)

class Basket:
    def __init__(self, items: list[Item], owner: str = ""): ...
"""


def module(text: str) -> Module:
    return read_module(textwrap.dedent(text), "m", "m.py")


def spelled(text: str, written: tuple[Written, ...] = ()) -> list[str]:
    found = module(text)
    function = found.functions[-1]
    parameters = called_with(function)
    return [one.spelled(parameters) for one in inputs_for(function, found, written=written)]


def pool(text: str, name: str) -> list[str]:
    found = module(text)
    function = found.functions[0]
    parameter = next(one for one in function.parameters if one.name == name)
    constants = {one.name: one.default or "" for one in found.constants}
    return [one.source for one in samples_for(parameter, function, {}, constants)]


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        ("bool", ("True", "False")),
        ("int | None", ("3", "0", "1", "-1", "None")),
        ("Optional[bool]", ("True", "False", "None")),
        ("Literal['a', 2]", ("'a'", "2")),
        ("list[int]", ("[3, 1, 2]", "[]", "[3]")),
        ("Sequence[str]", ("['c', 'a', 'b']", "[]", "['c']")),
        ("set[int]", ("{3, 1, 2}", "set()", "{3}")),
        ("dict[str, int]", ("{'c': 3, 'a': 0, 'b': 1}", "{}", "{'c': 3}")),
        ("tuple[int, str]", ("(3, 'maze')", "(0, '')", "(1, 'Two words')")),
        ("tuple[int, ...]", ("(3, 1, 2,)", "()")),
        ("'Color'", ("Color.RED", "Color.BLUE")),
        ("Callable[[int], int]", ("lambda value: value",)),
        ("Path", ("tmp_path / 'maze.txt'",)),
        ("Annotated[bool, 'x']", ("True", "False")),
        ("Stranger", ()),
        ("][", ()),
    ],
)
def test_a_type_gives_values(annotation: str, values: tuple[str, ...]) -> None:
    classes = {cls.name: cls for cls in module(SHOP).classes}
    assert values_of(annotation, classes) == values


def test_an_object_is_made_by_its_constructor() -> None:
    classes = {cls.name: cls for cls in module(SHOP).classes}
    assert values_of("Item", classes)[0] == "Item(name='maze', price=2.5)"
    assert values_of("Basket", classes)[1] == "Basket(items=[])"


def test_what_holds_itself_comes_to_an_end() -> None:
    classes = {cls.name: cls for cls in module("@dataclass\nclass N:\n next: list[N]").classes}
    assert all(len(value) < 200 for value in values_of("N", classes))


@pytest.mark.parametrize(
    ("body", "name", "wanted"),
    [
        ("return n > 10", "n", {"9", "10", "11"}),
        ("return 10 > n", "n", {"9", "10", "11"}),
        ("return n > LIMIT", "n", {"99", "100", "101"}),
        ("return x < 0.5", "x", {"0.499", "0.5", "0.501"}),
        ("return len(text) < 3 and text.strip()", "text", {"'ca'", "'cab'", "'cabd'"}),
        ("return len(xs) < 3 and xs[0]", "xs", {"[2, 1]", "[1, 2, 3]"}),
        ("return n % 7", "n", {"0", "6", "7", "8"}),
        ("return s.split(';')", "s", {"'maze'", "'ma;ze'", "'m;a;ze'", "';maze'", "'ma;;ze'"}),
        ("return d['k']", "d", {"{'k': 3}", "{}"}),
        ("return c in ('a', 'b')", "c", {"'a'", "'b'", "'maze-other'"}),
        ("return round(x, 2)", "x", {"2.075", "1.075"}),
        ("return mode == 'fast'", "mode", {"'fast'", "'fastx'", "'FAST'"}),
    ],
)
def test_the_edges_that_a_body_shows_are_tried(body: str, name: str, wanted: set[str]) -> None:
    found = set(pool(f"LIMIT = 100\ndef f({name}):\n    {body}", name))
    if name == "xs":
        assert {len(ast.literal_eval(one)) for one in found} >= {2, 3, 4}
    else:
        assert wanted <= found


@given(st.integers(0, 30), st.sampled_from(["str", "list", "tuple", "dict", "set", "bytes"]))
def test_a_value_of_a_length_has_it(length: int, kind: str) -> None:
    assert (
        len(ast.literal_eval(of_length(length, kind)) if length or kind != "set" else ()) == length
    )


GUARDED = """
def withdraw(amount: int, limit: int = 10, name=None):
    if amount <= 0 or amount > 500:
        raise ValueError("no")
    if limit is not None and amount > limit:
        raise LookupError
    if not isinstance(name, str):
        raise TypeError
    if len(name) < 3:
        raise KeyError
"""


def _runs_into(arguments: dict[str, object]) -> type[Exception] | None:
    room: dict[str, object] = {}
    exec(compile(GUARDED, "guarded", "exec"), room)  # noqa: S102  the text above, nobody else's
    withdraw = room["withdraw"]
    assert callable(withdraw)
    try:
        withdraw(**arguments)
    except (ValueError, LookupError, TypeError) as error:
        return type(error)
    return None


def test_each_error_is_hit_and_just_missed() -> None:
    found = module(GUARDED)
    function = found.functions[0]
    values = {p.name: samples_for(p, function, {}, {}) for p in function.parameters}
    aims = aimed(function, values, {})
    assert {one.raised.error for one in aims} == {
        "ValueError",
        "LookupError",
        "TypeError",
        "KeyError",
    }
    for one in aims:
        given_ = {name: ast.literal_eval(sample.source) for name, sample in one.arguments.values}
        if one.hits:
            full = {"amount": 1, "name": "maze"} | given_
            raised = _runs_into(full)
            assert raised is not None
            assert raised.__name__ == one.raised.error
        assert one.arguments.values[0][1].origin is Origin.GUARD


@pytest.mark.parametrize(
    ("test", "values", "expected"),
    [
        ("x < 3 and not y", {"x": 2, "y": []}, True),
        ("0 <= x <= 10", {"x": 11}, False),
        ("x % 2 == 0 or x in (1, 2)", {"x": 1}, True),
        ("isinstance(x, (int, str))", {"x": "a"}, True),
        ("x is None", {"x": None}, True),
        ("len(x.strip()) == 0", {"x": "  "}, True),
        ("-x > 2", {"x": -3}, True),
    ],
)
def test_conditions_are_decided(test: str, values: dict[str, object], expected: bool) -> None:
    assert holds(test, values) is expected


@pytest.mark.parametrize(
    "test", ["f(x)", "x.secret", "x ** 99999", "y", "x <", "x + 'a'", "__import__('os')", "x[0]"]
)
def test_what_is_not_understood_is_not_decided(test: str) -> None:
    with pytest.raises(Unknown):
        holds(test, {"x": 3})


def test_what_people_wrote_comes_first() -> None:
    text = """
    def add(a, b=0):
        '''>>> add(40, b=2)
        42
        '''
        return a + b
    """
    written = (Written(text="assert add(7, 8) == 15\nadd(x, 1)", origin=Origin.CALL_SITE),)
    assert spelled(text, written=written)[:2] == ["40, 2", "7, 8"]


def test_defaults_and_each_optional_alone_are_always_there() -> None:
    found = spelled("def f(a: int, b: int = 5, *, c: bool = False): return a")
    assert {"3", "3, 3", "3, c=True"} <= set(found)


def test_members_none_and_empty_are_always_there() -> None:
    text = SHOP + "def f(c: Color, xs: list[int] | None, n: int = 1): return c"
    found = spelled(text)
    for wanted in ("Color.RED", "Color.BLUE", "None", "[]"):
        assert any(wanted in one for one in found)


def test_there_are_never_too_many_and_never_two_alike() -> None:
    names = ", ".join(f"p{n}: int" for n in range(6))
    found = spelled(f"def f({names}): return 1")
    assert len(found) == len(set(found)) <= CAP


def test_the_same_function_gets_the_same_inputs() -> None:
    assert spelled(GUARDED) == spelled(GUARDED)


def test_without_a_value_for_a_parameter_there_are_no_inputs() -> None:
    assert spelled("def f(a: Stranger, b: int): return b") == []


def test_every_argument_list_is_python_and_fits_the_signature() -> None:
    text = SHOP + "def f(a, /, b: Item, *, c: str = 'x', d: Color | None = None): return a"
    found = spelled(text)
    assert found
    for one in found:
        ast.parse(f"f({one})", mode="eval")


@pytest.mark.parametrize(
    "source",
    [
        "'/etc/passwd'",
        "'~/x'",
        "'../x'",
        "'C:\\\\x'",
        "'https://shop.com/'",
        "'ftp://a'",
        "'ann@gmail.com'",
        "'; rm -rf x'",
        "'$(id)'",
        "MagicMock()",
        "mock.Mock()",
        "[1, '/srv/x']",
        "x +",
    ],
)
def test_what_could_do_harm_is_refused(source: str) -> None:
    assert refused(source)


@pytest.mark.parametrize(
    "source",
    [
        "'maze'",
        "'http://localhost:8000/x'",
        "'maze@example.invalid'",
        "'a/b'",
        "'/'",
        "'1; 2'",
        "tmp_path / 'maze.txt'",
        "Item(name='a', price=2.5)",
    ],
)
def test_what_is_harmless_is_not(source: str) -> None:
    assert not refused(source)


def test_no_sample_of_our_own_is_refused() -> None:
    text = "def f(url, path, email, name, key, sep, items): return url"
    found = module(text).functions[0]
    for parameter in found.parameters:
        assert samples_for(parameter, found, {}, {})


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_any_two_values_meet(sizes: list[int]) -> None:
    rows = pairwise(sizes, cap=10_000)
    for a, b in combinations(range(len(sizes)), 2):
        assert {(row[a], row[b]) for row in rows} == {
            (i, j) for i in range(sizes[a]) for j in range(sizes[b])
        }


@given(st.lists(st.integers(1, 12), min_size=1, max_size=8))
def test_the_cap_leaves_each_value_in(sizes: list[int]) -> None:
    rows = pairwise(sizes)
    assert len(rows) <= CAP
    for at, size in enumerate(sizes):
        assert {row[at] for row in rows} == set(range(size))


def _function(text: str) -> Function:
    return module(text).functions[0]


@pytest.mark.parametrize(
    ("text", "first", "origin"),
    [
        ("def f(n=2.5): return n", "2.5", Origin.DEFAULT),
        ('def f(q):\n  """:param int q: it"""\n  return q', "3", Origin.TYPE),
        ("def f(q): return q.upper()", "'maze'", Origin.USE),
        ("def f(q): return q.items()", "{'c': 3, 'a': 0, 'b': 1}", Origin.USE),
        ("def f(q):\n  for one in q: print(one)", "[3, 1, 2]", Origin.USE),
        ("def f(q): return q % 3", "3", Origin.USE),
        ("def f(user_email): return user_email", "'maze@example.invalid'", Origin.NAME),
        ("def f(zork): return zork", "3", Origin.LADDER),
    ],
)
def test_a_type_is_guessed_from_what_there_is(text: str, first: str, origin: Origin) -> None:
    function = _function(text)
    sample = samples_for(function.parameters[0], function, {}, {})[0]
    assert (sample.source, sample.origin) == (first, origin)
