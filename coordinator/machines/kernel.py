"""The part that every machine shares: a transition table and the one way to use it.

A table maps (step, signal) to the next step; a missing key is the illegal move. Leaves out what a
step or a signal means, which each machine says in its own file.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

S = TypeVar("S", bound=StrEnum)
G = TypeVar("G", bound=StrEnum)


class IllegalMoveError(Exception):
    """A signal that the table does not allow in this step: our own mistake, never the world's."""


def move(table: Mapping[tuple[S, G], S], step: S, signal: G) -> S:
    """The step after `signal`; raises and moves nothing if there is none."""
    try:
        return table[step, signal]
    except KeyError:
        raise IllegalMoveError(f"{signal} is not allowed in {step}") from None


def reachable(table: Mapping[tuple[S, G], S], start: S) -> set[S]:
    """Every step that some signals lead to from `start`, itself included."""
    found = {start}
    while True:
        new = {after for (before, _), after in table.items() if before in found} - found
        if not new:
            return found
        found |= new
