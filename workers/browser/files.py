"""The small files that a file chooser gets: synthetic, harmless, of the kind that is asked for."""

import base64

import msgspec

_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR42mNIgwIGyhgAlnUZgV8LQf0AAAAASUVO"
    "RK5CYII="
)
_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)


class File(msgspec.Struct, frozen=True):
    name: str
    mime: str
    data: bytes


_KINDS = (
    (
        ("image", ".png", ".jpg", ".jpeg", ".gif"),
        File("maze.png", "image/png", base64.b64decode(_PNG)),
    ),
    (("pdf",), File("maze.pdf", "application/pdf", _PDF)),
    (("csv", "excel", "spreadsheet"), File("maze.csv", "text/csv", b"name,amount\nMaze,1\n")),
    (("json",), File("maze.json", "application/json", b'{"name": "Maze test"}\n')),
    (("xml",), File("maze.xml", "application/xml", b"<maze/>\n")),
    (("html",), File("maze.html", "text/html", b"<!doctype html><title>Maze test</title>\n")),
)
_PLAIN = File("maze.txt", "text/plain", b"A text that a test wrote.\n")


def offered(wanted: str) -> File:
    """The file for an input's `accept`."""
    said = wanted.lower()
    return next((file for words, file in _KINDS if any(w in said for w in words)), _PLAIN)
