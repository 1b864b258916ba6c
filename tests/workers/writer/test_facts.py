"""Facts of Python sources: what is found, what decides purity, what depends on what."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.writer.analyse.python import Function, Module, read_module
from workers.writer.analyse.python.facts import Parameter
from workers.writer.analyse.python.links import link
from workers.writer.analyse.python.purity import Purity, judge
from workers.writer.analyse.python.surface import surface


def module(text: str, name: str = "shop", path: str = "shop.py") -> Module:
    return read_module(textwrap.dedent(text), name, path)


def function(text: str) -> Function:
    return module(text).functions[0]


def test_a_signature_is_read_with_kinds_annotations_and_defaults() -> None:
    found = function("def f(a, /, b: int = 2, *rest, c: str = 'x', **more) -> bool: ...")
    assert found.parameters == (
        Parameter(name="a", kind="positional_only"),
        Parameter(name="b", annotation="int", default="2"),
        Parameter(name="rest", kind="var_positional"),
        Parameter(name="c", kind="keyword_only", annotation="str", default="'x'"),
        Parameter(name="more", kind="var_keyword"),
    )
    assert found.returns == "bool"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("@dataclass\nclass A:\n x: int = 1", "dataclass"),
        ("import dataclasses as d\n@d.dataclass(frozen=True)\nclass A:\n x: int", "dataclass"),
        ("class A(enum.Enum):\n RED = 1", "enum"),
        ("class A(NamedTuple):\n x: int", "named_tuple"),
        ("class A(TypedDict):\n x: int", "typed_dict"),
        ("class A(BaseModel):\n x: int", "model"),
        ("class A(Protocol[T]):\n def f(self): ...", "protocol"),
        ("class A(ValueError): ...", "exception"),
        ("class A(Base): ...", "class"),
    ],
)
def test_a_class_is_known_for_what_it_is(text: str, kind: str) -> None:
    assert module(text).classes[0].kind == kind


def test_fields_members_and_methods_are_told_apart() -> None:
    found = module(
        """
        class Color(Enum):
            RED = 1
            BLUE = "b"
            _hidden = 3
            def shade(self): ...
            @classmethod
            def parse(cls, text): ...
            @property
            def dark(self): return True
        """
    ).classes[0]
    assert [(m.name, m.default) for m in found.members] == [("RED", "1"), ("BLUE", "'b'")]
    assert [(m.name, m.kind) for m in found.methods] == [
        ("shade", "method"),
        ("parse", "class"),
        ("dark", "property"),
    ]


def test_a_raise_comes_with_all_conditions_that_lead_to_it() -> None:
    found = function(
        """
        def withdraw(amount, limit=10):
            if amount <= 0:
                raise ValueError("must be positive")
            if amount > limit:
                if limit is None:
                    raise TypeError(f"no limit for {amount} at all")
                return 0
            raise LookupError
        """
    ).raised
    told = [(r.error, r.message, [(g.test, g.holds) for g in r.guards], r.settled) for r in found]
    low, high, none = "amount <= 0", "amount > limit", "limit is None"
    assert told == [
        ("ValueError", "must be positive", [(low, True)], True),
        ("TypeError", "no limit for", [(low, False), (high, True), (none, True)], True),
        ("LookupError", "", [(low, False), (high, False)], True),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "for x in xs:\n  if x < 0:\n   raise ValueError",
        "xs = clean(xs)\n if xs is None:\n  raise ValueError",
        "if load(xs):\n  raise ValueError",
        "try:\n  go(xs)\n except KeyError:\n  raise ValueError from None",
        "for x in xs:\n  return x\n raise ValueError",
    ],
)
def test_a_raise_that_more_than_parameters_decide_is_not_settled(body: str) -> None:
    assert [r.settled for r in function(f"def f(xs):\n {body}").raised] == [False]


def test_an_assertion_is_an_error_when_it_fails() -> None:
    (found,) = function("def f(n):\n assert n > 0, 'positive'").raised
    assert (found.error, found.message, found.guards[0].holds) == (
        "AssertionError",
        "positive",
        False,
    )


def test_what_the_body_compares_and_uses_is_found() -> None:
    found = function(
        """
        def f(text, n, d):
            if len(text) < 3 or 10 >= n or n in (1, 2):
                return text[:5] + d["key"] + d.get("other")
            if n % 7 == 0 and text.startswith("ab"):
                return round(n, 2)
            for letter in text: re.sub(r"\\d+", "", letter)
            d["new"] = 1
        """
    )
    assert [(c.subject, c.op, c.constant) for c in found.compared] == [
        ("len(text)", "<", "3"),
        ("n", "<=", "10"),
        ("n", "in", "(1, 2)"),
        ("n % 7", "==", "0"),
    ]
    used = {(u.subject, u.how, u.what) for u in found.used}
    assert {
        ("text", "slice", "5"),
        ("d", "key", "'key'"),
        ("d", "key", "'other'"),
        ("n", "modulo", "7"),
        ("text", "method:startswith", "'ab'"),
        ("n", "rounded", "2"),
        ("text", "iterated", ""),
    } <= used
    assert found.patterns == ("\\d+",)
    assert found.arguments_changed == ("d",)
    assert found.returns_a_value


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("Does.\n\n    :raises ValueError: if negative\n", [("ValueError", "if negative")]),
        (
            (
                "Does.\n\n    Raises:\n        ValueError: if a\n            or b.\n"
                "        KeyError: if c\n"
            ),
            [("ValueError", "if a or b."), ("KeyError", "if c")],
        ),
        (
            "Does.\n\n    Raises\n    ------\n    ValueError\n        If negative.\n",
            [("ValueError", "If negative.")],
        ),
        ("Raises the bar.", []),
        ("Does.\n\n    Raises:\n        nothing at all\n", []),
    ],
)
def test_errors_are_read_from_a_docstring(text: str, errors: list[tuple[str, str]]) -> None:
    found = function(f'def f(n):\n    """{text}"""').documented
    assert [(one.error, one.when) for one in found] == errors


def test_doctests_are_read_with_their_lines() -> None:
    found = function(
        '''
        def f(n):
            """Doubles.

            >>> f(2)
            4
            >>> f(None)
            Traceback (most recent call last):
                ...
            TypeError: no
            >>> f(9)  # doctest: +SKIP
            1
            >>> f(7)
            [0, ..., 7]
            """
        '''
    ).examples
    assert [(e.source, e.want, e.error, e.line) for e in found] == [
        ("f(2)", "4", "", 5),
        ("f(None)", "", "TypeError: no", 7),
    ]


@pytest.mark.parametrize(
    ("text", "purity"),
    [
        ("def f(x): return x + 1", Purity.PURE),
        ("import time\ndef f(): return time.time()", Purity.FROZEN),
        ("from datetime import datetime as dt\ndef f(): return dt.now()", Purity.FROZEN),
        ("from datetime import datetime\ndef f(): return datetime(2024, 1, 1)", Purity.PURE),
        ("import random\ndef f(): return random.random()", Purity.FROZEN),
        ("import random\ndef f(n): return random.Random(n).random()", Purity.PURE),
        ("import os\ndef f(): return os.environ['HOME']", Purity.FROZEN),
        ("COUNT = 0\ndef f():\n global COUNT\n COUNT += 1", Purity.FROZEN),
        ("CACHE = {}\ndef f(k): CACHE[k] = 1", Purity.FROZEN),
        ("def f(p): return open(p).read()", Purity.FILES),
        ("from pathlib import Path\ndef f(p): return Path(p).read_text()", Purity.FILES),
        ("import requests\ndef f(u): return requests.get(u)", Purity.OUTSIDE),
        ("import subprocess as sp\ndef f(): sp.run(['ls'])", Purity.OUTSIDE),
        ("import sqlite3\ndef f(): sqlite3.connect('x')", Purity.OUTSIDE),
        ("def f(): return g()\ndef g(): return h()\ndef h(): open('x')", Purity.FILES),
        ("def f(): return g()\ndef g(): return f()", Purity.PURE),
        ("import socket\nS = socket.create_connection(('a', 1))\ndef f(): ...", Purity.AT_IMPORT),
        ("def f(): ...\ndef go(): open('x')\ngo()", Purity.AT_IMPORT),
        ("def f(): ...\nif __name__ == '__main__':\n open('x')", Purity.PURE),
        ("import time\nSTART = time.time()\ndef f(): ...", Purity.PURE),
    ],
)
def test_purity_is_judged_by_what_is_reached(text: str, purity: Purity) -> None:
    assert judge([module(text)])["shop.f"].purity is purity


def test_a_judgement_says_what_decided_it() -> None:
    (reason,) = judge([module("def f(): return g()\ndef g(): open('x')")])["shop.f"].because
    assert (reason.what, reason.line, reason.via) == ("open", 2, "shop.g")


def test_what_most_depends_on_is_first_on_the_surface() -> None:
    low = module(
        "def clean(x): ...\ndef _own(x): ...\ndef other(x): ...", "shop.low", "shop/low.py"
    )
    high = module(
        "from .low import clean\nfrom . import low\n"
        "def buy(x): return low.other(clean(x))\ndef sell(x): return clean(x)",
        "shop.high",
        "shop/high.py",
    )
    tests = module("def test_it(): ...", "tests.test_shop")
    found = [(t.qualname, t.dependants) for t in surface([low, high, tests])]
    assert found == [("clean", 2), ("other", 1), ("buy", 0), ("sell", 0)]


def test_modules_that_import_each_other_are_no_trouble() -> None:
    one = module("import b\ndef f(): return b.g()", "a")
    two = module("import a\ndef g(): return a.f()", "b")
    assert link([one, two]).callers["a.f"] == {"b.g"}
    assert {t.dependants for t in surface([one, two])} == {1}


def test_what_does_not_parse_is_told_with_its_line() -> None:
    found = module("def f():\n  return 1\n\ndef g(:\n")
    assert found.trouble is not None
    assert found.trouble.line == 4
    assert found.functions == ()


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "x = " + "1 + " * 20000 + "1",
        "x = " + "[" * 150 + "]" * 150,
        "if a:\n x\n" + "elif b:\n y\n" * 2000,
        "\0",
        "\ufeffx = 1",
        "def f():\n" + "".join(f"{' ' * n}if x:\n" for n in range(1, 90)) + " " * 91 + "raise E",
    ],
)
def test_deep_nesting_gives_facts_or_trouble_and_never_an_error(text: str) -> None:
    assert isinstance(read_module(text, "m"), Module)


def test_a_module_of_ten_thousand_lines_is_read_whole() -> None:
    text = "".join(
        f"def f{n}(a, b={n}):\n    if a > {n}:\n        raise ValueError\n\n" for n in range(2500)
    )
    found = read_module(text, "m")
    assert len(found.functions) == 2500
    assert len(judge([found])) == 2500


@given(st.text("def f(x):\n return=+-[]{}\"'#@classyield", max_size=60))
def test_any_text_gives_a_module(text: str) -> None:
    assert isinstance(read_module(text, "m"), Module)
