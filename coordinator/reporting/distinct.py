"""The same bug on many routes is one bug: the menu of all pages is broken once.

Pure, and used by everything that shows or counts bugs, so that terminal, pages and files agree.
Two sightings are one bug when their signatures are equal; a bug without a signature (a report of
an earlier version, or one that was edited) stands alone. Leaves out reading reports.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from contract.action_tree import Bug
from contract.vocabulary import Severity, Verdict

RANK = {severity: number for number, severity in enumerate(Severity)}
_SURE = {Verdict.CONFIRMED: 0, Verdict.FLAKY: 1, None: 2, Verdict.UNCHECKED: 3, Verdict.REFUTED: 4}


@dataclass(frozen=True)
class FoundBug:
    """A bug and the route it is on; `slug` names the folder of its screenshot.

    `pictured` says whether that screenshot is on disk.
    """

    route: str
    slug: str
    bug: Bug
    pictured: bool = True


@dataclass(frozen=True)
class DistinctBug:
    """One bug, wherever it shows. `first` is its worst and surest sighting, and stands for it.

    `id` is unique over all routes, also where a report was edited by hand.
    """

    id: str
    first: FoundBug
    sightings: tuple[FoundBug, ...]

    @property
    def bug(self) -> Bug:
        return self.first.bug

    @property
    def severity(self) -> Severity:
        return self.first.bug.severity

    @property
    def routes(self) -> tuple[str, ...]:
        """Where it shows, each route once, that of `first` before the others."""
        return tuple(dict.fromkeys(found.route for found in (self.first, *self.sightings)))


def distinct(found: Iterable[FoundBug]) -> tuple[DistinctBug, ...]:
    """Sightings as bugs, worst first; what the review refuted is none."""
    groups: dict[str, list[FoundBug]] = {}
    for number, item in enumerate(found):
        if item.bug.verdict is not Verdict.REFUTED:
            groups.setdefault(item.bug.signature or f"#{number}", []).append(item)
    bugs = []
    ids: set[str] = set()
    for group in sorted(groups.values(), key=lambda group: min(map(_worst_first, group))):
        first = min(group, key=_worst_first)
        bugs.append(DistinctBug(_unique(first, ids), first, tuple(group)))
    return tuple(bugs)


def _worst_first(found: FoundBug) -> tuple[int, int]:
    return RANK[found.bug.severity], _SURE[found.bug.verdict]


def _unique(found: FoundBug, ids: set[str]) -> str:
    stem, count = found.bug.id or f"BUG-{found.slug}", 1
    name = stem
    while name in ids:
        count += 1
        name = f"{stem}-{count}"
    ids.add(name)
    return name
