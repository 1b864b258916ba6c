"""The bug detectors: a file for each kind, one function in it.

A detector looks at one `Case` and yields suspicions. To add one: write its file, name it here, and
give it a page on the practice site with a planted case and a clean twin.
"""

from collections.abc import Callable, Iterator

from contract.vocabulary import BugKind
from workers.browser.atlas import Suspicion
from workers.browser.detect import (
    a11y,
    blank_page,
    broken_image,
    broken_resource,
    console_error,
    count_mismatch,
    dead_control,
    dialog_cannot_close,
    error_page,
    focus_trap_broken,
    http_4xx,
    http_5xx,
    inconsistent,
    layout_overlap,
    offscreen_control,
    overflow_x,
    page_crash,
    page_error,
    page_hang,
    request_failed,
    slow_action,
    stuck_loading,
    text_clipped,
    text_leak,
    unexpected_login,
    unhandled_rejection,
)
from workers.browser.detect.case import Case

DETECTORS: tuple[Callable[[Case], Iterator[Suspicion]], ...] = (
    page_crash.detect,
    page_hang.detect,
    blank_page.detect,
    error_page.detect,
    unexpected_login.detect,
    page_error.detect,
    unhandled_rejection.detect,
    http_5xx.detect,
    http_4xx.detect,
    request_failed.detect,
    broken_resource.detect,
    console_error.detect,
    dead_control.detect,
    inconsistent.detect,
    dialog_cannot_close.detect,
    stuck_loading.detect,
    slow_action.detect,
    broken_image.detect,
    text_leak.detect,
    count_mismatch.detect,
    layout_overlap.detect,
    text_clipped.detect,
    overflow_x.detect,
    offscreen_control.detect,
    a11y.detect,
    focus_trap_broken.detect,
)

LOOKED_FOR = frozenset(
    {
        BugKind.STUCK_LOADING,
        BugKind.TEXT_LEAK,
        BugKind.COUNT_MISMATCH,
        BugKind.LAYOUT_OVERLAP,
        BugKind.TEXT_CLIPPED,
        BugKind.OVERFLOW_X,
        BugKind.OFFSCREEN_CONTROL,
        BugKind.A11Y,
        BugKind.FOCUS_TRAP_BROKEN,
    }
)
"""The kinds that take a closer look at the page (`PagePort.survey`)."""


def suspicions(case: Case) -> tuple[Suspicion, ...]:
    """What all detectors say of a case, one of each signature."""
    found = {s.signature: s for detect in DETECTORS for s in detect(case)}
    return tuple(found.values())
