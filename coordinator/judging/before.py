"""What an earlier run knows of a route, for a run that comes after it.

Pure. A control is the same as before if it has the same name in the same state; one whose
surroundings changed counts as new, since what changed nearby may have broken it.
"""

from contract.action_tree import RouteReport, walk
from contract.jobs import Before
from contract.vocabulary import ActionResult


def before(report: RouteReport) -> Before:
    """The controls that were used, and those that had a bug."""
    used = [n for n in walk(report.action_tree) if n.action_result is not ActionResult.SKIPPED]
    steps = (bug.path[-1] for bug in report.bugs if bug.path)
    return Before(
        met=tuple(dict.fromkeys(f"{node.in_state} {node.key}" for node in used)),
        wrong=tuple(dict.fromkeys(step.key for step in steps if step.key)),
    )
