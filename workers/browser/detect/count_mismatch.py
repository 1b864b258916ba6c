"""`count_mismatch`: a counter contradicts the table under it.

Only where the table is the only one of its section, nothing is filtered, and the counter counts
what the page calls its rows. A total over a part of the rows is fine where there are more pages.
"""

import re
from collections.abc import Iterator

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.detect.case import Case
from workers.browser.survey import Table

_TOTAL = re.compile(r"\(?(\d[\d.,]*)\)?\s+([^\W\d_][\w-]*)")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)\s+(?:of|von|de|sur|di)\s+\d+")
_STEM = 4


def _expected(said: str, table: Table) -> int | None:
    """How many rows a counter promises, if it counts them."""
    if found := _RANGE.search(said):
        return int(found.group(2)) - int(found.group(1)) + 1
    total = _TOTAL.fullmatch(said)
    if total is None or table.paged:
        return None
    noun = total.group(2).lower()
    stem = noun.rstrip("s") if len(noun) > _STEM else noun
    named = stem in table.words.lower() or noun in {"rows", "entries", "items", "results"}
    return int(re.sub(r"[.,]", "", total.group(1))) if named else None


def detect(case: Case) -> Iterator[Suspicion]:
    """Minor: one of the two is wrong, and which one is not known."""
    if not case.landed or case.ours or case.environment:
        return
    for table in case.survey.tables:
        if table.filtered or table.rows == 0:
            continue
        for counter in table.counters:
            expected = _expected(counter.text, table)
            if expected is None or expected == table.rows or case.is_noise(counter.text):
                continue
            yield case.suspicion(
                BugKind.COUNT_MISMATCH,
                Severity.MINOR,
                said=f"{counter.place}|{table.place}",
                description=f"{case.what} shows “{counter.text}” over a table of {table.rows} rows",
                expected="The counter and the table agree",
                actual=f"“{counter.text}”, but {table.rows} rows",
                evidence=(counter.locator,),
            )
            break
