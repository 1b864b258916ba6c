"""Finding a Chromium that starts, and getting one where there is none.

Each candidate is proved by a real launch. The order: the configured path, Playwright's own build, a
headless shell on PATH, the channels chrome and msedge, a Chromium of the system (the binary rather
than its wrapper script). With `--install`: `playwright install`, then the system's package manager.

`python -m workers.browser.chromium [--json] [--install]` says what was found and what was tried.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from contract import wire

_SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
_BINARIES = ("/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser")
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_CHANNELS = {
    "chrome": (
        "/opt/google/chrome/chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "msedge": (
        "/opt/microsoft/msedge/msedge",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
}
_LAUNCH_MS = 20_000
_INSTALL_S = 600.0

ARGS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-site-isolation-trials",
    "--disable-dev-shm-usage",
)
"""One process for all frames of a page, so that the guard on the page sees every frame's requests.
"""


class Candidate(msgspec.Struct, frozen=True):
    """A browser to try: a path, or a channel that Playwright resolves, or neither for its own."""

    source: str
    path: str = ""
    channel: str = ""


class Found(msgspec.Struct, kw_only=True):
    """What the search ended with; `problem` is empty when there is a browser."""

    path: str = ""
    channel: str = ""
    version: str = ""
    source: str = ""
    tried: list[str] = []
    did: list[str] = []
    problem: str = ""
    remedy: str = ""


def candidates(configured: str) -> Iterator[Candidate]:
    """Where a browser may be, the best first."""
    if configured:
        yield Candidate("configured (MAZEWAVE_BROWSER)", path=configured)
        return
    yield Candidate("Playwright's own build")
    for name in _SHELLS:
        if path := shutil.which(name):
            yield Candidate("system headless shell", path=path)
    for channel in ("chrome", "msedge"):
        yield Candidate(f"channel {channel}", channel=channel)
    for name in _BINARIES:
        if Path(name).is_file():
            yield Candidate("system Chromium", path=name)
    for name in _COMMANDS:
        if path := shutil.which(name):
            yield Candidate("system Chromium", path=path)


def launch_options(candidate: Candidate | Found) -> dict[str, object]:
    """Keyword arguments for Playwright's `launch`."""
    options: dict[str, object] = {"args": list(ARGS), "headless": True}
    if candidate.path:
        options["executable_path"] = candidate.path
    if candidate.channel:
        options["channel"] = candidate.channel
    return options


def _prove(playwright: Playwright, candidate: Candidate) -> tuple[str, str]:
    """The version of a candidate that starts, or why it does not."""
    if not installed(playwright.chromium.executable_path, candidate):
        return "", "not installed"
    browser: Browser | None = None
    try:
        browser = playwright.chromium.launch(timeout=_LAUNCH_MS, **launch_options(candidate))  # type: ignore[arg-type]
        browser.new_page().close()
        version = browser.version
    except PlaywrightError as error:
        return "", error.message.splitlines()[0][:200]
    else:
        return version, ""
    finally:
        if browser is not None:
            browser.close()


def installed(own_path: str, candidate: Candidate) -> bool:
    """Whether a launch is worth trying: a failed one takes time and leaves folders behind."""
    if candidate.channel:
        return any(Path(path).exists() for path in _CHANNELS[candidate.channel])
    if candidate.path:
        return Path(candidate.path).exists()
    own = Path(own_path)
    builds = next((p for p in own.parents if p.name.startswith("chromium")), own).parent
    return any(builds.glob("chromium*/*"))


def find(configured: str = "") -> Found:
    """The first candidate that starts."""
    found = Found()
    with sync_playwright() as playwright:
        for candidate in candidates(configured):
            version, reason = _prove(playwright, candidate)
            name = f"{candidate.source}{f' {candidate.path}' if candidate.path else ''}"
            if version:
                found.path, found.channel = candidate.path, candidate.channel
                found.version, found.source = version, candidate.source
                found.tried.append(f"{name}: version {version}")
                if "/snap/" in str(Path(candidate.path).resolve()):
                    found.did.append("a snap Chromium is confined; another one is safer")
                return found
            found.tried.append(f"{name}: {reason}")
    found.problem = "no Chromium starts on this machine"
    found.remedy = (
        f"set MAZEWAVE_BROWSER to a Chromium that starts ({configured} does not)"
        if configured
        else "run `mazewave doctor --install-browser`, or set MAZEWAVE_BROWSER to a Chromium"
    )
    return found


def _run(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=_INSTALL_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _installers() -> Iterator[tuple[str, list[list[str]]]]:
    install = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    yield "playwright install chromium --only-shell", [install]
    if os.geteuid() != 0:
        return
    if apt := shutil.which("apt-get"):
        update = [apt, "update", "-qq"]
        for package in ("chromium-headless-shell", "chromium"):
            yield f"apt-get install {package}", [update, [apt, "install", "-y", "-qq", package]]
    for manager, arguments in (
        ("dnf", ["install", "-y"]),
        ("apk", ["add"]),
        ("pacman", ["-S", "--noconfirm"]),
    ):
        if path := shutil.which(manager):
            yield f"{manager} {arguments[0]} chromium", [[path, *arguments, "chromium"]]


def provide(configured: str = "") -> Found:
    """Find a browser; where there is none, get one. `did` says what was done."""
    found = find(configured)
    if not found.problem or configured:
        return found
    did: list[str] = []
    for name, commands in _installers():
        sys.stderr.write(f"browser: trying {name}\n")
        worked = all([_run(command) for command in commands][-1:])
        did.append(f"{name}: {'done' if worked else 'failed'}")
        if worked and not (again := find(configured)).problem:
            again.did = did + again.did
            return again
    found.did = did
    if os.geteuid() != 0:
        found.remedy = (
            "install Chromium with your package manager (Debian: `sudo apt-get install chromium`)"
        )
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m workers.browser.chromium")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--install", action="store_true")
    options = parser.parse_args(argv)
    configured = os.environ.get("MAZEWAVE_BROWSER", "")
    found = provide(configured) if options.install else find(configured)
    if options.json:
        sys.stdout.write(wire.dumps(found).decode() + "\n")
    else:
        lines = [
            *found.tried,
            *found.did,
            found.problem or f"browser: {found.version} ({found.source})",
        ]
        sys.stdout.write("\n".join(lines + ([found.remedy] if found.remedy else [])) + "\n")
    return 3 if found.problem else 0


if __name__ == "__main__":
    raise SystemExit(main())
