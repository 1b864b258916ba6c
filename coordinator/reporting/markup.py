"""Filling HTML templates so that nothing from a page under test can become markup.

Invariant: every value is escaped, unless it is `Markup`, which only a template makes. Leaves out
the templates, which are files of their own.
"""

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from string import Template
from urllib.parse import quote


class Markup(str):
    """Text that a template made, and that needs no escaping."""

    __slots__ = ()


NOTHING = Markup("")


def fill(template: str, /, **values: object) -> Markup:
    """The template with its values."""
    text = Template(raw(template))
    return Markup(text.substitute({key: _safe(value) for key, value in values.items()}))


@cache
def raw(name: str) -> Markup:
    """A template that has no values, such as a style sheet or a script."""
    folder = resources.files("coordinator.reporting.templates")
    return Markup((folder / name).read_text(encoding="utf-8"))


def join(parts: Iterable[Markup]) -> Markup:
    """Pieces one after the other."""
    return Markup("\n".join(parts))


def link(*parts: str) -> str:
    """A relative address of a file, each part of it quoted, so that none leaves its folder."""
    return "/".join(quote(part, safe="") if part != ".." else part for part in parts)


def data(value: object) -> Markup:
    """JSON for a script element: ASCII, and no letter in it can end the element or begin one."""
    text = json.dumps(value, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def digest(text: str) -> str:
    """What a content security policy calls an inline element that may be there."""
    found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{found}'"


def _safe(value: object) -> str:
    return value if isinstance(value, Markup) else html.escape(str(value))
