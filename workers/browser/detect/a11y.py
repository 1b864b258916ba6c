"""`a11y`: the page breaks a rule of WCAG A or AA, as axe sees it.

One bug for each rule and route, however many elements break it, and the same one on every route:
an app that breaks a rule mostly does so everywhere. Elements of the site's own frame are a bug of
their own, since it is mended once.
"""

from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case
from workers.browser.survey import Violation

_FILED = frozenset({"critical", "serious"})
_SHOWN = 5


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: the page works for most people. Axe's `moderate` and `minor` are not filed."""
    if not case.plain_looks:
        return
    for violation in case.survey.violations:
        if violation.impact not in _FILED or case.is_noise(violation.rule):
            continue
        if violation.page:
            yield _of(case, violation, "page", violation.page)
        if violation.site:
            yield _of(case, violation, "frame", violation.site)


def _of(case: Case, violation: Violation, part: str, targets: tuple[str, ...]) -> Suspicion:
    count = "an element" if len(targets) == 1 else f"{len(targets)} elements"
    where = "the site's frame" if part == "frame" else case.where
    return case.suspicion(
        BugKind.A11Y,
        Severity.MINOR,
        said=part,
        exactly=violation.rule,
        description=f"{violation.help} ({violation.rule}): {count} in {where}",
        expected=violation.help,
        actual=f"Not so for {count}; axe calls it {violation.impact}",
        evidence=targets[:_SHOWN],
    )
