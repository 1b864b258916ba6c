"""`python -m tests.support.fake_explore PROJECT PORT`: `mazewave explore` with fake browsers.

The app it explores is its own small server, so that the look before a run finds one. For tests that
stop or kill a run from outside.
"""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from coordinator import settings
from coordinator.cli.explore import Wish, carry_out
from coordinator.cli.main import guarded
from coordinator.cli.session import Session

WORKER = (sys.executable, "-m", "tests.support.fake_browser")


class Page(BaseHTTPRequestHandler):
    """Every page of the app."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def main(arguments: list[str]) -> int:
    """Serve a page at the given port and explore it."""
    folder, port, *words = arguments
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    flags = {"project": folder, "url": f"http://127.0.0.1:{port}", "concurrency": 2}

    wish = Wish(yes=True, retry_failed="--retry-failed" in words, anew="--anew" in words)

    def explore() -> int:
        with Session(settings.load(flags, {}), WORKER) as session:
            return carry_out(wish, session)

    return guarded(explore)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
