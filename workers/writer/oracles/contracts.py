"""Contracts that code declares: errors behind guards, errors in docs, types of what is returned.

Invariant: a guard counts only if parameters alone decide; an error of a docstring only if its
condition is understood and speaks of a parameter, else its words are kept and nothing is guarded.
"""

import re
from collections.abc import Iterator

from workers.writer.analyse.python.facts import Class, Function, Guard, Module, Parameter
from workers.writer.inputs.typed import values_of
from workers.writer.oracles.ladder import Expectation, MustAccept, MustRaise, MustReturn, Rank

_VAGUE = frozenset({"", "Any", "object", "typing.Any", "Self", "typing.Self"})
_GENERATORS = re.compile(r"(?:Async)?(?:Iterator|Iterable|Generator)\b")
_WHEN = re.compile(
    r"(?:if|when)\s+(?:the\s+|an?\s+)?`{0,2}(?P<name>\w+)`{0,2}\s+(?:is|are)\s+(?P<what>[^,;]+?)\.?$",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?P<op>less than or equal to|greater than or equal to|less than|smaller than|below|at most"
    r"|greater than|larger than|more than|above|at least|<=|>=|<|>)\s*(?P<value>-?\d+(?:\.\d+)?)$",
    re.IGNORECASE,
)
_OPS = {
    "less than": "<", "smaller than": "<", "below": "<", "at most": "<=",
    "less than or equal to": "<=", "greater than": ">", "larger than": ">", "more than": ">",
    "above": ">", "at least": ">=", "greater than or equal to": ">=",
}  # fmt: skip
_PHRASES = {
    "negative": "{name} < 0",
    "not positive": "{name} <= 0",
    "non-positive": "{name} <= 0",
    "positive": "{name} > 0",
    "zero": "{name} == 0",
    "empty": "len({name}) == 0",
    "none": "{name} is None",
    "not a string": "not isinstance({name}, str)",
    "not a str": "not isinstance({name}, str)",
    "not an integer": "not isinstance({name}, int)",
    "not an int": "not isinstance({name}, int)",
    "not a list": "not isinstance({name}, list)",
    "not a number": "not isinstance({name}, (int, float))",
}


def contracts(module: Module) -> tuple[Expectation, ...]:
    """What the functions and classes of a module declare."""
    classes = {cls.name: cls for cls in module.classes}
    found: list[Expectation] = []
    for function in module.callables():
        found += _raising(function, module.path)
        found += _documented(function, module.path)
        found += _returning(function, module.path, classes)
        found += _accepting(function, module.path, classes)
    for cls in module.classes:
        found += _validated(cls, module.path)
    return tuple(found)


def _expectation(
    target: str, what: MustRaise | MustReturn | MustAccept, path: str, line: int, sure: float = 1.0
) -> Expectation:
    return Expectation(
        rank=Rank.CONTRACT, target=target, what=what, path=path, line=line, sure=sure
    )


def _raising(function: Function, path: str) -> Iterator[Expectation]:
    if function.name == "__post_init__":
        return
    for raised in function.raised:
        if raised.settled and raised.guards:
            what = MustRaise(error=raised.error, message=raised.message, guards=raised.guards)
            yield _expectation(function.qualname, what, path, raised.line)


def _documented(function: Function, path: str) -> Iterator[Expectation]:
    for said in function.documented:
        guard = condition(said.when, function.parameters)
        what = MustRaise(
            error=said.error, guards=(guard,) if guard is not None else (), said=said.when
        )
        sure = 0.9 if guard is not None else 0.5
        yield _expectation(function.qualname, what, path, said.line, sure)


def condition(when: str, parameters: tuple[Parameter, ...]) -> Guard | None:
    """The condition that a docstring puts into words, if it is one of a few about a parameter."""
    found = _WHEN.match(" ".join(when.split()))
    if found is None or found["name"] not in {one.name for one in parameters}:
        return None
    what = found["what"].strip().strip("`").lower()
    compared = _COMPARED.match(what)
    if compared is not None:
        op = _OPS.get(compared["op"].lower(), compared["op"])
        return Guard(test=f"{found['name']} {op} {compared['value']}", holds=True)
    phrase = _PHRASES.get(what)
    return Guard(test=phrase.replace("{name}", found["name"]), holds=True) if phrase else None


def _returning(function: Function, path: str, classes: dict[str, Class]) -> Iterator[Expectation]:
    """Coroutines are awaited and generators listed before their type is asked for."""
    annotation = function.returns.strip("'\"")
    if annotation in _VAGUE or _GENERATORS.search(annotation) or function.is_generator:
        return
    values: tuple[str, ...] = ()
    cls = classes.get(annotation)
    if annotation.startswith(("Literal[", "typing.Literal[")) or (cls and cls.kind == "enum"):
        values = values_of(annotation, classes)
    what = MustReturn(annotation=annotation, values=values)
    yield _expectation(function.qualname, what, path, function.line)


def _accepting(function: Function, path: str, classes: dict[str, Class]) -> Iterator[Expectation]:
    """Each member of an enum or a Literal is taken."""
    for parameter in function.parameters:
        cls = classes.get(parameter.annotation)
        is_enum = cls is not None and cls.kind == "enum"
        if is_enum or parameter.annotation.startswith(("Literal[", "typing.Literal[")):
            values = values_of(parameter.annotation, classes)
            what = MustAccept(parameter=parameter.name, values=values)
            yield _expectation(function.qualname, what, path, function.line)


def _validated(cls: Class, path: str) -> Iterator[Expectation]:
    """What a dataclass checks after it was made, as conditions on what it is made from."""
    init = cls.method("__post_init__")
    for raised in init.raised if init is not None else ():
        if raised.settled and raised.guards:
            guards = tuple(
                Guard(test=re.sub(r"\bself\.(\w+)", r"\1", one.test), holds=one.holds)
                for one in raised.guards
            )
            what = MustRaise(error=raised.error, message=raised.message, guards=guards)
            yield _expectation(cls.name, what, path, raised.line)
