"""A table from method and path pattern to handler: `/products/{id}` matches digits only.

The first matching row wins. Leaves out sessions and what handlers do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from examples.kit.messages import Request, Response, plain

Handler = Callable[..., Response]


@dataclass
class Routes:
    """The rows in order; handlers get the request and one int per `{placeholder}`."""

    rows: list[tuple[str, re.Pattern[str], Handler]] = field(default_factory=list)

    def add(self, method: str, pattern: str, handler: Handler) -> None:
        """Append one row."""
        expression = re.sub(r"\\\{\w+\\\}", r"(\\d+)", re.escape(pattern))
        self.rows.append((method, re.compile(expression), handler))

    def find(self, method: str, path: str) -> tuple[Handler, tuple[int, ...]] | None:
        """The handler for this request with its numbers, or None."""
        for row_method, pattern, handler in self.rows:
            match = pattern.fullmatch(path) if row_method == method else None
            if match:
                return handler, tuple(int(group) for group in match.groups())
        return None

    def answer(self, request: Request) -> Response:
        """Call the handler; an unknown path is a plain 404."""
        method = "GET" if request.method == "HEAD" else request.method
        found = self.find(method, request.path)
        if found is None:
            return plain("Not found\n", 404)
        handler, numbers = found
        return handler(request, *numbers)
