"""Arguments that lead to an error, and those that just miss it.

For each `raise` that parameters alone decide, values are tried, by our own evaluator, until all its
conditions are as they must be; then, for each condition, until it alone is not. Invariant: `hits`
says what the evaluator found, never a guess; conditions that it does not understand give nothing.
"""

import ast
from collections.abc import Iterator, Mapping
from itertools import islice, product

import msgspec

from workers.writer.analyse.python.facts import Function, Guard, Raised
from workers.writer.inputs.evaluate import Unknown, holds
from workers.writer.inputs.samples import Arguments, Origin, Sample

_MOST = 2000
_MORE = ("None", "0", "-1", "''", "[]", "1", "'maze'", "1.5", "True", "{}", "[3, 1, 2]")
"""Tried after the values of a parameter: what conditions mostly ask for."""
Pool = Mapping[str, tuple[Sample, ...]]


class Aimed(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments that were chosen for an error; `hits`: whether it should come."""

    arguments: Arguments
    raised: Raised
    hits: bool


def aimed(function: Function, pool: Pool, constants: Mapping[str, str]) -> tuple[Aimed, ...]:
    """One list that hits each error, and one that just misses it for each of its conditions."""
    fixed = {name: ast.literal_eval(text) for name, text in constants.items() if _is_literal(text)}
    return tuple(
        found
        for raised in function.raised
        if raised.settled and raised.guards
        for found in _for_one(raised, pool, fixed)
    )


def _for_one(raised: Raised, pool: Pool, fixed: Mapping[str, object]) -> Iterator[Aimed]:
    said = " and ".join(g.test if g.holds else f"not ({g.test})" for g in raised.guards)
    wanted = [_search(raised.guards, pool, fixed)]
    wanted += [
        _search(tuple(_turned(g, at == n) for n, g in enumerate(raised.guards)), pool, fixed)
        for at in range(len(raised.guards))
    ]
    for at, found in enumerate(wanted):
        if found is not None:
            why = f"{'just misses' if at else 'hits'} {raised.error}: {said}"
            values = tuple(
                (name, msgspec.structs.replace(one, origin=Origin.GUARD, why=why, line=raised.line))
                for name, one in found.items()
            )
            arguments = Arguments(values=values, why=why)
            yield Aimed(arguments=arguments, raised=raised, hits=at == 0)


def _turned(guard: Guard, turn: bool) -> Guard:
    return Guard(test=guard.test, holds=guard.holds != turn)


def _search(
    guards: tuple[Guard, ...], pool: Pool, fixed: Mapping[str, object]
) -> dict[str, Sample] | None:
    """The first values for which all conditions are as they must be."""
    names = [name for name in pool if any(_speaks_of(guard.test, name) for guard in guards)]
    columns = [_candidates(pool[name]) for name in names]
    for row in islice(product(*columns), _MOST):
        values = {name: ast.literal_eval(one.source) for name, one in zip(names, row, strict=True)}
        try:
            if all(holds(guard.test, {**fixed, **values}) is guard.holds for guard in guards):
                return dict(zip(names, row, strict=True))
        except Unknown:
            continue
    return None


def _candidates(samples: tuple[Sample, ...]) -> list[Sample]:
    more = [Sample(source=source, origin=Origin.GUARD) for source in _MORE]
    return [one for one in (*samples, *more) if _is_literal(one.source)]


def _is_literal(source: str) -> bool:
    try:
        ast.literal_eval(source)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return False
    return True


def _speaks_of(test: str, name: str) -> bool:
    tree = ast.parse(test, mode="eval")
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))
