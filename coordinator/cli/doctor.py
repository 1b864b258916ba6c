"""`mazewave doctor`: what a run needs of this machine, each finding with its remedy.

The browser is looked for by the worker's own module in a process of its own, since the coordinator
imports no worker. Leaves out repairing anything but the browser.
"""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.text import Text

from contract import wire
from coordinator.cli import options, paint
from coordinator.driver.redis_client import check
from coordinator.driver.workspace import LEAST_FREE
from coordinator.embedded import binary
from coordinator.errors import ExitCode, HostError
from coordinator.settings import Settings

SEARCH_S = 900.0


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `remedy` is set where it is not as it should be."""

    what: str
    fine: bool
    detail: str
    remedy: str = ""


class Browser(msgspec.Struct, kw_only=True):
    """What `workers.browser.chromium --json` prints."""

    path: str | None = None
    version: str | None = None
    source: str | None = None
    tried: list[str] = []
    did: list[str] = []
    problem: str | None = None
    remedy: str | None = None


@click.command("doctor")
@click.option("--install-browser", is_flag=True, help="Get a Chromium if there is none.")
@click.option("--json", "as_json", is_flag=True, help="For a program.")
@options.project
@click.option("--broker", metavar="URL", help="Check this Redis instead of the private broker.")
def command(*, install_browser: bool, as_json: bool, **flags: Any) -> int:
    """Check that this machine has all that a run needs."""
    settings = options.settings_from(flags)
    findings = [
        _python(),
        _packages(),
        _broker(settings),
        _folder(settings.project),
        _browser(install=install_browser),
    ]
    fine = all(finding.fine for finding in findings)
    if as_json:
        paint.result_json({"fine": fine, "findings": [asdict(item) for item in findings]})
    else:
        for finding in findings:
            paint.result(_line(finding))
    return ExitCode.OK if fine else ExitCode.HOST


def _line(finding: Finding) -> Text:
    mark, style = ("✓", "green") if finding.fine else ("✗", "red")
    text = Text.assemble((f"{mark} ", style), f"{finding.what:<9} {finding.detail}")
    if finding.remedy:
        text.append(f"\n  → {finding.remedy}")
    return text


def _python() -> Finding:
    version = platform.python_version()
    return Finding("python", True, f"{version} on {platform.system()} {platform.machine()}")


def _packages() -> Finding:
    names = ("mazewave", "dramatiq", "redis", "playwright", "msgspec")
    try:
        found = [f"{name} {metadata.version(name)}" for name in names]
    except metadata.PackageNotFoundError as error:
        return Finding("packages", False, f"{error.name} is missing", "pip install mazewave")
    return Finding("packages", True, ", ".join(found))


def _broker(settings: Settings) -> Finding:
    if settings.broker:
        problems = check(settings.broker)
        hint = "check its address and that it runs" if problems else ""
        return Finding("broker", not problems, problems[0] if problems else "yours answers", hint)
    try:
        return Finding("broker", True, f"private, {binary.find()}")
    except HostError as error:
        return Finding("broker", False, error.sentence, error.hint)


def _folder(folder: Path) -> Finding:
    there = folder if folder.is_dir() else folder.absolute().parent
    if not os.access(there, os.W_OK):
        return Finding("folder", False, f"{there} cannot be written", "use --project DIR")
    free = shutil.disk_usage(there).free
    detail = f"{there.absolute()}, {free // 2**20} MiB free"
    return Finding("folder", free >= LEAST_FREE, detail, "" if free >= LEAST_FREE else "free space")


def _browser(*, install: bool) -> Finding:
    line = [sys.executable, "-m", "workers.browser.chromium", "--json"]
    if install:
        line.append("--install")
        paint.say("looking for a browser …", "dim")
    try:
        done = subprocess.run(
            line, capture_output=True, timeout=SEARCH_S, check=False, stdin=subprocess.DEVNULL
        )
        found = wire.loads(done.stdout, Browser)
    except (OSError, subprocess.TimeoutExpired, wire.WireError) as error:
        return Finding(
            "browser", False, f"the search for one failed: {type(error).__name__}", _INSTALL
        )
    if found.problem or not found.version:
        tried = f" (tried: {', '.join(found.tried)})" if found.tried else ""
        detail = f"{found.problem or 'none was found'}{tried}"
        return Finding("browser", False, detail, found.remedy or _INSTALL)
    where = found.path or found.source or ""
    did = f" ({'; '.join(found.did)})" if found.did else ""
    return Finding("browser", True, f"Chromium {found.version}, {where}{did}")


_INSTALL = "mazewave doctor --install-browser"
