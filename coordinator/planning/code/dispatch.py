"""The one door to reading a project's code: decides who reads what, and says so.

Several frameworks in one repository are all read. A fault in one reader's own logic on a strange
project is not caught here: readers refuse by notes.
"""

from collections.abc import Callable, Iterable

import msgspec

from coordinator.planning.code import (
    angular,
    detect,
    django,
    fastapi,
    flask,
    nextjs,
    nuxt,
    react,
    starlette,
    sveltekit,
    vue,
)
from coordinator.planning.code.model import Found, Ledger, Project, Sources
from coordinator.planning.code.outline import Outline, outline

READERS: dict[str, Callable[[Project], None]] = {
    "React Router": react.read,
    "Vue Router": vue.read,
    "Angular": angular.read,
    "Next": nextjs.read,
    "Nuxt": nuxt.read,
    "SvelteKit": sveltekit.read,
    "Django": django.read,
    "Flask": flask.read,
    "FastAPI": fastapi.read,
    "Starlette": starlette.read,
}


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """How much one framework gave: for the line that says what was done."""

    framework: str
    root: str
    declared: int


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a project's code says about its routes."""

    told: tuple[Told, ...]
    found: tuple[Found, ...]
    notes: tuple[str, ...]

    def outline(self, known: Iterable[str] = ()) -> Outline:
        """The routes of a map; `known` are routes that may serve as samples."""
        return outline(self.found, known)


def read(sources: Sources) -> Reading:
    """Read the route files of every framework that the project uses."""
    ledger = Ledger()
    parts = detect.parts_of(sources, ledger)
    told: list[Told] = []
    for part in parts:
        before = len(ledger.found)
        names = detect.names_of(part, parts, sources.names)
        READERS[part.framework](Project(sources, ledger, part.root, names))
        declared = len(ledger.found) - before
        told.append(Told(framework=part.framework, root=part.root, declared=declared))
    return Reading(told=tuple(told), found=tuple(ledger.found), notes=ledger.notes)
