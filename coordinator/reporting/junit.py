"""`junit.xml`: what a CI server shows of a run. A suite for each route, a case for each control.

A case fails where its control went wrong or shows a bug; what a rule skipped is skipped with that
rule. Invariant: valid XML whatever characters the app uses. Leaves out refuted bugs.
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contract.action_tree import Bug, Node, RouteReport
from contract.vocabulary import ActionResult, Area, NodeState
from coordinator.records.state import Failed
from coordinator.reporting import words
from coordinator.reporting.findings import Findings, RouteRow
from coordinator.reporting.tree import ROUTE, Placed, placed

FILE_NAME = "junit.xml"
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CASES, _FAILURES, _ERRORS, _SKIPPED = range(4)


@dataclass(frozen=True)
class Suite:
    """The lines of a suite, and its cases, failures, errors and skipped cases."""

    lines: tuple[str, ...]
    counts: tuple[int, int, int, int]


def document(findings: Findings, suites: Iterable[Suite]) -> str:
    """The file. Routes that could not be tested are suites with an error."""
    found = [*suites, *(_untested(entry) for entry in findings.failed)]
    totals = [sum(suite.counts[number] for suite in found) for number in range(4)]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f"<testsuites {_attributes(findings.project, totals)}>")
    lines += [line for suite in found for line in suite.lines]
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def suite(row: RouteRow, report: RouteReport) -> Suite:
    """A route with all of its controls."""
    bugs = placed(report)
    cases = [_case(row.route, "page load", 0, failed=bugs.get(ROUTE, ()), node=None)]
    for area, nodes in report.action_tree.areas().items():
        for node in nodes:
            cases += _cases(row.route, area, (), node, bugs)
    when = f' timestamp="{report.tested_at:%Y-%m-%dT%H:%M:%S}"'
    return _suite(row.route, cases, when)


def bare_suite(row: RouteRow) -> Suite:
    """A route without bugs on a map so large that not every report is read."""
    return _suite(row.route, [(f"    <testcase {_names(row.route, 'route')}/>", _CASES)])


_Case = tuple[str, int]


def _suite(route: str, cases: Sequence[_Case], more: str = "") -> Suite:
    kinds = [kind for _, kind in cases]
    counts = (
        len(cases),
        kinds.count(_FAILURES),
        kinds.count(_ERRORS),
        kinds.count(_SKIPPED),
    )
    head = f"  <testsuite {_attributes(route, counts)}{more}>"
    return Suite((head, *(text for text, _ in cases), "  </testsuite>"), counts)


def _cases(
    route: str, area: Area, above: tuple[str, ...], node: Node, bugs: Placed
) -> Iterable[_Case]:
    trail = (*above, node.label)
    name = f"{words.AREAS[area]}: {' › '.join(trail)}"
    yield _case(route, name, node.duration_ms, failed=bugs.get(id(node), ()), node=node)
    for child in node.children:
        yield from _cases(route, area, trail, child, bugs)


def _case(
    route: str, name: str, duration_ms: int, *, failed: Sequence[Bug], node: Node | None
) -> _Case:
    head = f'    <testcase {_names(route, name)} time="{duration_ms / 1000:.3f}"'
    if failed:
        return f"{head}>{''.join(map(_failure, failed))}</testcase>", _FAILURES
    if node is None:
        return f"{head}/>", _CASES
    if node.action_result is ActionResult.SKIPPED or node.state is NodeState.DISABLED:
        why = node.note or words.result(node)
        return f'{head}><skipped message="{_escaped(why)}"/></testcase>', _SKIPPED
    if words.failed(node):
        why = node.error or node.note or words.result(node)
        kind = words.result(node)
        message = f'<failure message="{_escaped(why)}" type="{_escaped(kind)}"/>'
        return f"{head}>{message}</testcase>", _FAILURES
    return f"{head}/>", _CASES


def _failure(bug: Bug) -> str:
    lines = (
        f"{bug.id} ({bug.severity}, {words.verdict(bug)})",
        f"Expected: {bug.expected}",
        f"Actual: {bug.actual}",
        *bug.evidence,
    )
    message = _escaped(words.title(bug))
    return f'<failure message="{message}" type="{bug.kind}">{_escaped(_lines(lines))}</failure>'


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _untested(entry: Failed) -> Suite:
    why = _escaped(entry.last_error or entry.error or "could not be tested")
    head = f"    <testcase {_names(entry.route, 'route')}>"
    return _suite(entry.route, [(f'{head}<error message="{why}"/></testcase>', _ERRORS)])


def _attributes(name: str, counts: Sequence[int]) -> str:
    tests, failures, errors, skipped = counts
    return (
        f'name="{_escaped(name)}" tests="{tests}" failures="{failures}" '
        f'errors="{errors}" skipped="{skipped}"'
    )


def _names(route: str, name: str) -> str:
    return f'classname="{_escaped(route)}" name="{_escaped(name)}"'


def _escaped(text: str) -> str:
    """Text for an attribute or an element, without what XML cannot hold at all."""
    return html.escape(_ILLEGAL.sub("�", text))
