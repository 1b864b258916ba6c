"""The two origins of the practice site: pages by name on the first, a frame on the second.

`/{name}` and `/{name}/{part}` are the files below `pages/`; `pages.toml` adds a status or
headers to some. Leaves out what answers with more than a file (`behaviours`).
"""

from __future__ import annotations

import secrets
import threading
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from examples.kit import files
from examples.kit.messages import Request, Response, html, plain
from examples.kit.routes import Routes
from examples.kit.server import Server
from examples.practice.behaviours import add_behaviours

HERE = Path(__file__).parent
PAGES = HERE / "pages"


def names() -> list[str]:
    """The situations, in alphabetical order."""
    return sorted(file.stem for file in PAGES.glob("*.html") if file.stem != "index")


def serve(port: int = 0, log: Path | None = None) -> PracticeServer:
    """Both origins in threads."""
    return PracticeServer(port=port, log=log)


class PracticeServer(Server):
    """The first origin; `other` is the second one."""

    def __init__(self, *, port: int = 0, log: Path | None = None) -> None:
        self._closing = threading.Event()
        self.other = Server(Site(Routes(), "", PAGES / "other-origin").answer)
        routes = Routes()
        add_behaviours(routes, self._closing)
        super().__init__(Site(routes, self.other.url, PAGES).answer, port=port, log=log)

    def close(self) -> None:
        """End what is held open, then both origins."""
        self._closing.set()
        self.other.close()
        super().close()


@dataclass(frozen=True)
class Site:
    """Files of one folder; rows of `routes` stand before them."""

    routes: Routes
    other: str
    pages: Path

    def answer(self, request: Request) -> Response:
        """A behaviour, a static file, or a page."""
        if self.routes.find(request.method, request.path):
            return self.routes.answer(request)
        if request.path == "/favicon.ico":
            return files.static(HERE / "static", "favicon.svg")
        if request.path.startswith("/static/"):
            return files.static(HERE / "static", request.path.removeprefix("/static/"))
        return self._page(request.path.strip("/") or "index")

    def _page(self, name: str) -> Response:
        file = (self.pages / f"{name}.html").resolve()
        if not file.is_relative_to(self.pages) or not file.is_file():
            return plain("Not found\n", 404)
        text = files.read(file).replace("{{other}}", self.other)
        text = text.replace("{{token}}", secrets.token_hex(8)).replace("{{links}}", _links())
        extra = _extras().get(name, {})
        headers = tuple(extra.get("headers", {}).items())
        return html(text, extra.get("status", 200), headers)


def _extras() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files.read(HERE / "pages.toml"))


def _links() -> str:
    row = files.read(HERE / "static" / "link.html")
    return "".join(row.replace("{{name}}", name) for name in names())
