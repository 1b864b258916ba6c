"""Smaller parts of the HTML report: figures, lists, and the comparison with an earlier run.

Invariant: as everywhere, only templates make markup. Leaves out bugs and routes (`html_report`).
"""

from collections.abc import Iterable, Mapping, Sequence

from contract.vocabulary import Severity, Verdict
from coordinator.reporting.advice import advice
from coordinator.reporting.comparison import Change, Comparison
from coordinator.reporting.findings import Findings
from coordinator.reporting.markup import NOTHING, Markup, fill, join
from coordinator.reporting.words import counted, plain, title

MOST_ITEMS = 1_000


def bars(counts: Mapping[Severity, int]) -> Markup:
    """The share of each severity as one bar."""
    total = sum(counts.values())
    if not total:
        return NOTHING
    rects, x = [], 0.0
    for severity, count in counts.items():
        width = 100 * count / total
        rect = fill("report_rect.html", severity=severity.value, x=f"{x:.2f}", width=f"{width:.2f}")
        rects.append(rect)
        x += width
    label = ", ".join(f"{count} {severity.value}" for severity, count in counts.items())
    return fill("report_bar.html", label=label, rects=join(rects))


def tiles(findings: Findings) -> Markup:
    """Figures beside the bugs: routes, controls, how sure the bugs are, what failed."""
    counters = findings.counters
    tried = sum(row.operations.total for row in findings.routes)
    passed = sum(row.operations.passed for row in findings.routes)
    return join(
        (
            _tile(
                "Routes tested",
                f"{counters['tested']} of {counters['total_routes']}",
                _rest(counters["failed"], counters["pending"]),
            ),
            _tile("Controls used", f"{tried:,}", f"{passed:,} did what they should"),
            _tile("Bugs confirmed", *_sure(findings)),
            _tile(
                "Routes without bugs",
                str(sum(not row.bugs for row in findings.routes)),
                f"{counted(len(findings.discovered), 'page')} met that are not on the map",
            ),
        )
    )


def _tile(name: str, value: str, note: str) -> Markup:
    return fill("report_tile.html", name=name, value=value, note=note)


def _rest(failed: int, pending: int) -> str:
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{pending} pending"] if pending else []
    return ", ".join(parts) or "none failed, none pending"


def _sure(findings: Findings) -> tuple[str, str]:
    verdicts = [found.bug.verdict for found in findings.distinct]
    sure = verdicts.count(Verdict.CONFIRMED)
    parts = [
        f"{count} {name}"
        for name, count in (
            ("flaky", verdicts.count(Verdict.FLAKY)),
            ("not checked", verdicts.count(None) + verdicts.count(Verdict.UNCHECKED)),
            ("refuted and not counted", findings.refuted),
        )
        if count
    ]
    return f"{sure} of {len(verdicts)}", ", ".join(parts) or "by an independent second look"


def lists(findings: Findings) -> Markup:
    """Everything below the maze map."""
    failed = [
        fill(
            "report_pair.html",
            route=plain(entry.route),
            text=plain(entry.last_error or entry.error, 500),
        )
        for entry in findings.failed[:MOST_ITEMS]
    ]
    found = [
        _list("failed", "Failed routes", failed, len(findings.failed)),
        _texts("advice", "Recommendations", advice(findings)),
        _texts("discovered", "Pages met that are not on the map", findings.discovered),
        _texts("notes", "Notes about this report", findings.notes),
    ]
    return join(found)


def _texts(anchor: str, name: str, lines: Sequence[str]) -> Markup:
    items = [fill("report_item.html", text=plain(line)) for line in lines[:MOST_ITEMS]]
    return _list(anchor, name, items, len(lines))


def _list(anchor: str, name: str, items: Iterable[Markup], total: int) -> Markup:
    if not total:
        return NOTHING
    shown = str(total) if total <= MOST_ITEMS else f"the first {MOST_ITEMS} of {total}"
    return fill("report_list.html", anchor=anchor, title=name, count=shown, items=join(items))


def changes(compared: Comparison) -> Markup:
    """What is new, fixed, still there or gone since an earlier run."""
    groups = [
        _group("new", "New", "not seen in the earlier run", compared.new),
        _group("fixed", "Fixed", "the same control was used and shows it no more", compared.fixed),
        _group("still", "Still there", "seen in both runs", compared.still),
        _group("gone", "Gone", "its route or control is not tested any more", compared.gone),
    ]
    return fill("report_compare.html", with_run=plain(compared.earlier), groups=join(groups))


def _group(kind: str, name: str, meaning: str, found: Sequence[Change]) -> Markup:
    items = [
        fill(
            "report_changed.html",
            severity=one.bug.severity.value,
            route=plain(one.route),
            title=title(one.bug),
        )
        for one in found[:MOST_ITEMS]
    ]
    opened = Markup(" open") if kind == "new" and found else NOTHING
    return fill(
        "report_change.html",
        kind=kind,
        name=name,
        meaning=meaning,
        count=len(found),
        items=join(items),
        open=opened,
    )
