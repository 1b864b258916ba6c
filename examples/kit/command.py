"""The command-line ending of both apps: print the address, serve until told to stop.

SIGTERM and SIGINT end the process with exit code 0. Leaves out the flags.
"""

from __future__ import annotations

import signal
import sys
import threading
from typing import Protocol


class Closeable(Protocol):
    """What can be stopped."""

    def close(self) -> None:
        """Stop for good."""


def serve_until_signal(server: Closeable, *lines: str) -> None:
    """Print the lines at once, wait for a signal, close the server."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
    stop.wait()
    server.close()
