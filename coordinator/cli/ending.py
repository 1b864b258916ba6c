"""How a run ends for the user: the page, the summary on stdout, and the exit code.

Leaves out the run itself.
"""

from pathlib import Path

from contract.vocabulary import FailureReason, RunStatus
from coordinator.cli import paint
from coordinator.cli.again import Again
from coordinator.errors import ExitCode
from coordinator.records.state import State
from coordinator.reporting import publish, summary
from coordinator.reporting.earlier import since_the_run_before
from coordinator.reporting.findings import Findings, gather
from coordinator.reporting.remedies import is_about


def ended(state: State, folder: Path, interrupted: ExitCode, again: Again) -> ExitCode:
    """Write the pages, print the summary, and say how it went."""
    findings = gather(state, folder)
    compared = since_the_run_before(state, findings, folder)
    page = None
    if findings.counters["tested"]:
        page = publish.write_all(findings, state, folder, compared)
    steps = summary.next_steps(findings, page, again.go_on, again.retry)
    paint.result(summary.render(findings, folder, page, steps, compared))
    return exit_code(findings, interrupted)


def exit_code(findings: Findings, interrupted: ExitCode) -> ExitCode:
    """Blocked, interrupted, something remains, or nothing does."""
    if findings.status is RunStatus.BLOCKED:
        missing = is_about(findings.blocked_reason, FailureReason.BROWSER_MISSING)
        return ExitCode.HOST if missing else ExitCode.BLOCKED
    if findings.counters["pending"] or findings.counters["review_pending"]:
        return interrupted or ExitCode.REMAINS
    return ExitCode.OK if findings.clean else ExitCode.REMAINS
