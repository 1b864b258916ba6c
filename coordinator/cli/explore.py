"""`mazewave explore [URL]`: test every route of the map, or go on where a run stopped.

Asks before it starts on a terminal; without a terminal it says that it goes ahead. Leaves out how a
run works (`driver`).
"""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from coordinator.cli import options, paint
from coordinator.cli.ending import ended
from coordinator.cli.session import Session
from coordinator.driver.preflight import reach
from coordinator.driver.prepare import Prepared, begin_anew, map_path, open_project, prepare
from coordinator.driver.run import check_login
from coordinator.errors import Declined, ExitCode
from coordinator.records import state_file
from coordinator.reporting.words import counted
from coordinator.settings import Settings


@click.command("explore")
@options.url
@options.routes
@click.option(
    "--select",
    multiple=True,
    metavar="WHAT",
    help="Only these: a route, /part/*, a category, all. May be repeated.",
)
@options.preset
@click.option("--depth", default=3, show_default=True, help="When there is no map: clicks deep.")
@click.option("--anew", is_flag=True, help="Test everything again; the run before is kept.")
@click.option("--follow", is_flag=True, default=None, help="Test pages too that the map lacks.")
@click.option("--retry-failed", is_flag=True, help="Try the failed routes again.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@options.shared
def command(
    select: tuple[str, ...],
    depth: int,
    *,
    anew: bool,
    retry_failed: bool,
    yes: bool,
    **flags: Any,
) -> int:
    """Use every control of every page of an app, and report what is broken.

    Without a route map the routes are looked for first. Run it again to go on where it stopped.
    """
    wish = Wish(select, depth, retry_failed, yes, anew)
    with Session(options.settings_from(flags)) as session:
        return carry_out(wish, session)


@dataclass(frozen=True)
class Wish:
    """What the user asked for, beyond the settings."""

    select: tuple[str, ...] = ()
    depth: int = 3
    retry_failed: bool = False
    yes: bool = False
    anew: bool = False


def carry_out(wish: Wish, session: Session) -> int:
    """Look for routes if there is no map, ask, explore; the exit code."""
    settings = session.settings
    check_login(settings)
    opened = open_project(settings, datetime.now(UTC))
    if wish.anew:
        opened = begin_anew(opened, session.workspace.folder, datetime.now(UTC))
    for note in opened.notes:
        paint.say(f"note: {note}", "yellow")
    reach(opened.base_url)
    target = map_path(settings)
    mapless = opened.state is None and not target.is_file()
    if mapless and (code := session.discover(opened.base_url, target, wish.depth)):
        return code
    now = datetime.now(UTC)
    plan = prepare(opened, settings, wish.select, now, retry_failed=wish.retry_failed)
    if plan.nothing_left:
        # Saved all the same: a state that was just rebuilt is on no disk yet.
        state_file.save(plan.state, session.workspace.folder, now)
        return ended(plan.state, session.workspace.folder, ExitCode.OK, session.again)
    _ask(plan, settings, wish)
    return session.explore(plan.state)


def _ask(plan: Prepared, settings: Settings, wish: Wish) -> None:
    """Say what will be done, and ask whether it shall be."""
    for line in _lines(plan, settings, wish.select):
        paint.say(line)
    if wish.yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        paint.say("there is no terminal to ask on: going ahead")
        return
    if not click.confirm("Go ahead?", default=True, err=True):
        raise Declined("nothing was done", "run it again with other flags, or with -y")


def _lines(plan: Prepared, settings: Settings, select: tuple[str, ...]) -> list[str]:
    state = plan.state
    counts = f"{counted(len(state.pending), 'route')} to test"
    if plan.resumed:
        counts += f" ({len(state.completed)} tested already, {len(state.failed)} failed)"
    if plan.retried:
        counts += f", {plan.retried} of them once more"
    if plan.resumed and plan.added:
        counts += f", {plan.added} of them new"
    where = (settings.broker and "your broker") or counted(settings.concurrency, "local browser")
    lines = [f"Plan: {counts}", f"  app     {state.base_url}", f"  policy  {settings.policy}"]
    if not select and not plan.resumed:
        lines.append("  routes  the whole map; choose some with --select")
    lines.append(f"  with    {where}, preset {settings.preset}")
    lines.append(f"  into    {Path(settings.project).absolute()}")
    return lines
