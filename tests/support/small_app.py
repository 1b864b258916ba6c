"""A small app of given pages, for a situation that no bundled app has. It takes nothing in."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    pages: Mapping[str, str]


class _Page(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        body = self.server.pages.get(self.path, "")
        self.send_response(200 if body else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f"<!doctype html><title>Small</title><h1>Page</h1>{body}".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


@contextmanager
def serve(pages: Mapping[str, str]) -> Iterator[str]:
    """The address of an app with these pages by path; what is posted is answered with 501."""
    server = _Server(("127.0.0.1", 0), _Page)
    server.pages = pages
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
