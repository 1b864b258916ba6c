"""`focus_trap_broken`: the Tab key leads out of a modal dialog, to what lies behind it."""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: it takes a keyboard to notice, but then the dialog is lost."""
    survey = case.survey
    if survey.behind is None or case.ours:
        return
    yield case.suspicion(
        BugKind.FOCUS_TRAP_BROKEN,
        Severity.MINOR,
        said=survey.modal,
        description=f"{case.what} opens “{survey.modal}”, and the Tab key leads out of it",
        expected="The focus stays in the dialog until it is closed",
        actual=f"From its last control Tab leads to “{survey.behind.text}” behind it",
        evidence=(survey.behind.locator,),
    )
