"""What a closer look at a new state finds: plain data for the detectors, made once per state.

The page kit's `inspect.js` gathers most of it in one trip, axe the violations; what of it is a bug
is judged in `detect/`. A place is named twice: `place` does not vary from visit to visit and makes
two findings the same bug, `locator` leads a person there.
"""

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a survey; unknown fields of the kit's answers are ignored."""


class Spot(Part, frozen=True, kw_only=True):
    """A place on the page and what it says. `control` is set where a press belongs."""

    text: str = ""
    place: str = ""
    locator: str = ""
    control: bool = False


class Overlap(Part, frozen=True, kw_only=True):
    """Two parts of the same layer on one another; `blocked`: no point of `below` can be pressed."""

    above: Spot
    below: Spot
    blocked: bool = False


class Wide(Part, frozen=True, kw_only=True):
    """How far the page scrolls sideways, and the part that makes it so."""

    pixels: int
    spot: Spot


class Table(Part, frozen=True, kw_only=True):
    """A table with the counters said before it in its section.

    `words` are what its rows may be called, `paged` says that more rows may be elsewhere,
    `filtered` that a filter may be at work.
    """

    rows: int
    counters: tuple[Spot, ...] = ()
    words: str = ""
    place: str = ""
    paged: bool = False
    filtered: bool = False


class Violation(Part, frozen=True, kw_only=True):
    """A WCAG rule of axe that some elements break; `site` are those in the site's own frame."""

    rule: str
    impact: str
    help: str = ""
    page: tuple[str, ...] = ()
    site: tuple[str, ...] = ()


class Survey(Part, frozen=True, kw_only=True):
    """Everything that a closer look found. `modal` names a dialog that says it is modal and is not
    one of the browser's own; `behind` is where the Tab key led from its last control.
    """

    leaks: tuple[Spot, ...] = ()
    loading: tuple[Spot, ...] = ()
    overlaps: tuple[Overlap, ...] = ()
    clipped: tuple[Spot, ...] = ()
    wide: Wide | None = None
    offscreen: tuple[Spot, ...] = ()
    tables: tuple[Table, ...] = ()
    violations: tuple[Violation, ...] = ()
    modal: str = ""
    behind: Spot | None = None
