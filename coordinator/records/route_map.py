"""ROUTE_MAP.md: which routes there are, which are left out, and how they group.

A hand-written map may hold only bullet lists, or only the registry table; `parse` reads both, and a
route named in a category but missing from the registry is a route all the same. Invariant:
`parse(render(map)) == map`. A malformed row is a `RequestError` that names file and line. Leaves
out finding the routes, which is `discover`'s.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NoReturn

import msgspec

from contract.vocabulary import PageType
from coordinator.errors import RequestError
from coordinator.planning.routes import normalise_path
from coordinator.records.atomic import write_atomic

FILE_NAME = "ROUTE_MAP.md"

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_CATEGORY = re.compile(r"(?:Category\s+\d+:\s*)?(.*?)(?:\s*\(\d+\))?")
_BULLET = re.compile(r"\s*[-*+]\s+(.*)")
_RULE = re.compile(r"\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?")
_FACT = re.compile(r">\s*(Generated|Source):\s*(.*)")
_PARTS = {"route registry", "route categories", "route map"}


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a map."""


class MapRoute(Part, frozen=True, kw_only=True):
    route: str
    page_type: PageType | None = None
    parent: str = ""
    actions: tuple[str, ...] = ()
    status: str = "pending"


class Excluded(Part, frozen=True, kw_only=True):
    route: str
    reason: str


class Category(Part, frozen=True, kw_only=True):
    name: str
    routes: tuple[str, ...]


class RouteMap(Part, frozen=True, kw_only=True):
    """Routes in the order of the file, those that only a category names last."""

    routes: tuple[MapRoute, ...]
    excluded: tuple[Excluded, ...] = ()
    categories: tuple[Category, ...] = ()
    generated: str = ""
    source: str = ""

    def names(self) -> tuple[str, ...]:
        return tuple(entry.route for entry in self.routes)


def load(path: Path) -> RouteMap:
    """The map at `path`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise RequestError(
            f"there is no route map at {path}", "write one with: mazewave discover URL"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(
            f"{path} cannot be read: {error}", "save it as UTF-8 text that you may read"
        ) from error
    return parse(text, path.name)


def save(path: Path, route_map: RouteMap) -> None:
    """Replace the map at `path`."""
    write_atomic(path, render(route_map).encode())


def parse(text: str, name: str = FILE_NAME) -> RouteMap:
    """The map that `text` describes."""
    reader = _Reader(name)
    for number, line in enumerate(text.splitlines(), 1):
        reader.read(number, line)
    return reader.finish()


class _Reader:
    """Line by line; knows the section it is in and the columns of the table it is in."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.section = ""
        self.columns: list[str] | None = None
        self.routes: dict[str, MapRoute] = {}
        self.lines: dict[str, int] = {}
        self.excluded: dict[str, str] = {}
        self.categories: dict[str, dict[str, None]] = {}
        self.facts: dict[str, str] = {}

    def read(self, number: int, line: str) -> None:
        if heading := _HEADING.match(line):
            self._open_section(heading.group(2))
        elif line.lstrip().startswith("|"):
            self._row(number, line.strip())
        else:
            self.columns = None
            if fact := _FACT.match(line):
                self.facts[fact.group(1)] = fact.group(2).strip()
            elif bullet := _BULLET.match(line):
                self._bullet(number, bullet.group(1).strip())

    def _open_section(self, title: str) -> None:
        self.section, self.columns = title, None

    @property
    def _excluding(self) -> bool:
        return self.section.lower().startswith("excluded")

    def _row(self, number: int, line: str) -> None:
        if self.columns is None:
            self.columns = [cell.lower() for cell in split_row(line)]
            return
        if _RULE.fullmatch(line) or "route" not in self.columns:
            return
        cells = split_row(line)
        if len(cells) != len(self.columns):
            self._fail(number, f"has {len(cells)} cells where {len(self.columns)} are needed")
        row = dict(zip(self.columns, cells, strict=True))
        if self._excluding or "reason" in row:
            self.excluded.setdefault(unquote_code(row["route"]), row.get("reason", ""))
        else:
            self._register(number, row)

    def _register(self, number: int, row: dict[str, str]) -> None:
        route = self._route(number, row["route"])
        if route in self.lines:
            self._fail(number, f"names {route} again; line {self.lines[route]} has it already")
        self.lines[route] = number
        self.routes[route] = MapRoute(
            route=route,
            page_type=self._page_type(number, row.get("page type", "")),
            parent=unquote_code(row.get("parent", "")).strip("-"),
            actions=tuple(a for a in map(str.strip, row.get("known actions", "").split(",")) if a),
            status=row.get("status", "") or "pending",
        )

    def _page_type(self, number: int, text: str) -> PageType | None:
        if not text or text == "-":
            return None
        try:
            return PageType(text)
        except ValueError:
            self._fail(number, f"has the page type {text!r}", "one of: " + ", ".join(PageType))

    def _bullet(self, number: int, text: str) -> None:
        if not text.lstrip("`").startswith("/") or self._excluding:
            return
        route = self._route(number, text.split(maxsplit=1)[0])
        title = _CATEGORY.fullmatch(self.section)
        name = title.group(1) if title else self.section
        if name and name.lower() not in _PARTS:
            self.categories.setdefault(name, {})[route] = None
        self.routes.setdefault(route, MapRoute(route=route))

    def _route(self, number: int, text: str) -> str:
        text = unquote_code(text)
        if not text.startswith("/") or text.startswith("//"):
            self._fail(number, f"has {text!r} where a route like /settings is needed")
        if "?" in text.partition("#")[0]:
            self._fail(number, f"has a query in {text!r}; a route is a path")
        return normalise_path(text)

    def _fail(self, number: int, what: str, hint: str = "correct that line") -> NoReturn:
        raise RequestError(f"{self.name} line {number} {what}", hint)

    def finish(self) -> RouteMap:
        if not self.routes:
            raise RequestError(
                f"{self.name} names no route",
                "add rows to its registry, or write a new one with: mazewave discover URL",
            )
        return RouteMap(
            routes=tuple(self.routes.values()),
            excluded=tuple(Excluded(route=r, reason=why) for r, why in self.excluded.items()),
            categories=tuple(
                Category(name=name, routes=tuple(routes))
                for name, routes in self.categories.items()
            ),
            generated=self.facts.get("Generated", ""),
            source=self.facts.get("Source", ""),
        )


def split_row(line: str) -> list[str]:
    """The cells of a table row; `\\|` is a bar, `\\\\` a backslash."""
    cells: list[str] = []
    cell: list[str] = []
    characters = iter(line.strip().removeprefix("|"))
    for character in characters:
        if character == "\\":
            following = next(characters, "\\")
            cell.append(following if following in "|\\" else "\\" + following)
        elif character == "|":
            cells.append("".join(cell).strip())
            cell = []
        else:
            cell.append(character)
    if rest := "".join(cell).strip():
        cells.append(rest)
    return cells


def unquote_code(text: str) -> str:
    """A cell without the backquotes that people put around a route."""
    return text.strip().strip("`").strip()


def escape_cell(text: str) -> str:
    """Text as one table cell: a bar or a line break in it cannot break the table."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def render(route_map: RouteMap) -> str:
    """The canonical text of a map."""
    return "\n".join(_lines(route_map)) + "\n"


def _lines(route_map: RouteMap) -> Iterator[str]:
    yield "# Route Map"
    yield ""
    yield f"> Routes: {len(route_map.routes)}"
    yield f"> Generated: {route_map.generated}"
    yield f"> Source: {route_map.source}"
    yield from ("", "## Route Registry", "")
    yield "| # | Route | Page Type | Parent | Known Actions | Status |"
    yield "|---|-------|-----------|--------|---------------|--------|"
    for number, entry in enumerate(route_map.routes, 1):
        cells = (
            str(number),
            entry.route,
            entry.page_type or "",
            entry.parent,
            ",".join(action.replace(",", " ") for action in entry.actions),
            entry.status,
        )
        yield _row(cells)
    if route_map.excluded:
        yield from ("", "## Excluded Routes (not testable)", "")
        yield from ("| Route | Reason |", "|-------|--------|")
        yield from (_row((entry.route, entry.reason)) for entry in route_map.excluded)
    if route_map.categories:
        yield from ("", "## Route Categories")
    for number, category in enumerate(route_map.categories, 1):
        name = " ".join(category.name.split())
        yield from ("", f"### Category {number}: {name} ({len(category.routes)})")
        yield from (f"- {route}" for route in category.routes)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escape_cell(cell) for cell in cells) + " |"


def timestamp(moment: datetime) -> str:
    """An instant as the map writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
