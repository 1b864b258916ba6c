"""Which page of the practice site has which kind of bug, and which twin has none."""

from typing import NamedTuple

from contract.vocabulary import BugKind, Severity

CRITICAL, MAJOR, MINOR = Severity.CRITICAL, Severity.MAJOR, Severity.MINOR


class Planted(NamedTuple):
    """A page, the kind that is planted there, and how severe each one found has to be."""

    page: str
    kind: BugKind
    severities: tuple[Severity, ...]
    twin: str = ""

    @property
    def clean(self) -> str:
        return self.twin or f"{self.page}-twin"


PLANTED = (
    Planted("accessibility", BugKind.A11Y, (MINOR, MINOR, MINOR, MINOR)),
    Planted("blank", BugKind.BLANK_PAGE, (CRITICAL,)),
    Planted("broken-focus-trap", BugKind.FOCUS_TRAP_BROKEN, (MINOR,)),
    Planted("broken-images", BugKind.BROKEN_IMAGE, (MINOR, MINOR, MINOR)),
    Planted("broken-resources", BugKind.BROKEN_RESOURCE, (MAJOR, MAJOR, MINOR)),
    Planted("clipped-text", BugKind.TEXT_CLIPPED, (MINOR, MINOR)),
    Planted("console-errors", BugKind.CONSOLE_ERROR, (MINOR,)),
    Planted("console-errors", BugKind.HTTP_4XX, (MAJOR,)),
    Planted("console-errors", BugKind.HTTP_5XX, (MAJOR,)),
    Planted("console-errors", BugKind.PAGE_ERROR, (MAJOR,)),
    Planted("console-errors", BugKind.REQUEST_FAILED, (MAJOR,)),
    Planted("console-errors", BugKind.UNHANDLED_REJECTION, (MAJOR,)),
    Planted("dead-button", BugKind.DEAD_CONTROL, (MAJOR, MAJOR, MAJOR)),
    Planted("endless-handler", BugKind.PAGE_HANG, (CRITICAL,)),
    Planted("error-page", BugKind.ERROR_PAGE, (CRITICAL,)),
    Planted("inconsistent-button", BugKind.INCONSISTENT, (MAJOR,)),
    Planted("layout-overlap", BugKind.LAYOUT_OVERLAP, (MINOR, MINOR)),
    Planted("offscreen-control", BugKind.OFFSCREEN_CONTROL, (MAJOR, MAJOR)),
    Planted("renderer-crash", BugKind.PAGE_CRASH, (CRITICAL,), twin="endless-handler-twin"),
    Planted("slow-action", BugKind.SLOW_ACTION, (MINOR,)),
    Planted("stuck-dialog", BugKind.DIALOG_CANNOT_CLOSE, (MAJOR,)),
    Planted("stuck-loading", BugKind.STUCK_LOADING, (MAJOR,)),
    Planted("text-leaks", BugKind.TEXT_LEAK, (MAJOR, MINOR, MINOR, MINOR, MINOR, MINOR, MINOR)),
    Planted("unexpected-login", BugKind.UNEXPECTED_LOGIN, (MAJOR, MAJOR), twin="session-expiry"),
    Planted("wide-page", BugKind.OVERFLOW_X, (MINOR,)),
    Planted("wrong-counter", BugKind.COUNT_MISMATCH, (MINOR,)),
)
PAGES = sorted({planted.page for planted in PLANTED})
TWINS = sorted({planted.clean for planted in PLANTED})
