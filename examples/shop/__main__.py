"""`python -m examples.shop [--port 0] [--clean] [--log FILE]`: serve the shop.

The first line on stdout is the address. Leaves out everything but the flags.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from examples.kit.command import serve_until_signal
from examples.shop.app import serve


def main() -> None:
    """Read the flags and serve."""
    parser = argparse.ArgumentParser(prog="python -m examples.shop", description="Demo shop")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--clean", action="store_true", help="serve it without the faults")
    parser.add_argument("--log", type=Path, help="append one JSON line per request")
    flags = parser.parse_args()
    server = serve(port=flags.port, clean=flags.clean, log=flags.log)
    serve_until_signal(server, server.url)


if __name__ == "__main__":
    main()
