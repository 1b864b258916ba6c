"""What the benchmarks share: a small server for their pages, a folder that goes away, a table.

Invariant: whatever way a benchmark ends, nothing of it stays behind.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGES = Path(__file__).parent / "pages"


class _Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def serving(folder: Path = PAGES) -> Iterator[str]:
    """The address of a server for the files of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on stdout: the first column to the left, numbers to the right."""
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    print(f"\n{title}")
    for line in lines:
        first, *rest = (
            cell.ljust(w) if at == 0 else cell.rjust(w)
            for at, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        print("  " + "  ".join([first, *rest]).rstrip())
