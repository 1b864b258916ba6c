"""A covering array: few rows in which any two values of two parameters meet at least once.

Invariant: deterministic; never more rows than the cap; without the cap every pair is met. The first
rows hold each value once, so that a cap leaves out pairs rather than values. Then greedy: a row
begins with the first pair that has not met, and takes for each other parameter the value that makes
most new pairs meet.
"""

from collections.abc import Sequence
from itertools import combinations

CAP = 40
Pair = tuple[int, int, int, int]


def pairwise(sizes: Sequence[int], cap: int = CAP) -> list[tuple[int, ...]]:
    """Rows of indices; `sizes` says how many values each parameter has."""
    if not sizes or min(sizes) < 1:
        return []
    if len(sizes) == 1:
        return [(value,) for value in range(min(sizes[0], cap))]
    open_pairs: dict[Pair, None] = {
        (a, i, b, j): None
        for a, b in combinations(range(len(sizes)), 2)
        for i in range(sizes[a])
        for j in range(sizes[b])
    }
    rows = [tuple(at % size for size in sizes) for at in range(min(max(sizes), cap))]
    for row in rows:
        for pair in _pairs(row):
            open_pairs.pop(pair, None)
    while open_pairs and len(rows) < cap:
        row = _row(next(iter(open_pairs)), sizes, open_pairs)
        for pair in _pairs(row):
            open_pairs.pop(pair, None)
        rows.append(row)
    return rows


def _row(first: Pair, sizes: Sequence[int], open_pairs: dict[Pair, None]) -> tuple[int, ...]:
    a, i, b, j = first
    chosen = {a: i, b: j}
    for at in range(len(sizes)):
        if at not in chosen:
            chosen[at] = max(range(sizes[at]), key=lambda v: (_gain(at, v, chosen, open_pairs), -v))
    return tuple(chosen[at] for at in range(len(sizes)))


def _gain(at: int, value: int, chosen: dict[int, int], open_pairs: dict[Pair, None]) -> int:
    """How many pairs that have not met a value would make meet."""
    return sum(
        ((at, value, other, held) if at < other else (other, held, at, value)) in open_pairs
        for other, held in chosen.items()
    )


def _pairs(row: tuple[int, ...]) -> list[Pair]:
    return [(a, row[a], b, row[b]) for a, b in combinations(range(len(row)), 2)]
