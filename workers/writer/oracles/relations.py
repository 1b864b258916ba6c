"""Relations that may hold of one function, or between two: O3.

Invariant: `words` quotes the sentence of the docs that says it; a sentence that denies it, or that
speaks of what is given rather than of what comes, does not count. Without such a sentence only
names suggest a relation, and it never turns a test red.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

import msgspec

from workers.writer.analyse.python.facts import Class, Function, Module
from workers.writer.inputs.synthesis import called_with
from workers.writer.oracles.ladder import Expectation, Rank, Relation

_PAIRS = (
    ("encode", "decode"), ("serialize", "deserialize"), ("dumps", "loads"), ("dump", "load"),
    ("compress", "decompress"), ("encrypt", "decrypt"), ("escape", "unescape"), ("pack", "unpack"),
    ("quote", "unquote"), ("format", "parse"), ("to", "from"), ("marshal", "unmarshal"),
    ("flatten", "unflatten"), ("render", "parse"), ("stringify", "parse"), ("wrap", "unwrap"),
)  # fmt: skip
_STATES = (
    ("add", "remove"), ("push", "pop"), ("open", "close"), ("insert", "delete"), ("lock", "unlock"),
    ("enable", "disable"), ("start", "stop"), ("append", "pop"), ("deposit", "withdraw"),
    ("increment", "decrement"), ("undo", "redo"), ("subscribe", "unsubscribe"),
)  # fmt: skip
_INVERSE = re.compile(
    r"\b(?:inverse|round[- ]?trips?|reverses|opposite of|undoes)\b", re.IGNORECASE
)
_UNCHANGED = re.compile(
    r"\b(?:unchanged|left as it was|state is kept|not changed)\b", re.IGNORECASE
)
_DENIED = re.compile(
    r"\b(?:not|n't|never|no longer|without being|need not|may)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_RESULT = re.compile(
    r"\b(?:returns?|returned|result|yields?|output|gives?)\b|^\s*(?:sorted|unique)", re.IGNORECASE
)
_GIVEN = re.compile(
    r"\b(?:must be|has to be|expects?|assum\w+|requires?|given an?|input)\b", re.IGNORECASE
)
_ERROR = re.compile(r"\b(?:error|exception|rais\w+|fail\w*|reject\w*)\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|when|unless|optionally|can be|depending)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.;!])\s+|\n\s*\n|\n(?=\s*(?:[-*:]|>>>))")


class _Rule(msgspec.Struct, frozen=True):
    law: str
    names: tuple[str, ...]
    words: str
    anywhere: bool = False


@cache
def _rules() -> Mapping[str, _Rule]:
    text = resources.files(__package__).joinpath("relations.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, _Rule])


def relations(module: Module) -> tuple[Expectation, ...]:
    """The relations that a module's names or docs suggest."""
    found: list[Expectation] = []
    for function in module.callables():
        if function.is_public and not function.name.startswith("__"):
            found += _of_one(function, module.path)
    found += _round_trips(module.functions, module.path)
    found += _twins(module)
    for cls in module.classes:
        found += _of_class(cls, module.path)
    return tuple(found)


def _expectation(relation: Relation, path: str, line: int) -> Expectation:
    return Expectation(
        rank=Rank.RELATION,
        target=relation.targets[0],
        what=relation,
        path=path,
        line=line,
        sure=0.8 if relation.words else 0.4,
    )


def _of_one(function: Function, path: str) -> Iterator[Expectation]:
    name_words = set(function.name.lower().split("_"))
    for kind, rule in _rules().items():
        if not _fits(kind, function):
            continue
        words = _said(function.docstring, rule)
        if words or name_words & set(rule.names):
            law = re.sub(r"\bf\(", f"{function.qualname}(", rule.law)
            yield _expectation(
                Relation(kind=kind, targets=(function.qualname,), law=law, words=words),
                path,
                function.line,
            )
    if any(one.default is not None for one in called_with(function)):
        relation = Relation(kind="explicit_default", targets=(function.qualname,))
        yield _expectation(relation, path, function.line)


def _fits(kind: str, function: Function) -> bool:
    """Whether a law can be written for a signature at all."""
    required = [one for one in called_with(function) if one.required]
    if not function.returns_a_value and not function.is_generator and kind != "growing":
        return False
    if kind == "commutative":
        return len(required) == 2 and required[0].annotation == required[1].annotation
    if kind == "idempotent":
        same = function.returns in {"", required[0].annotation} if required else False
        return len(required) == 1 and (same or not required[0].annotation)
    return len(required) >= 1


def _said(docstring: str, rule: _Rule) -> str:
    """The sentence that says it, or nothing."""
    words = re.compile(rf"(?<!\w)(?:{rule.words})(?!\w)", re.IGNORECASE)
    for part in _SENTENCE.split(docstring):
        sentence = " ".join(part.split())
        found = words.search(sentence)
        if found is None or _DENIED.search(sentence[: found.start()]):
            continue
        result = _RESULT.search(sentence[: found.end()])
        if _IF.search(sentence):
            continue
        if rule.anywhere or (result is not None and not _GIVEN.search(sentence)):
            return sentence[:200]
    return ""


def _round_trips(functions: tuple[Function, ...], path: str) -> Iterator[Expectation]:
    """`decode(encode(x)) == x`: names that differ in one word of a pair only."""
    by_words = {tuple(one.name.split("_")): one for one in functions if one.is_public}
    for words, there in by_words.items():
        for forth, back in _PAIRS:
            if forth not in words:
                continue
            turned = by_words.get(tuple(back if word == forth else word for word in words))
            if turned is not None and turned is not there:
                yield _round_trip(there, turned, path)
    for words, there in by_words.items():  # `celsius_to_kelvin`, `kelvin_to_celsius`
        if len(words) == 3 and words[1] == "to" and words[0] < words[2]:
            turned = by_words.get((words[2], "to", words[0]))
            if turned is not None:
                yield _round_trip(there, turned, path)


def _round_trip(there: Function, back: Function, path: str) -> Expectation:
    rule = _Rule(law="", names=(), words=_INVERSE.pattern, anywhere=True)
    words = _said(there.docstring, rule) or _said(back.docstring, rule)
    law = f"{back.name}({there.name}(x)) == x"
    relation = Relation(kind="round_trip", targets=(there.name, back.name), law=law, words=words)
    return _expectation(relation, path, there.line)


def _twins(module: Module) -> Iterator[Expectation]:
    """A function and its asynchronous twin."""
    plain = {one.qualname: one for one in module.callables() if not one.is_async}
    for twin in module.callables():
        owner, dot, name = twin.qualname.rpartition(".")
        bases = {name.removesuffix("_async"), name.removeprefix("async_"), name.removeprefix("a")}
        for base in sorted(bases - {name}):
            other = plain.get(f"{owner}{dot}{base}")
            if twin.is_async and other is not None:
                targets = (other.qualname, twin.qualname)
                yield _expectation(
                    Relation(kind="async_twin", targets=targets), module.path, twin.line
                )


def _of_class(cls: Class, path: str) -> Iterator[Expectation]:
    """Pairs that undo each other, equality and hash, texts of objects, state after errors."""
    methods = {one.name: one for one in cls.methods}
    for forth, back in _STATES:
        if forth in methods and back in methods:
            one, other = methods[forth], methods[back]
            rule = _Rule(law="", names=(), words=_INVERSE.pattern, anywhere=True)
            words = _said(one.docstring, rule) or _said(other.docstring, rule)
            targets = (one.qualname, other.qualname)
            yield _expectation(
                Relation(kind="undoes", targets=targets, words=words), path, one.line
            )
    if {"__eq__", "__hash__"} <= methods.keys():
        law = "a != b or hash(a) == hash(b)"
        relation = Relation(kind="equal_hash", targets=(cls.name,), law=law)
        yield _expectation(relation, path, cls.line)
    for name in ("__str__", "__repr__"):
        if name in methods:
            relation = Relation(kind="text_is_total", targets=(methods[name].qualname,))
            yield _expectation(relation, path, methods[name].line)
    for method in cls.methods:
        if method.raised and method.is_public and not method.name.startswith("__"):
            words = _said(method.docstring, _Rule("", (), _UNCHANGED.pattern, anywhere=True))
            words = words if _ERROR.search(words) else ""
            relation = Relation(kind="error_keeps_state", targets=(method.qualname,), words=words)
            yield _expectation(relation, path, method.line)
