"""`dialog_cannot_close`: neither Escape nor any control in a dialog closes it.

Filed only after every control in it was used and a second try was made (`doubts.py`). A dialog with
a control that we may not press could be closed by that one, and is left alone.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Major: the page can only be used again after it was loaded anew."""
    if not case.held or case.environment:
        return
    yield case.suspicion(
        BugKind.DIALOG_CANNOT_CLOSE,
        Severity.MAJOR,
        said=case.held,
        description=f"{case.what} opens “{case.held}”, which cannot be closed",
        expected="Escape, or a control in the dialog, closes it",
        actual="It stays open after Escape and after each of its controls",
    )
