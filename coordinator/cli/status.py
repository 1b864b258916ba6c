"""`mazewave status`: how far the run in this folder is, from its state file.

For a run that goes on in another process also what its workers do right now, if its broker answers.
Invariant: it changes nothing, and takes no lock. Leaves out the bugs themselves.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Group, RenderableType
from rich.text import Text

from contract.identity import explore_job, review_job
from contract.results import Beat
from coordinator.cli import options, paint
from coordinator.cli.again import Again, again
from coordinator.cli.standing import state_in
from coordinator.driver import live_file
from coordinator.driver.leases import Leases
from coordinator.driver.redis_client import LOST, connect
from coordinator.driver.workspace import OURS, Holder, holder_of
from coordinator.errors import ExitCode
from coordinator.records.state import State
from coordinator.reporting.words import clean, counted


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="For a program.")
@options.project
def command(*, as_json: bool, **flags: Any) -> int:
    """Say how far the run in this folder is."""
    settings = options.settings_from(flags)
    folder = settings.project
    state = state_in(folder)
    holder = holder_of(folder)
    beats = _beats(state, folder) if holder else {}
    if as_json:
        paint.result_json(_plain(state, holder, beats))
    else:
        paint.result(_picture(state, holder, beats, again(settings)))
    return ExitCode.OK


def _beats(state: State, folder: Path) -> dict[str, Beat]:
    """What runs, by route; nothing if the broker does not answer."""
    live = live_file.read(folder / OURS)
    if live is None:
        return {}
    jobs = {explore_job(state.slugs[r]): r for r, a in state.ours.attempts.items() if a.out}
    reviews = state.ours.review_attempts
    jobs |= {review_job(state.slugs[r]): r for r, a in reviews.items() if a.out}
    client = connect(live.broker, retries=0, name="mazewave-status")
    try:
        beats = Leases(client, live.namespace, live.run_id).beats(list(jobs))
    except LOST:
        return {}
    finally:
        client.close()
    return {jobs[job]: beat for job, beat in beats.items()}


def _plain(state: State, holder: Holder | None, beats: dict[str, Beat]) -> dict[str, Any]:
    return {
        "project": state.project,
        "base_url": state.base_url,
        "status": state.status,
        "blocked_reason": state.blocked_reason,
        "last_updated": state.last_updated,
        **state.counters(),
        "running_in": holder.pid if holder else None,
        "jobs": [
            {"route": route, "worker": beat.worker, "tally": beat.tally, "doing": beat.doing}
            for route, beat in beats.items()
        ],
    }


def _picture(
    state: State, holder: Holder | None, beats: dict[str, Beat], again: Again
) -> RenderableType:
    counters = state.counters()
    lines = [
        f"{clean(state.project)} at {clean(state.base_url)}: {_word(state, holder)}",
        f"  {counters['tested']} of {counters['total_routes']} routes tested",
        f"  {counters['pending']} pending, {counters['failed']} failed",
        f"  {_reviews(counters)}",
        f"  saved {_ago(state.last_updated)}",
    ]
    if state.blocked_reason:
        lines.append(f"  blocked: {clean(state.blocked_reason)}")
    lines += [_line(route, beat) for route, beat in beats.items()]
    left = counters["pending"] + counters["review_pending"]
    if holder is None and (left or counters["failed"] or counters["review_failed"]):
        lines.append(f"Next: {again.go_on if left else again.retry}")
    return Group(*(Text(line) for line in lines))


def _reviews(counters: dict[str, int]) -> str:
    words = f"{counters['review_complete']} reviewed, {counters['review_pending']} to be reviewed"
    failed = counters["review_failed"]
    return f"{words}, {failed} could not be reviewed" if failed else words


def _line(route: str, beat: Beat) -> str:
    tally = beat.tally
    counts = f"{counted(tally.actions, 'action')}, {counted(tally.bugs, 'bug')}"
    return f"  {clean(route)}: {counts}, {clean(beat.doing)}"


def _word(state: State, holder: Holder | None) -> str:
    if holder is not None:
        return f"running in process {holder.pid} since {holder.since:%Y-%m-%d %H:%M:%S} UTC"
    return "stopped" if state.status == "running" else str(state.status)


def _ago(moment: datetime) -> str:
    seconds = int((datetime.now(UTC) - moment).total_seconds())
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit} ago"
    return f"{max(0, seconds)} seconds ago"
