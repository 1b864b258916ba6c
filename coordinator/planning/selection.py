"""Which routes of a map a run is about.

Words name routes, categories, patterns with `*`, or `all`. Invariant: the choice is in the order of
the map, and a word that chooses nothing is an error that names the near ones. Leaves out what was
tested already.
"""

import difflib
import fnmatch
from collections.abc import Mapping, Sequence

from coordinator.errors import RequestError
from coordinator.planning.routes import normalise_path

ALL = "all"


def choose(
    routes: Sequence[str], categories: Mapping[str, Sequence[str]], words: Sequence[str]
) -> tuple[str, ...]:
    """The routes that the words choose; without a word, all."""
    if not words:
        return tuple(routes)
    chosen: set[str] = set()
    for word in words:
        chosen.update(_chosen_by(word, routes, categories))
    return tuple(route for route in routes if route in chosen)


def _chosen_by(
    word: str, routes: Sequence[str], categories: Mapping[str, Sequence[str]]
) -> Sequence[str]:
    if word.casefold() == ALL:
        return routes
    by_name = {name.casefold(): found for name, found in categories.items()}
    if word.casefold() in by_name:
        return by_name[word.casefold()]
    if word.startswith("/") and "*" in word:
        if found := fnmatch.filter(routes, word):
            return found
    elif word.startswith("/") and normalise_path(word) in routes:
        return (normalise_path(word),)
    raise _unknown(word, routes, categories)


def _unknown(
    word: str, routes: Sequence[str], categories: Mapping[str, Sequence[str]]
) -> RequestError:
    names = list(routes) if word.startswith("/") else list(categories)
    lowered = {name.casefold(): name for name in names}
    near = [lowered[name] for name in difflib.get_close_matches(word.casefold(), lowered, n=3)]
    if near:
        hint = "did you mean " + " or ".join(repr(name) for name in near) + "?"
    elif categories:
        hint = "its categories are " + ", ".join(repr(name) for name in list(categories)[:8])
    else:
        hint = "it has no categories; name routes such as " + ", ".join(routes[:3])
    return RequestError(f"the route map has no {word!r}", hint)
