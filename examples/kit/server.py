"""A small HTTP server in a thread, for one application function.

`with Server(app) as server:` serves on 127.0.0.1 until the block ends. Each request is noted in
`server.requests`, and in a JSON-lines file when one is given. Leaves out every route.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from examples.kit.messages import Request, Response

App = Callable[[Request], Response]


class Server:
    """One origin. `requests` holds (method, path) in the order of arrival."""

    def __init__(self, app: App, *, port: int = 0, log: Path | None = None) -> None:
        self.requests: list[tuple[str, str]] = []
        self._log = log
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", port), _handler(app, self._note))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The origin, without a slash at the end."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        """Stop listening and hang up on whoever is connected. A second call does nothing."""
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
            self._http.server_close()
            self._http.hang_up()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _note(self, method: str, path: str, status: int) -> None:
        with self._lock:
            self.requests.append((method, path))
            if self._log is not None:
                line = json.dumps({"method": method, "path": path, "status": status})
                with self._log.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")


class _Http(ThreadingHTTPServer):
    """Threads that neither outlive the process nor hold up its end."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._connected: set[socket.socket] = set()
        super().__init__(address, handler)

    def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
        """A connection, remembered as long as it is open."""
        connection, address = super().get_request()
        self._connected.add(connection)
        return connection, address

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """The end of a connection."""
        super().shutdown_request(request)
        self._connected.discard(request)

    def hang_up(self) -> None:
        """End what is still open; each thread then closes its own connection."""
        for connection in list(self._connected):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle is everyday; other errors are printed as usual."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # typeshed


def _handler(app: App, note: Callable[[str, str, int], None]) -> type[BaseHTTPRequestHandler]:
    """The handler class that `http.server` wants, closed over the application."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def _serve(self) -> None:
            request = _request(self)
            response = app(request)
            note(request.method, self.path, 0 if response.reset else response.status)
            if response.reset:
                _reset(self)
            else:
                _write(self, response)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = _serve  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its base's name
            """Silence: the request log is `Server.requests` and the file."""

    return Handler


def _request(handler: BaseHTTPRequestHandler) -> Request:
    parts = urlsplit(handler.path)
    length = int(handler.headers.get("Content-Length") or 0)
    return Request(
        method=handler.command,
        path=parts.path,
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        headers={name.lower(): value for name, value in handler.headers.items()},
        body=handler.rfile.read(length) if length else b"",
    )


def _write(handler: BaseHTTPRequestHandler, response: Response) -> None:
    handler.send_response(response.status)
    for name, value in response.headers:
        handler.send_header(name, value)
    if response.stream is not None:
        handler.close_connection = True
        handler.end_headers()
        handler.wfile.flush()
        response.stream(handler.wfile)
        return
    handler.send_header("Content-Type", response.content_type)
    handler.send_header("Content-Length", str(len(response.body)))
    handler.send_header("Cache-Control", "no-store")
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(response.body)


def _reset(handler: BaseHTTPRequestHandler) -> None:
    """Drop the connection with a TCP reset, so that the browser sees a failed request."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()
    handler.close_connection = True
