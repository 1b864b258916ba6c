"""Flags that several commands share, and the settings that they make.

Leaves out defaults: those are `settings`', so that a flag that was not given stays None.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from contract.vocabulary import Policy
from coordinator.settings import OPTIONS, PRESETS, Settings, load

F = TypeVar("F", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path, dir_okay=False)

project = click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the state, the map and the reports. [default: .]",
)
_BACKEND = (
    click.option("--broker", metavar="URL", help="A Redis of yours instead of a private broker."),
    click.option("--blobs", metavar="WHERE", help="Shared folder or s3://… for bulk."),
    click.option("-c", "--concurrency", type=int, help="Local browser workers."),
    click.option(
        "--metrics-port", type=int, help="Serve Prometheus metrics on this port of this machine."
    ),
)
_APP = (
    click.option(
        "--policy",
        type=click.Choice([policy.value for policy in Policy]),
        help="How far to go. [default: read-only]",
    ),
    click.option("--login", type=_FILE, help="A login recipe (TOML)."),
    click.option("--storage-state", type=_FILE, help="A Playwright storage-state file."),
)
preset = click.option(
    "--preset", type=click.Choice(list(PRESETS)), help="How much of each route. [default: balanced]"
)
routes = click.option("--routes", type=_FILE, help="The route map. [default: ROUTE_MAP.md]")
url = click.argument("url", required=False)


def shared(function: F) -> F:
    """The flags of every command that starts workers."""
    for option in reversed((project, *_APP, *_BACKEND)):
        function = option(function)
    return function


def settings_from(flags: dict[str, Any]) -> Settings:
    """The settings from the flags that are settings, and the layers below."""
    return load({name: value for name, value in flags.items() if name in OPTIONS})
