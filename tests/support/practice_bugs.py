"""What is planted on the practice site, as it is reported, and how to look for it on the twin.

A twin has what only looks like the bug, sometimes behind another control. Each kind is here at
least once, and again where its check has another branch.
"""

from typing import NamedTuple

from contract.action_tree import Bug, Step
from contract.vocabulary import BugKind
from tests.support.reported import bug

BODY = "body:nth-of-type(1)"
ERRORS = "console-errors"


class Shown(NamedTuple):
    """A bug of a page; `press` is the label or the id of the last control, on the page and twin.

    `clean` is the exit code on the twin: 3 where an honest check needs a person.
    """

    page: str
    kind: BugKind
    description: str = ""
    actual: str = "as it should not be"
    evidence: tuple[str, ...] = ()
    press: str = ""
    twin_press: str = ""
    twin_page: str = ""
    clean: int = 1

    @property
    def name(self) -> str:
        return f"{self.kind.value} {self.press or self.actual[:20]}"

    @property
    def twin(self) -> str:
        return self.twin_page or f"{self.page}-twin"

    @property
    def planted_bug(self) -> Bug:
        return self._reported(self.page, self.press)

    @property
    def twin_bug(self) -> Bug:
        return self._reported(self.twin, self.twin_press or self.press)

    def _reported(self, page: str, press: str) -> Bug:
        return bug(
            kind=self.kind,
            description=self.description or f"{page} is wrong",
            actual=self.actual,
            evidence=self.evidence,
            path=(_pressing(press) if press else Step(action="open", label=f"/{page}"),),
        )


def _pressing(press: str) -> Step:
    by_id = press.startswith("#")
    label, locator = ("", press) if by_id else (press, f':text-is("{press}")')
    return Step(action="press", label=label, locator=locator)


def _asked(path: str, how: str) -> str:
    return f"GET /{path} {how}"


PRACTICE = (
    Shown("accessibility", BugKind.A11Y, "Images must have alternative text (image-alt)"),
    Shown("blank", BugKind.BLANK_PAGE),
    Shown("broken-focus-trap", BugKind.FOCUS_TRAP_BROKEN, press="#share"),
    Shown(
        "broken-images",
        BugKind.BROKEN_IMAGE,
        actual="/broken-images/late.png has no pixels",
        press="#more",
    ),
    Shown(
        "broken-resources",
        BugKind.BROKEN_RESOURCE,
        actual=_asked("broken-resources/theme.css", "answered 404"),
    ),
    Shown(
        "broken-resources",
        BugKind.BROKEN_RESOURCE,
        actual=_asked("broken-resources/menu.js", "answered with an HTML page"),
    ),
    Shown(
        "clipped-text",
        BugKind.TEXT_CLIPPED,
        actual="The box around “Delivery within three working days” is too small for it",
        evidence=(f"{BODY} > p:nth-of-type(1)",),
    ),
    Shown(
        "clipped-text",
        BugKind.TEXT_CLIPPED,
        actual="The box around “Customers” is too small for it",
        evidence=("#moved",),
    ),
    Shown(
        ERRORS, BugKind.PAGE_ERROR, actual="TypeError: practice: an uncaught error", press="Throw"
    ),
    Shown(
        ERRORS,
        BugKind.UNHANDLED_REJECTION,
        actual="Error: practice: an unhandled rejection",
        press="Reject",
    ),
    Shown(
        ERRORS,
        BugKind.HTTP_4XX,
        actual=_asked(f"{ERRORS}/missing", "answered 404, and the page says nothing"),
        press="Missing",
    ),
    Shown(
        ERRORS,
        BugKind.HTTP_5XX,
        actual=_asked(f"{ERRORS}/fail", "answered 500"),
        press="Fail",
        twin_press="Missing",
    ),
    Shown(
        ERRORS,
        BugKind.REQUEST_FAILED,
        actual=_asked(f"{ERRORS}/reset", "net::ERR_CONNECTION_RESET"),
        press="Hang up",
        twin_press="Missing",
    ),
    Shown(
        ERRORS,
        BugKind.CONSOLE_ERROR,
        actual="practice: a logged error",
        press="Log error",
        twin_press="Log warning",
    ),
    Shown("dead-button", BugKind.DEAD_CONTROL, press="History", twin_press="This page"),
    Shown("endless-handler", BugKind.PAGE_HANG, press="#hang", twin_press="#count"),
    Shown("error-page", BugKind.ERROR_PAGE),
    Shown("inconsistent-button", BugKind.INCONSISTENT, press="#open"),
    Shown(
        "layout-overlap",
        BugKind.LAYOUT_OVERLAP,
        actual="“Send” covers “Keep the draft” in part",
        evidence=(f"{BODY} .over", f"{BODY} button.wide"),
    ),
    Shown(
        "offscreen-control",
        BugKind.OFFSCREEN_CONTROL,
        evidence=(f"{BODY} > div:nth-of-type(1) > button:nth-of-type(1)",),
    ),
    Shown(
        "offscreen-control",
        BugKind.OFFSCREEN_CONTROL,
        actual="The middle of “Send” lies where nobody can scroll to",
        evidence=("#moved",),
    ),
    Shown(
        "renderer-crash",
        BugKind.PAGE_CRASH,
        press="#crash",
        twin_page="endless-handler-twin",
        twin_press="#count",
    ),
    Shown(
        "slow-action",
        BugKind.SLOW_ACTION,
        actual=_asked("slow-action/forecast", "took 3.3 s"),
        press="#load",
    ),
    Shown("stuck-dialog", BugKind.DIALOG_CANNOT_CLOSE, press="#open"),
    Shown("stuck-dialog", BugKind.DIALOG_CANNOT_CLOSE, press="News", twin_press="#look"),
    Shown(
        "stuck-loading",
        BugKind.STUCK_LOADING,
        evidence=('div[aria-label="Sales"]',),
        press="#show",
    ),
    Shown(
        "text-leaks",
        BugKind.TEXT_LEAK,
        actual="“Invalid Date” in the text “Due on Invalid Date”",
        evidence=(f"{BODY} > p:nth-of-type(6)",),
    ),
    Shown(
        "text-leaks",
        BugKind.TEXT_LEAK,
        actual="“undefined” in the text “Total: undefined”",
        evidence=(f"{BODY} > p:nth-of-type(1)",),
        clean=3,
    ),
    Shown(
        "unexpected-login",
        BugKind.UNEXPECTED_LOGIN,
        actual=_asked("unexpected-login/names", "answered 401, and the page says nothing"),
        press="Names",
        twin_page="session-expiry",
        twin_press="Part A",
    ),
    Shown(
        "unexpected-login",
        BugKind.UNEXPECTED_LOGIN,
        press="Birthdays",
        twin_page="session-expiry",
        twin_press="Part A",
    ),
    Shown("wide-page", BugKind.OVERFLOW_X),
    Shown(
        "wrong-counter",
        BugKind.COUNT_MISMATCH,
        actual="“12 orders”, but 5 rows",
        evidence=(f"{BODY} > p:nth-of-type(1)",),
    ),
)
QUIET = {"QUIET_S": 0.3}
QUICKER: dict[BugKind, dict[str, float]] = {
    BugKind.INCONSISTENT: {"RUNS": 3},
    BugKind.PAGE_HANG: {"PATIENCE_MS": 3_000, "HANG_MS": 2_000},
    BugKind.STUCK_LOADING: {"LOADING_S": 3},
}
"""What a script waits for in earnest, and a test need not: always, and by kind."""
