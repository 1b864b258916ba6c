"""`mazewave discover URL`: find the routes of an app and write ROUTE_MAP.md.

With a browser that follows links and opens menus, from a list of routes, or from the route files of
the project's code. What a map holds that is about to be replaced gives the samples that paths with
parameters need. Leaves out joining what a browser and the code say.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from coordinator.cli import options, paint
from coordinator.cli.session import Session
from coordinator.driver.code_map import map_of_code
from coordinator.driver.discovery_desk import map_of_list
from coordinator.driver.preflight import reach
from coordinator.driver.run import check_login
from coordinator.errors import ExitCode, RequestError
from coordinator.planning.routes import normalise
from coordinator.records import route_map
from coordinator.reporting.words import counted
from coordinator.settings import Settings

_NOTES = 20


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
@click.option(
    "--from-code",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Read the route files of the project in this folder, instead of a browser. No URL is "
    "needed; --from-list then gives samples for routes like /users/:id.",
)
@click.option("--depth", default=3, show_default=True, help="How many clicks deep to look.")
@options.shared
def command(
    output: Path | None, from_list: Path | None, from_code: Path | None, depth: int, **flags: Any
) -> int:
    """Find the routes of an app and write them into ROUTE_MAP.md."""
    settings = options.settings_from(flags)
    target = output or settings.project / route_map.FILE_NAME
    if from_code is not None:
        _from_code(from_code, from_list, settings.url, target)
    elif not settings.url:
        raise RequestError(
            "no URL was given",
            "say which app: mazewave discover http://…, or read its code: --from-code DIR",
        )
    elif from_list is not None:
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


def _from_code(folder: Path, samples: Path | None, base_url: str, target: Path) -> None:
    lines = _listed(samples).splitlines() if samples is not None else []
    known = [route for line in lines if (route := normalise(line, base_url or line)) is not None]
    try:
        known += route_map.load(target).names() if target.exists() else ()
    except RequestError as error:
        paint.say(f"note: {error.sentence}; it gives no samples", "dim")
    made = map_of_code(folder, base_url, known, datetime.now(UTC))
    for line in made.told:
        paint.say(line)
    for note in made.notes[:_NOTES]:
        paint.say(f"note: {note}", "dim")
    if len(made.notes) > _NOTES:
        paint.say(f"and {len(made.notes) - _NOTES} notes more", "dim")
    route_map.save(target, made.found)


def _listed(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"{path} cannot be read: {error}", "check --from-list") from error


def _from_list(path: Path, base_url: str, target: Path) -> None:
    text = _listed(path)
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
