"""What goes wrong around a run: each time an exit code, a sentence, and what to do next."""

import json
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from coordinator.errors import ExitCode
from tests.journeys.stage import App, Ended, Place, app, finish, tells_the_next_step, wait_for_line

PATIENT = ("-y", "-c", "1")


def blocked(ended: Ended, place: Place, *routes: str) -> None:
    """Nothing is lost, nobody is blamed, and the next step can be pasted."""
    assert "Traceback" not in ended.err + ended.out
    assert "go on with: mazewave explore" in ended.out
    state = place.state()
    assert state.status == "blocked"
    assert not state.failed
    assert set(routes) <= set(state.pending)
    assert place.leftovers() == []


def test_without_a_chromium_the_run_is_blocked_and_doctor_knows_more(
    practice: App, place: Place
) -> None:
    place.map("/toasts")
    ended = place.run("explore", practice.url, *PATIENT, MAZEWAVE_BROWSER="/nonexistent")
    assert ended.code == ExitCode.HOST, ended
    assert "Blocked: browser_missing: no Chromium starts here" in ended.out
    assert "do what mazewave doctor says" in ended.out
    blocked(ended, place, "/toasts")
    doctor = place.run("doctor", MAZEWAVE_BROWSER="/nonexistent")
    assert doctor.code == ExitCode.HOST
    assert "✗ browser" in doctor.out
    assert "\n  → " in doctor.out
    again = place.run("explore", *PATIENT)
    assert again.code == ExitCode.OK, again


def test_an_app_that_dies_half_way_blocks_the_run_until_it_is_back(tmp_path: Path) -> None:
    place = Place(tmp_path / "project").map("/toasts", "/wizard", "/submenu")
    with app("examples.practice", tmp_path) as site:
        process = place.start("explore", site.url, *PATIENT)
        place.wait_for_reports(1, process)
        site.kill()
        ended = finish(process)
        assert ended.code == ExitCode.BLOCKED, ended
        assert "Blocked: app_unreachable: the app does not answer" in ended.out
        assert "start the app, then go on with: mazewave explore --concurrency 1" in ended.out
        blocked(ended, place, "/submenu")
        status = place.run("status")
        assert "blocked" in status.out
        assert "Next: mazewave explore" in status.out
        told = place.run("explore", *PATIENT)
        assert told.code == ExitCode.BLOCKED
        assert tells_the_next_step(told)
        site.start()
        again = place.run("explore", *PATIENT)
    assert again.code == ExitCode.OK, again
    assert "3 of 3 routes tested" in again.out


def test_an_app_that_wants_a_login_blocks_the_run_and_names_the_flags(
    shop: App, login: str, place: Place
) -> None:
    """It is not a failed route: none would fare better. The same for the search for routes."""
    searched = place.run("explore", shop.url, *PATIENT)
    assert searched.code == ExitCode.BLOCKED, searched
    assert tells_the_next_step(searched)
    assert "every page leads to a login" in searched.err
    assert "log in with --login FILE or --storage-state FILE" in searched.err
    assert not (place.folder / ".monkey-test-state.json").exists()
    place.map("/help")
    ended = place.run("explore", shop.url, *PATIENT)
    assert ended.code == ExitCode.BLOCKED, ended
    assert "Blocked: auth_lost" in ended.out
    assert "log in with --login FILE or --storage-state FILE, then go on" in ended.out
    blocked(ended, place, "/help")
    again = place.run("explore", "--login", login, *PATIENT)
    assert again.code == ExitCode.REMAINS, again
    assert "1 of 1 routes tested" in again.out


def test_a_login_that_does_not_hold_blocks_the_run(shop: App, login: str, tmp_path: Path) -> None:
    """A wrong password, and a storage state that has expired."""
    wrong = Place(tmp_path / "wrong").map("/help")
    expired = Place(tmp_path / "expired").map("/help")
    cookie = {"name": "corner_session", "value": "x", "domain": "127.0.0.1", "path": "/"}
    file = expired.folder / "state.json"
    file.write_text(json.dumps({"cookies": [{**cookie, "expires": -1}], "origins": []}))
    process = wrong.start(
        "explore", shop.url, "--login", login, *PATIENT, SHOP_PASSWORD="swordfish"
    )
    ended = expired.run("explore", shop.url, "--storage-state", file.name, *PATIENT)
    assert ended.code == ExitCode.BLOCKED, ended
    assert "Blocked: login_failed: the storage state is not logged in" in ended.out
    assert "put the login right, then go on with: mazewave explore --storage-state" in ended.out
    blocked(ended, expired, "/help")
    ended = finish(process)
    assert ended.code == ExitCode.BLOCKED, ended
    assert "Blocked: login_failed: the login at /login did not succeed" in ended.out
    assert f"then go on with: mazewave explore --login {login}" in ended.out
    assert "swordfish" not in ended.out + ended.err
    blocked(ended, wrong, "/help")


class Elsewhere(BaseHTTPRequestHandler):
    """One page, and one that leads to another origin."""

    def do_GET(self) -> None:
        away = self.path == "/away"
        self.send_response(302 if away else 200)
        if away:
            self.send_header("Location", "http://localhost:9/")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "15")
        self.end_headers()
        self.wfile.write(b"<p>hello</p>   ")

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_route_that_leads_out_of_the_app_is_a_failed_route(place: Place) -> None:
    place.map("/", "/away")
    with serving(Elsewhere) as url:
        ended = place.run("explore", url, *PATIENT)
    assert ended.code == ExitCode.REMAINS, ended
    assert "1 of 2 routes tested" in ended.out
    assert "/away: redirected_out: the route leads out of the app" in ended.out
    assert "try the failed ones again with: mazewave explore" in ended.out
    assert place.state().failed.keys() == {"/away"}


def a_state(place: Place, **meta: object) -> Path:
    """A state file of some other run."""
    ours = {"version": 1, "run_id": "r", **meta}
    document = {
        "meta": {
            "project": "p",
            "base_url": "http://other.test",
            "created_at": "2026-01-02T03:04:05Z",
            "last_updated": "2026-01-02T03:04:05Z",
            "mazewave": ours,
        },
        "completed": [],
        "failed": [],
        "pending": ["/a"],
    }
    path = place.folder / ".monkey-test-state.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    ("meta", "says"),
    [
        ({}, "belongs to http://other.test, not to"),
        ({"version": 99}, "was written by a newer mazewave"),
    ],
)
def test_a_state_file_that_is_not_ours_is_left_alone(
    practice: App, place: Place, meta: dict[str, object], says: str
) -> None:
    path = a_state(place.map("/toasts"), **meta)
    before = path.read_bytes()
    ended = place.run("explore", practice.url, *PATIENT)
    assert ended.code == ExitCode.REQUEST, ended
    assert says in ended.err
    assert tells_the_next_step(ended)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("| 1 | /a | nonsense | - | - | pending |", "ROUTE_MAP.md line 4"),
        ("| 1 | /a |", "ROUTE_MAP.md line 4"),
    ],
)
def test_a_malformed_map_names_its_line(practice: App, place: Place, row: str, says: str) -> None:
    head = (
        "| # | Route | Page Type | Parent | Known Actions | Status |\n|---|---|---|---|---|---|\n"
    )
    (place.folder / "ROUTE_MAP.md").write_text(f"# Route Map\n{head}{row}\n")
    ended = place.run("explore", practice.url, *PATIENT)
    assert ended.code == ExitCode.REQUEST, ended
    assert says in ended.err
    assert tells_the_next_step(ended)


def test_a_port_that_is_taken_and_an_app_that_is_not_there(practice: App, place: Place) -> None:
    place.map("/toasts")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = place.run("explore", practice.url, "--metrics-port", port, *PATIENT)
    assert ended.code == ExitCode.HOST, ended
    assert tells_the_next_step(ended)
    ended = place.run("explore", f"http://127.0.0.1:{port}", *PATIENT)
    assert ended.code == ExitCode.BLOCKED, ended
    assert tells_the_next_step(ended)
    assert not (place.folder / ".monkey-test-state.json").exists()


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[None]:
    """Something mounted there; skips where that is not allowed."""
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip("only root may mount")
    done = subprocess.run([mount, *options, str(folder)], check=False, capture_output=True)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S607 - of the system


def test_a_folder_that_cannot_be_written_is_named(practice: App, tmp_path: Path) -> None:
    place = Place(tmp_path / "project").map("/toasts")
    with mounted(place.folder, "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs"):
        ended = Place(tmp_path).run("explore", practice.url, "--project", "project", *PATIENT)
        doctor = place.run("doctor")
    assert ended.code == ExitCode.HOST, ended
    assert "cannot be written: Read-only file system" in ended.err
    assert tells_the_next_step(ended)
    assert doctor.code == ExitCode.HOST
    assert "✗ folder" in doctor.out


def test_a_full_disk_pauses_the_run_until_there_is_room(practice: App, tmp_path: Path) -> None:
    place = Place(tmp_path / "project")
    with mounted(place.folder, "-t", "tmpfs", "-o", "size=80m", "tmpfs"):
        place.map("/toasts", "/wizard", "/submenu")
        process = place.start("explore", practice.url, *PATIENT)
        place.wait_for_reports(1, process)
        ballast = place.folder / "ballast"
        fill(ballast)
        wait_for_line(process, "no room left on")
        ballast.unlink()
        ended = finish(process)
        assert "it works again; going on" in ended.err
        state = place.state()
        assert not state.pending
        assert not list(place.folder.glob("*.corrupt-*"))


def fill(path: Path) -> None:
    """Take all the room that there is."""
    with path.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
