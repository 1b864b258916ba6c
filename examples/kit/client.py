"""A client for tests: one request at a time, no redirects followed, cookies kept.

Leaves out everything a browser does beyond that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit


class Answer(NamedTuple):
    """What came back; header names in lower case."""

    status: int
    text: str
    headers: dict[str, str]


@dataclass
class Client:
    """Asks one origin."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> Answer:
        """A GET."""
        return self.ask("GET", path)

    def post_form(self, path: str, **fields: str) -> Answer:
        """A POST as a form sends it."""
        return self.ask("POST", path, urlencode(fields))

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        """Any request; a dropped connection raises `ConnectionError`."""
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        try:
            connection.request(method, path, body.encode(), {**self._headers(), **headers})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            self._keep(found.get("set-cookie", ""))
            return Answer(response.status, response.read().decode("utf-8", "replace"), found)
        finally:
            connection.close()

    def _headers(self) -> dict[str, str]:
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": pairs, "Connection": "close"}

    def _keep(self, line: str) -> None:
        name, _, value = line.partition(";")[0].partition("=")
        if name:
            self.cookies[name] = value
