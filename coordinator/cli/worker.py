"""`mazewave worker browser`: become a worker process.

The coordinator never imports a worker: this one replaces itself by it, so that signals and the exit
code are the worker's own. Leaves out everything that the worker does.
"""

import os
import sys

import click

from coordinator.errors import HostError

MODULES = {"browser": "workers.browser"}


@click.command("worker", context_settings={"ignore_unknown_options": True})
@click.argument("kind", metavar="KIND", type=click.Choice(list(MODULES)))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(kind: str, arguments: tuple[str, ...]) -> None:
    """Run one worker; MAZEWAVE_BROKER and MAZEWAVE_BLOBS say for whom."""
    line = [sys.executable, "-m", MODULES[kind], *arguments]
    try:
        os.execv(line[0], line)  # noqa: S606 - no shell is wanted
    except OSError as error:
        raise HostError(
            f"the worker cannot be started: {error.strerror}", "run: mazewave doctor"
        ) from error
