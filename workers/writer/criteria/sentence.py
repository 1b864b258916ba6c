"""A sentence that forms are tried on.

`text` is what is parsed, `said` what was written. `domain` is what a "for all" in it said; None
means that there was no such word.
"""

from collections.abc import Callable

import msgspec

from workers.writer.criteria.claims import Bound, Claim


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    said: str = ""
    line: int = 1
    domain: tuple[Bound, ...] | None = None


Found = tuple[Claim, int]
Form = Callable[[Sentence, int], Found | None]
"""A form takes where to begin and gives a claim and where it ended, or None."""
