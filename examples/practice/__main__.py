"""`python -m examples.practice [--port 0] [--log FILE]`: serve the practice site.

The first line on stdout is the address, the second that of the other origin.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from examples.kit.command import serve_until_signal
from examples.practice.app import serve


def main() -> None:
    """Read the flags and serve."""
    parser = argparse.ArgumentParser(prog="python -m examples.practice")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--log", type=Path, help="append one JSON line per request")
    flags = parser.parse_args()
    server = serve(port=flags.port, log=flags.log)
    serve_until_signal(server, server.url, server.other.url)


if __name__ == "__main__":
    main()
