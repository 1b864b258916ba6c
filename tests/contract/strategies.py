"""Hypothesis strategies for the structs of the contract, read from their annotations.

Invariant: whatever a type allows can be drawn, within what JSON can carry (no NaN, 53-bit integers,
whole microseconds).
"""

import enum
import types
from datetime import UTC, datetime
from functools import cache
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

_LEAVES: dict[object, st.SearchStrategy[Any]] = {
    str: st.text(max_size=12),
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
    datetime: st.datetimes(timezones=st.just(UTC)),
}


@cache
def of(type_: Any) -> st.SearchStrategy[Any]:
    """Values of a type: a leaf, an enum, a struct, or a collection of those."""
    if type_ in _LEAVES:
        return _LEAVES[type_]
    if isinstance(type_, NewType):
        return of(type_.__supertype__)
    if get_origin(type_) in {Union, types.UnionType}:
        return st.one_of(*(of(choice) for choice in get_args(type_)))
    if get_origin(type_) is tuple:
        return st.lists(st.deferred(lambda: of(get_args(type_)[0])), max_size=2).map(tuple)
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return st.sampled_from(type_)
    return _struct(type_)


def _struct(type_: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(type_)
    fields = {name: hints[name] for name in type_.__struct_fields__}
    return st.builds(type_, **{name: of(hint) for name, hint in fields.items()})
