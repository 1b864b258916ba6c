"""What the walk sees of a page: the shapes that the page kit answers with, and the port itself.

The walk knows pages only through `PagePort`; the real one (`page.py`) drives Chromium, the toy
mazes of the tests are a few lines of Python. Nothing here does I/O.
"""

from enum import StrEnum
from typing import Protocol

import msgspec

from contract.vocabulary import Area
from workers.browser.places import state_id
from workers.browser.survey import Survey


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of what was seen; unknown fields of the kit's answers are ignored."""


class Field(Part, frozen=True, kw_only=True):
    """A form field. `kind` is the input type, or `select`, `multiple`, `textarea`."""

    kind: str
    name: str = ""
    autocomplete: str = ""
    pattern: str = ""
    min: str = ""
    max: str = ""
    step: str = ""
    required: bool = False
    empty: bool = True
    options: tuple[str, ...] = ()
    minlength: int = 0
    maxlength: int = 0


class Trial(StrEnum):
    """What a form is sent with beside its valid values: nothing, or what it should not take."""

    EMPTY = "empty"
    INVALID = "invalid"


class Control(Part, frozen=True, kw_only=True):
    """Something a person can use. `key` finds it again.

    `scope` is a hash of all that stands in its form or dialog, `shape` one of the controls in
    there. `frame` is the origin of the frame that it stands in, where that is another one than the
    page's. `goes_on` is set by the worker for buttons that lead one step on, by their words.
    `group` names the choices of which one can be made. With `trial` it is the button of a form as
    it is pressed once more, to see what the form does with what is wrong; its key says so too.
    """

    key: str
    label: str
    role: str = "button"
    tag: str = "button"
    sign: str = "native"
    area: Area = Area.OTHER
    site: str = ""
    path: str = ""
    row: str = ""
    dialog: str = ""
    menu: bool = False
    tabs: bool = False
    in_form: bool = False
    scope: str = ""
    shape: str = ""
    goes_on: bool = False
    disabled: bool = False
    checked: bool | None = None
    required: bool = False
    group: str = ""
    trial: Trial | None = None
    selected: bool = False
    expanded: bool | None = None
    popup: str = ""
    href: str = ""
    target: str = ""
    download: bool = False
    drags: bool = False
    submits: bool = False
    method: str = ""
    hints: str = ""
    field: Field | None = None
    locator: str = ""
    frame: str = ""


class Inventory(Part, frozen=True, kw_only=True):
    """The controls in document order; `left_out` counts rows and controls beyond the limits."""

    controls: tuple[Control, ...] = ()
    left_out: int = 0


class Dialog(Part, frozen=True, kw_only=True):
    name: str
    alert: bool = False
    fields: int = 0
    buttons: int = 0


class Flags(Part, frozen=True, kw_only=True):
    """What the used control says of itself."""

    checked: bool | None = None
    selected: bool = False
    expanded: bool | None = None
    off: bool = False


class Prepared(Part, frozen=True, kw_only=True):
    """Where to press; the kit's answer to `prepare`."""

    found: bool
    x: float = 0.0
    y: float = 0.0
    hit: bool = False
    by: str = ""
    checked: bool | None = None
    selected: bool = False
    expanded: bool | None = None
    off: bool = False

    @property
    def flags(self) -> Flags:
        return Flags(
            checked=self.checked, selected=self.selected, expanded=self.expanded, off=self.off
        )


class Counts(Part, frozen=True, kw_only=True):
    """The kit's counters; they only grow."""

    mutations: int = 0
    requests: int = 0
    history: int = 0
    errors: int = 0
    rejections: int = 0
    dialogs: int = 0
    opened: int = 0
    printed: int = 0
    copied: int = 0
    pickers: int = 0
    focus: int = 0
    scroll: int = 0
    inputs: int = 0
    leaves: int = 0
    blocked: int = 0


class Health(Part, frozen=True, kw_only=True):
    blank: bool = False
    heading: str = ""
    start_of_text: str = ""
    broken_images: tuple[str, ...] = ()
    has_table: bool = False
    row_count: int = 0
    column_headers: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    asks_password: bool = False


class KitNote(Part, frozen=True, kw_only=True):
    """Something the kit answered by itself: a native dialog, a window, a refused write."""

    what: str
    text: str


class Sight(Part, frozen=True, kw_only=True):
    """One reading of a page. `state` is the structure hash; `inventory` and `loading`, the places
    that say something is on its way, are there for new states. `waiting`: for answers, after all.
    """

    document: str
    url: str
    title: str
    state: str
    screen: str = ""
    counts: Counts = Counts()
    at_arm: Counts = Counts()
    notes: tuple[KitNote, ...] = ()
    flags: Flags | None = None
    dialogs: tuple[Dialog, ...] = ()
    menus: int = 0
    expanded: int = 0
    toasts: tuple[str, ...] = ()
    invalid: int = 0
    long_lived: tuple[str, ...] = ()
    height: int = 0
    health: Health = Health()
    loading: tuple[str, ...] = ()
    waiting: bool = False
    inventory: Inventory | None = None

    @property
    def name(self) -> str:
        """The identity of the state that was seen."""
        return state_id(self.url, self.state)


class Exchange(Part, frozen=True, kw_only=True):
    """A request that went wrong, or was answered by us. `error` is Chromium's, such as
    net::ERR_FAILED. `took_ms` is how long the server took, where that is known.
    """

    method: str
    url: str
    resource: str
    status: int = 0
    error: str = ""
    took_ms: int = 0


class Traffic(Part, frozen=True, kw_only=True):
    """What network and console said between two readings.

    `blocked` names our rule per request; `environment` the hosts that this document's scripts
    should have come from and that cannot be reached; `unstyled` says where a stylesheet or font of
    it should have come from. `slow` are requests of this action that were answered late,
    `cookies_gone` those of the session's cookies that an answer took away.
    """

    exceptions: tuple[str, ...] = ()
    rejections: tuple[str, ...] = ()
    console: tuple[str, ...] = ()
    bad_answers: tuple[Exchange, ...] = ()
    failed: tuple[Exchange, ...] = ()
    blocked: tuple[str, ...] = ()
    downloads: tuple[str, ...] = ()
    popups: tuple[str, ...] = ()
    choosers: int = 0
    held_leaves: int = 0
    document_status: int = 0
    requests: int = 0
    environment: tuple[str, ...] = ()
    unstyled: tuple[str, ...] = ()
    slow: tuple[Exchange, ...] = ()
    cookies_gone: tuple[str, ...] = ()


class Effect(Part, frozen=True, kw_only=True):
    """What using a control did: the page before and after, and what was heard in between.

    `after` is missing when the page hung or crashed. `missing`: the control was not there any more.
    `browser_gone`: it crashed with the whole browser. `unreachable`: Chromium's word for why the
    app did not answer. `session_good`: it looks like a lost session, which it is not.
    """

    before: Sight
    after: Sight | None = None
    flags: Flags = Flags()
    traffic: Traffic = Traffic()
    missing: bool = False
    covered_by: str = ""
    hung: bool = False
    crashed: bool = False
    browser_gone: bool = False
    unreachable: str = ""
    session_good: bool = False
    duration_ms: int = 0


class Standing(StrEnum):
    """What came of a look at the session: nothing is wrong with it, it was lost and renewed, or it
    looks lost and is not.
    """

    FINE = "fine"
    RENEWED = "renewed"
    GOOD = "good"


class SessionRenewed(Exception):
    """The session was lost and a new login made; what was done has to be done again.

    `by_action`: the cookies of the session went with it, as when somebody logs out.
    """

    def __init__(self, *, by_action: bool = False) -> None:
        super().__init__()
        self.by_action = by_action


class PagePort(Protocol):
    """A page that can be opened, seen and used, one at a time."""

    @property
    def sight(self) -> Sight:
        """The last reading."""

    async def open(self) -> Effect:
        """Load the route anew in this context."""

    async def renew(self) -> None:
        """A fresh context: the same storage state, nothing else kept."""

    def say_yes(self) -> None:
        """Accept the native dialogs of the next press; all others are dismissed."""

    async def press(self, control: Control) -> Effect:
        """Use a control as a person would, and wait until the page is quiet."""

    async def fill(self, control: Control, value: str) -> Effect:
        """Type into a field, or choose, and wait until the page is quiet."""

    async def unfill(self) -> None:
        """Give the field that was filled last its earlier value."""

    async def linger(self, effect: Effect) -> Effect:
        """Wait a little longer and look again; the effect grows by what came late."""

    async def escape(self) -> Sight:
        """The Escape key."""

    async def beside(self) -> Effect:
        """A press beside the modal dialog on top; `missing` where there is none."""

    async def back(self) -> Sight:
        """One step back in the history."""

    async def controls(self) -> tuple[Control, ...]:
        """The controls of the page as it is now."""

    def keep(self) -> None:
        """The last reading's state is written down: its controls need not be listed again."""

    async def survey(self, *, audit: bool = True) -> Survey:
        """A closer look at the page as it is, which is left as it was.

        With `audit` its rules for everybody are looked at too, each part once in a context.
        """

    async def picture(self) -> str:
        """A screenshot of the viewport, stored; its blob digest."""
