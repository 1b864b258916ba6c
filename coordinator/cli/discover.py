"""`mazewave discover URL`: find the routes of an app and write ROUTE_MAP.md.

With a browser that follows links and opens menus, or from a list of routes. Leaves out reading the
project's code for routes.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from coordinator.cli import options, paint
from coordinator.cli.session import Session
from coordinator.driver.discovery_desk import map_of_list
from coordinator.driver.preflight import reach
from coordinator.driver.run import check_login
from coordinator.errors import ExitCode, RequestError
from coordinator.records import route_map
from coordinator.reporting.summary import counted
from coordinator.settings import Settings


@click.command("discover")
@options.url
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write. [default: ROUTE_MAP.md in the project]",
)
@click.option(
    "--from-list",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A text file with a route or URL per line, instead of a browser.",
)
@click.option("--depth", default=3, show_default=True, help="How many clicks deep to look.")
@options.shared
def command(output: Path | None, from_list: Path | None, depth: int, **flags: Any) -> int:
    """Find the routes of an app and write them into ROUTE_MAP.md."""
    settings = options.settings_from(flags)
    if not settings.url:
        raise RequestError("no URL was given", "say which app: mazewave discover http://…")
    target = output or settings.project / route_map.FILE_NAME
    if from_list is not None:
        _from_list(from_list, settings.url, target)
    else:
        code = _with_a_browser(settings, target, depth)
        if code:
            return code
    _told(target)
    return ExitCode.OK


def _with_a_browser(settings: Settings, target: Path, depth: int) -> ExitCode:
    check_login(settings)
    with Session(settings) as session:
        reach(settings.url)
        return session.discover(settings.url, target, depth)


def _from_list(path: Path, base_url: str, target: Path) -> None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"{path} cannot be read: {error}", "check --from-list") from error
    found = map_of_list(text, base_url, datetime.now(UTC))
    if not found.routes:
        raise RequestError(
            f"{path} names no route of {base_url}", "write one path or URL on each line"
        )
    route_map.save(target, found)


def _told(target: Path) -> None:
    found = route_map.load(target)
    names = ", ".join(f"{category.name} ({len(category.routes)})" for category in found.categories)
    lines = [f"{target}: {counted(len(found.routes), 'route')}, {len(found.excluded)} left out"]
    if names:
        lines.append(f"Categories: {names}")
    lines.append("Next:       look it over, then run: mazewave explore")
    paint.result("\n".join(lines))
