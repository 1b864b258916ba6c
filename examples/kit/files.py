"""Package data as responses: static files by suffix, templates with escaped values.

A name with a slash-dot or an unknown suffix is not served. Leaves out caching and ranges.
"""

from __future__ import annotations

import html as markup
import mimetypes
import re
from functools import cache
from pathlib import Path
from string import Template

from examples.kit.messages import Response, plain

_NAME = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\.[a-z0-9]+")


@cache
def read(path: Path) -> str:
    """The text of a package file, read once."""
    return path.read_text(encoding="utf-8")


def fill(path: Path, /, **values: object) -> str:
    """The template with its values escaped; a value of type `Safe` is put in as it is."""
    texts = {name: _text(value) for name, value in values.items()}
    return Template(read(path)).substitute(texts)


class Safe(str):
    """Markup that was made by a template and needs no escaping."""

    __slots__ = ()


def static(folder: Path, name: str) -> Response:
    """The file `name` below `folder`."""
    file = folder / name
    if not _NAME.fullmatch(name) or not file.is_file():
        return plain("Not found\n", 404)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(body=file.read_bytes(), content_type=kind)


def _text(value: object) -> str:
    return value if isinstance(value, Safe) else markup.escape(str(value))
