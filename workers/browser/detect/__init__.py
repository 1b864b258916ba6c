"""The bug detectors: a file for each kind, one function in it.

A detector looks at one `Case` and yields suspicions. To add one: write its file, name it here, and
give it a page on the practice site with a planted case and a clean twin.
"""

from collections.abc import Callable, Iterator

from workers.browser.atlas import Suspicion
from workers.browser.detect import (
    blank_page,
    broken_image,
    console_error,
    dead_control,
    error_page,
    http_4xx,
    http_5xx,
    page_crash,
    page_error,
    page_hang,
    request_failed,
    unhandled_rejection,
)
from workers.browser.detect.case import Case

DETECTORS: tuple[Callable[[Case], Iterator[Suspicion]], ...] = (
    page_crash.detect,
    page_hang.detect,
    blank_page.detect,
    error_page.detect,
    page_error.detect,
    unhandled_rejection.detect,
    http_5xx.detect,
    http_4xx.detect,
    request_failed.detect,
    console_error.detect,
    dead_control.detect,
    broken_image.detect,
)


def suspicions(case: Case) -> tuple[Suspicion, ...]:
    """What all detectors say of a case, one of each signature."""
    found = {s.signature: s for detect in DETECTORS for s in detect(case)}
    return tuple(found.values())
