"""`mazewave report`: write all pages anew from the state and the reports on disk, and say where.

With it what changed since an earlier run: the one before, or that of `--against`. Invariant: it
tests nothing, and leaves the state and the route reports as they are. Leaves out what the pages
look like (`reporting`).
"""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from coordinator.cli import options, paint
from coordinator.cli.again import again
from coordinator.cli.ending import exit_code
from coordinator.cli.standing import state_in
from coordinator.driver.workspace import Workspace
from coordinator.errors import ExitCode, RequestError
from coordinator.records.reports import REPORTS
from coordinator.records.state import State
from coordinator.reporting import publish, summary
from coordinator.reporting.comparison import Comparison
from coordinator.reporting.earlier import since, since_the_run_before
from coordinator.reporting.findings import Findings, gather


@click.command("report")
@click.option("--open", "opened", is_flag=True, help="Open the page in your browser.")
@click.option(
    "--against",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of an earlier run: say what is new, fixed, still there, gone.",
)
@options.project
def command(*, opened: bool, against: Path | None, **flags: Any) -> int:
    """Write the reports of the run in this folder anew, and say what they say."""
    settings = options.settings_from(flags)
    folder = settings.project.absolute()
    state = state_in(folder)
    findings = gather(state, folder)
    compared = _compared(against, state, findings, folder)
    with Workspace(folder):
        page = publish.write_all(findings, state, folder, compared)
    told = again(settings)
    steps = summary.next_steps(findings, page, told.go_on, told.retry)
    paint.result(summary.render(findings, folder, page, steps, compared))
    if opened:
        _open(page)
    return exit_code(findings, ExitCode.OK)


def _compared(
    against: Path | None, state: State, findings: Findings, folder: Path
) -> Comparison | None:
    """With the run that was named, else with the one before, if there was one."""
    if against is None:
        return since_the_run_before(state, findings, folder)
    if against.absolute() in {folder, folder / REPORTS}:
        raise RequestError(
            f"{against} is this run itself",
            "name the folder of an earlier one, such as a copy that was kept",
        )
    return since(against.absolute(), findings, folder, name=str(against))


def _open(page: Path) -> None:
    """Show the page; a machine without a browser for people is told where it is."""
    seen = sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    try:
        done = seen and webbrowser.open(page.as_uri())
    except webbrowser.Error:
        done = False
    if not done:
        paint.say(f"no browser was found here; open this file in one: {page}", "yellow")
