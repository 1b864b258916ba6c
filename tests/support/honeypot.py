"""An app that is full of ways to do harm, and writes down everything that reached it.

Kept are all requests that write, messages through a WebSocket, and requests of any method to what
`LEAVES` and `DESTROYS` name. The page is `honeypot.html`; labels say little about what a control
does, as in real apps.
"""

import base64
import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

SAVES = frozenset(
    {
        "POST /api/items",
        "PUT /api/items/1",
        "PATCH /api/items/1",
        "POST /api/visits",
        "POST /items",
        "POST /items/elsewhere",
        "POST /items/by-script",
        "POST /api/kept-alive",
        "POST /api/worker",
        "POST /frame/items",
        "POST /upload",
        "WS message",
    }
)
"""What an ordinary user does all day."""
DESTROYS = frozenset(
    {
        "DELETE /api/items/2",
        "POST /items/3",
        "GET /delete/1",
        "GET /delete/2",
        "GET /items/4/delete",
        "GET /api/items/5/delete",
        "POST /api/items/6/off",
        "POST /api/account/close",
        "POST /api/items/7/gone",
        "GET /items/8/delete",
        "POST /api/archive/all",
        "POST /graphql",
        "POST /api/overridden",
        "GET /wp",
        "POST /orders/9",
    }
)
LEAVES = frozenset({"GET /logout", "POST /logout", "POST /session/signout", "GET /account"})

_PAGES = Path(__file__).parent
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class _Handler(BaseHTTPRequestHandler):
    kept: ClassVar[list[str]]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self._socket()
            return
        what = f"GET {path}"
        if what in LEAVES | DESTROYS and (path not in {"/wp", "/account"} or query):
            self.kept.append(what)
        name = {"/": "honeypot.html", "/frame": "honeypot-frame.html"}.get(path)
        name = {"/popup": "honeypot-popup.html"}.get(path, name)
        body = (_PAGES / name).read_bytes() if name else b"<!doctype html><h1>Done</h1>"
        self._answer(body)

    def _write(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.kept.append(f"{self.command} {self.path.partition('?')[0]}")
        self._answer(b"<!doctype html><h1>Done</h1>")

    do_POST = do_PUT = do_PATCH = do_DELETE = _write  # noqa: N815 - the names of http.server

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _socket(self) -> None:
        """The handshake, then the frames of the client until it goes."""
        key = self.headers["Sec-WebSocket-Key"].encode()
        digest = hashlib.sha1(key + _GUID, usedforsecurity=False).digest()
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(digest).decode())
        self.end_headers()
        self.close_connection = True
        while len(head := self.rfile.read(2)) == 2:
            said = self.rfile.read(4 + (head[1] & 127))
            text = bytes(b ^ said[i % 4] for i, b in enumerate(said[4:]))
            if head[0] & 15 == 1 and text != b"hello":
                self.kept.append("WS message")
            if head[0] & 15 == 8:
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        """Nothing is printed."""


class Honeypot:
    """`url` of the page; `kept` is what reached the server."""

    def __init__(self, url: str, kept: list[str]) -> None:
        self.url = url
        self.kept = kept

    @property
    def reached(self) -> frozenset[str]:
        return frozenset(self.kept)


@contextmanager
def honeypot() -> Iterator[Honeypot]:
    """The app on a port of its own, until the block ends."""
    kept: list[str] = []
    handler = type("Handler", (_Handler,), {"kept": kept})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield Honeypot(f"http://127.0.0.1:{server.server_address[1]}", kept)
        finally:
            server.shutdown()
            thread.join()
