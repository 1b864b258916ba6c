"""Filling HTML templates so that nothing from a page under test can become markup.

Invariant: every value is escaped, unless it is `Markup`, which only a template makes. Leaves out
the templates, which are files of their own.
"""

import html
from importlib import resources
from string import Template
from urllib.parse import quote


class Markup(str):
    """Text that a template made, and that needs no escaping."""

    __slots__ = ()


def fill(name: str, **values: object) -> Markup:
    """The template `name` with its values."""
    text = (resources.files("coordinator.reporting.templates") / name).read_text(encoding="utf-8")
    return Markup(Template(text).substitute({key: _safe(value) for key, value in values.items()}))


def join(parts: list[Markup]) -> Markup:
    """Pieces one after the other."""
    return Markup("\n".join(parts))


def link(*parts: str) -> str:
    """A relative address of a file, each part of it quoted."""
    return "/".join(quote(part) for part in parts)


def _safe(value: object) -> str:
    return value if isinstance(value, Markup) else html.escape(str(value))
