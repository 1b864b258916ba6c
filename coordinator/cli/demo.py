"""`mazewave demo`: explore a small shop with planted faults, and compare.

The shop runs as a child process and is explored as any app is; what is known about it comes from
`faults.toml` only after the run. Leaves out the shop itself (`examples.shop`).
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import click
import msgspec
from rich.table import Table
from rich.text import Text

from coordinator.cli import options, paint
from coordinator.cli.again import Again
from coordinator.cli.session import Session
from coordinator.driver.prepare import map_path, open_project, prepare
from coordinator.driver.workspace import Workspace
from coordinator.embedded.ties import die_with_parent
from coordinator.errors import ExitCode, HostError, RequestError
from coordinator.records import route_map
from coordinator.records.reports import REPORTS, SCREENSHOTS
from coordinator.records.state import State
from coordinator.records.state_file import FILE_NAME
from coordinator.reporting.distinct import FoundBug
from coordinator.reporting.findings import gather
from coordinator.reporting.words import clean
from coordinator.settings import load

FOLDER = "mazewave-demo"
_AGAIN = Again("mazewave demo", "mazewave demo")
"""The shop goes with the command, so there is nothing that another one could go on with."""

READY_S = 20.0


class Fault(msgspec.Struct, frozen=True):
    """A planted fault, as `faults.toml` describes it."""

    id: str
    route: str
    kind: str
    severity: str
    label: str
    description: str
    needs: str = ""


class _Faults(msgspec.Struct, frozen=True):
    fault: list[Fault]


@click.command("demo")
@options.project
@click.option("-c", "--concurrency", type=int, help="Local browser workers.")
def command(project: Path | None, concurrency: int | None) -> int:
    """Explore a small shop with planted faults and compare what was found with what was planted."""
    folder = project or Path(FOLDER)
    secret = {"SHOP_PASSWORD": secrets.token_urlsafe(12)}
    shop = resources.files("examples.shop")
    with _shop(secret) as url, resources.as_file(shop / "login.toml") as login:
        flags = {"project": folder, "url": url, "concurrency": concurrency, "login": login}
        settings = load(flags)
        with Session(settings, env=secret, again_with=_AGAIN) as session:
            _begin_anew(session.workspace)
            _copy_map(map_path(settings))
            opened = open_project(settings, datetime.now(UTC))
            plan = prepare(opened, settings, (), datetime.now(UTC), retry_failed=False)
            code = session.explore(plan.state)
    if code not in {ExitCode.OK, ExitCode.REMAINS}:
        return code
    _compare(plan.state, folder)
    return ExitCode.OK


@contextmanager
def _shop(secret: dict[str, str]) -> Iterator[str]:
    """The address of a shop that runs as long as the block, with a password of its own."""
    line = [sys.executable, "-m", "examples.shop", "--port", "0"]
    env = {**os.environ, **secret}
    with subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env=env,
        preexec_fn=die_with_parent(signal.SIGTERM),  # noqa: PLW1509 - there is one thread so far
    ) as shop:
        try:
            url = shop.stdout.readline().decode().strip() if shop.stdout else ""
            if not url.startswith("http"):
                raise HostError("the shop did not start", "run: python -m examples.shop --port 0")
            yield url
        finally:
            shop.terminate()


def _begin_anew(workspace: Workspace) -> None:
    """Remove an earlier demo, which cannot go on at the shop's new port; never another run."""
    folder, mark = workspace.folder, workspace.ours / "demo"
    there = [name for name in (FILE_NAME, route_map.FILE_NAME, REPORTS) if (folder / name).exists()]
    if there and not mark.exists():
        raise RequestError(
            f"{folder} holds {there[0]}, which is of no demo",
            "choose another folder with --project DIR",
        )
    mark.touch()
    (folder / FILE_NAME).unlink(missing_ok=True)
    for name in (REPORTS, SCREENSHOTS):
        shutil.rmtree(folder / name, ignore_errors=True)


def _copy_map(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    text = (resources.files("examples.shop") / "ROUTE_MAP.md").read_text(encoding="utf-8")
    target.write_text(text, encoding="utf-8")


def planted() -> list[Fault]:
    """The faults that can be seen under the default policy."""
    text = (resources.files("examples.shop") / "faults.toml").read_text(encoding="utf-8")
    faults = msgspec.convert(tomllib.loads(text), _Faults).fault
    return [fault for fault in faults if not fault.needs]


def match(faults: list[Fault], bugs: tuple[FoundBug, ...]) -> dict[str, FoundBug]:
    """For each fault the bug that shows it; a bug shows at most one fault."""
    found: dict[str, FoundBug] = {}
    used: set[int] = set()
    for fault in faults:
        for number, item in enumerate(bugs):
            if number not in used and _shows(item, fault):
                found[fault.id] = item
                used.add(number)
                break
    return found


def _shows(found: FoundBug, fault: Fault) -> bool:
    bug = found.bug
    last = bug.path[-1].label if bug.path and bug.path[-1].action != "open" else ""
    return found.route == fault.route and bug.kind == fault.kind and last == fault.label


def _compare(state: State, folder: Path) -> None:
    faults, findings = planted(), gather(state, folder)
    found = match(faults, findings.bugs)
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("", "Planted", "Route", "Kind", "Description"):
        table.add_column(title, overflow="fold")
    for fault in faults:
        mark = Text("✓", style="green") if fault.id in found else Text("✗", style="red")
        cells = (fault.id, fault.route, fault.kind, clean(fault.description))
        table.add_row(mark, *(Text(cell) for cell in cells))
    paint.result(Text())
    paint.result(table)
    extra = len(findings.bugs) - len(found)
    paint.result(f"\n{len(found)} of {len(faults)} planted faults found, {extra} other bugs.")
