"""Corner Shop Admin: a small back office with planted faults, and its clean twin.

`serve()` starts it in a thread for tests; `python -m examples.shop` for people. The faults are
listed in `faults.toml`; they live in `faults.py` (server) and `static/planted.js` (browser) and
nowhere else, so that the app without them is simply the app.
"""

from examples.kit.server import Server
from examples.shop.app import serve

__all__ = ["Server", "serve"]
