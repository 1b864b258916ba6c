"""Two small apps with the same pages: in one of them each page has its fault, in the other none."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from contract.action_tree import Bug, Step
from contract.vocabulary import BugKind
from tests.support.reported import bug

GO = (Step(action="press", label="Go", locator="#go"),)
BOX = "<dialog id=box><button>Inside</button></dialog>"
SHOW = "document.querySelector('#box')"


class Fault(NamedTuple):
    """A kind of bug: a page that has it, the same page without it, and how it is reported."""

    kind: BugKind
    faulty: str
    sound: str
    actual: str = ""
    evidence: tuple[str, ...] = ()
    path: tuple[Step, ...] = ()

    @property
    def bug(self) -> Bug:
        return bug(
            kind=self.kind,
            actual=self.actual or "as it should not be",
            evidence=self.evidence,
            path=self.path,
            description=f"The page has {self.kind}",
        )


def button(script: str) -> str:
    return f'<button id="go" onclick="{script}">Go</button>'


FAULTS = (
    Fault(
        BugKind.BROKEN_RESOURCE,
        '<script src="/missing/app.js"></script>',
        '<script src="/app.js"></script>',
        actual="GET /missing/app.js answered 404",
    ),
    Fault(
        BugKind.STUCK_LOADING,
        '<p class="spinner">Loading …</p>',
        '<p class="spinner">Loading …</p><script>setTimeout(() => '
        "document.querySelector('.spinner').remove(), 800)</script>",
        evidence=(".spinner",),
    ),
    Fault(
        BugKind.TEXT_LEAK,
        "<p id=hello>Hello, undefined!</p>",
        "<p id=hello>Hello, Ada! Of undefined behaviour we say nothing.</p>",
        actual="“undefined!” in the text “Hello, undefined!”",
        evidence=("#hello",),
    ),
    Fault(
        BugKind.LAYOUT_OVERLAP,
        "<button id=a>One</button> <button id=b style='margin-left:-30px'>Two</button>",
        "<button id=a>One</button> <button id=b>Two</button>",
        evidence=("#a", "#b"),
    ),
    Fault(
        BugKind.TEXT_CLIPPED,
        "<p id=t style='width:60px;overflow:hidden;white-space:nowrap'>A long text, cut off</p>",
        "<p id=t style='width:60px'>A long text, cut off</p>",
        evidence=("#t",),
    ),
    Fault(
        BugKind.OVERFLOW_X,
        "<div style='width:3000px'>wide</div>",
        "<div style='width:300px'>narrow</div>",
    ),
    Fault(
        BugKind.OFFSCREEN_CONTROL,
        "<button id=go style='position:absolute;left:-200px'>Go</button>",
        "<button id=go>Go</button>",
        evidence=("#go",),
    ),
    Fault(
        BugKind.A11Y,
        "<img src=/ok.svg width=20 height=20>",
        "<img src=/ok.svg width=20 height=20 alt=sun>",
        actual="Images must have alternative text (image-alt): an element",
    ),
    Fault(
        BugKind.FOCUS_TRAP_BROKEN,
        button(f"{SHOW}.show()") + BOX + "<a href=/x>behind</a>",
        button(f"{SHOW}.showModal()") + BOX + "<a href=/x>behind</a>",
        path=GO,
    ),
    Fault(
        BugKind.DIALOG_CANNOT_CLOSE,
        button(f"{SHOW}.show()") + BOX,
        button(f"{SHOW}.showModal()") + BOX,
        path=GO,
    ),
    Fault(
        BugKind.INCONSISTENT,
        button("fetch('/turn').then(r => r.text()).then(n => { if (n % 2) location = '/other' })"),
        button("fetch('/turn').then(() => { location = '/other' })"),
        path=GO,
    ),
    Fault(
        BugKind.UNEXPECTED_LOGIN,
        button("location = '/ask'"),
        button("location = '/other'"),
        path=GO,
    ),
    Fault(
        BugKind.SLOW_ACTION,
        button("fetch('/slow')"),
        button("fetch('/turn')"),
        actual="GET /slow took 3.4 s",
        path=GO,
    ),
    Fault(
        BugKind.COUNT_MISMATCH,
        "<p id=n>12 orders</p><table><tbody><tr><td>1<tr><td>2</table>",
        "<p id=n>2 orders</p><table><tbody><tr><td>1<tr><td>2</table>",
        actual="“12 orders”, but 2 rows",
        evidence=("#n",),
    ),
)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    faulty = True
    turns = 0


class _Page(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        name = self.path.strip("/")
        if name == "slow":
            time.sleep(3.4)
        self.server.turns += name == "turn"
        known = {fault.kind.value: fault for fault in FAULTS}
        body = {
            "turn": str(self.server.turns),
            "ask": "<h1>Who are you?</h1><input type=password>",
            "other": "<h1>Other</h1>",
            "ok.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        }.get(name, "")
        if name in known:
            body = known[name].faulty if self.server.faulty else known[name].sound
            body = f"<!doctype html><title>Faults</title><h1>Page</h1>{body}"
        self._answer(404 if name.startswith("missing") else 200, body)

    def _answer(self, status: int, body: str) -> None:
        kind = "image/svg+xml" if self.path.endswith("svg") else "text/html"
        self.send_response(status)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@contextmanager
def serve(*, faulty: bool) -> Iterator[str]:
    """The address of one of the two apps."""
    server = _Server(("127.0.0.1", 0), _Page)
    server.faulty = faulty
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
