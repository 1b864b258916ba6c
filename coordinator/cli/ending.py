"""How a run ends for the user: the page, the summary on stdout, and the exit code.

Leaves out the run itself.
"""

from pathlib import Path

from contract.vocabulary import FailureReason, RunStatus
from coordinator.cli import paint
from coordinator.cli.again import Again
from coordinator.errors import ExitCode
from coordinator.records.state import State
from coordinator.reporting import overview, summary
from coordinator.reporting.findings import Findings, gather
from coordinator.reporting.remedies import is_about


def ended(state: State, folder: Path, interrupted: ExitCode, again: Again) -> ExitCode:
    """Write the page, print the summary, and say how it went."""
    findings = gather(state, folder)
    page = overview.write(state, folder) if findings.counters["tested"] else None
    steps = summary.next_steps(findings, page, again.go_on, again.retry)
    paint.result(summary.render(findings, folder, page, steps))
    return exit_code(findings, interrupted)


def exit_code(findings: Findings, interrupted: ExitCode) -> ExitCode:
    """Blocked, interrupted, something remains, or nothing does."""
    if findings.status is RunStatus.BLOCKED:
        missing = is_about(findings.blocked_reason, FailureReason.BROWSER_MISSING)
        return ExitCode.HOST if missing else ExitCode.BLOCKED
    if findings.counters["pending"]:
        return interrupted or ExitCode.REMAINS
    return ExitCode.OK if findings.clean else ExitCode.REMAINS
