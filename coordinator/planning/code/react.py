"""React Router: `<Route>` elements, route objects, and the route file of its framework mode.

Read are files named after routes or after the app (`App`, `main`, `index`), and from there the
component that a path with a `*` at its end hands the rest of the path to. Leaves out paths that the
app puts together while it runs; each is a note.
"""

from collections.abc import Iterator

from tree_sitter import Node

from coordinator.planning.code import paths
from coordinator.planning.code.branches import lay_out
from coordinator.planning.code.ecma import (
    SUFFIXES,
    Module,
    arguments,
    callee,
    every,
    imported,
    said,
)
from coordinator.planning.code.model import DEEPEST, Branch, Project
from coordinator.planning.code.values import Reader, Value

_ELEMENTS = ("jsx_element", "jsx_self_closing_element")
_MAKERS = {"createBrowserRouter": False, "createHashRouter": True, "useRoutes": False}
_ENTRIES = frozenset(("app", "main", "index", "root"))
_REDIRECTS = frozenset(("Navigate", "Redirect"))
_FRAMEWORK = "@react-router/dev/routes"
_TESTS = (".test.", ".spec.", ".stories.", ".d.ts")

Place = tuple[str, str]
"""A file and the top-level name in it that shows routes."""


def is_candidate(path: str) -> bool:
    """Whether a file is named like one that declares routes."""
    *folders, name = path.lower().split("/")
    if not name.endswith(SUFFIXES) or any(mark in name for mark in _TESTS):
        return False
    stem = name.partition(".")[0]
    if "rout" in name or any("rout" in folder for folder in folders):
        return True
    at_the_top = not folders or folders[-1] in {"src", "app", "client"}
    return stem == "app" or (stem in _ENTRIES and at_the_top)


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    _React(project).read()


class _React:
    def __init__(self, project: Project) -> None:
        self._project = project
        self._reader = Reader(project)
        self._trees: dict[Place, list[Branch]] = {}
        self._hands_on: dict[int, list[Place]] = {}
        self._seen: set[str] = set()
        self._hashed = False
        self._base = ""

    def read(self) -> None:
        for name in self._project.names:
            if is_candidate(self._project.inside(name)):
                self._scan(name)
        named = {place for places in self._hands_on.values() for place in places}
        for place, branches in self._trees.items():
            if place not in named:
                self._hand_on(branches, (place,))
                lay_out(branches, self._project.ledger, self._base, self._hashed)

    def _scan(self, file: str) -> None:
        """Gather the trees of a file once, each under the top-level name that it stands in."""
        module = None if file in self._seen else self._reader.module(file)
        self._seen.add(file)
        if module is None:
            return
        self._note_router(module)
        for element in every(module.root, *_ELEMENTS, into=False):
            for route in _outermost_routes(element):
                place = (file, _owner(route))
                self._trees.setdefault(place, []).extend(self._element(module, route, 0))
        for call in every(module.root, "call_expression"):
            if callee(call).rpartition(".")[2] in _MAKERS and arguments(call):
                self._hashed |= _MAKERS[callee(call).rpartition(".")[2]]
                found = list(self._objects(Value(module, arguments(call)[0]), 0))
                self._trees.setdefault((file, _owner(call)), []).extend(found)
                self._note_base(Value(module, arguments(call)[-1]))
        if any(source == _FRAMEWORK for source, _ in module.imports.values()) and module.default:
            config = list(self._config(Value(module, module.default), 0))
            self._trees.setdefault((file, "default"), []).extend(config)

    def _note_router(self, module: Module) -> None:
        for element in every(module.root, *_ELEMENTS):
            name = _tag(element)
            if name in {"HashRouter", "BrowserRouter"}:
                self._hashed |= name == "HashRouter"
                base = self._attributes(module, element).get("basename")
                self._base = self._reader.text(base) or self._base

    def _note_base(self, options: Value) -> None:
        self._base = self._reader.text(self._reader.fields(options).get("basename")) or self._base

    # -- elements ------------------------------------------------------------------------------

    def _element(self, module: Module, element: Node, depth: int) -> Iterator[Branch]:
        given = self._attributes(module, element)
        children = [
            branch
            for child in element.named_children[1:]
            if depth <= DEEPEST
            for route in _outermost_routes(child)
            for branch in self._element(module, route, depth + 1)
        ]
        shown = next(
            (given[n] for n in ("element", "component", "render", "Component") if n in given), None
        )
        if _tag(element) == "Redirect":
            wanted, shown = given.get("from"), Value(module, element)
        else:
            wanted = given.get("path")
        for path in self._told(wanted, module, element):
            yield self._branch(given, path, shown, children, Value(module, element))

    def _told(self, wanted: Value | None, module: Module, element: Node) -> list[str | None]:
        """The paths of an attribute: none, one, or the list that older versions allow."""
        if wanted is None:
            return [None]
        several = list(self._reader.items(wanted)) or [wanted]
        told = [self._reader.text(one) for one in several]
        if None in told:
            self._project.ledger.note(module.name, Value(module, element).line, paths.NOT_TOLD)
        return [path for path in told if path is not None]

    def _attributes(self, module: Module, element: Node) -> dict[str, Value]:
        opening = element.named_children[0] if element.type == "jsx_element" else element
        found: dict[str, Value] = {}
        for one in opening.named_children:
            if one.type == "jsx_attribute":
                value = one.named_children[-1]
                inner = value.named_children if value.type == "jsx_expression" else [value]
                found[said(one.named_children[0])] = Value(module, inner[0] if inner else value)
        return found

    # -- objects -------------------------------------------------------------------------------

    def _objects(self, given: Value, depth: int) -> Iterator[Branch]:
        for item in self._reader.items(given) if depth <= DEEPEST else ():
            fields = self._reader.fields(item)
            if not fields:
                continue
            path = self._reader.text(fields.get("path"))
            if path is None and "path" in fields:
                self._project.ledger.note(item.module.name, item.line, paths.NOT_TOLD)
                continue
            children = (
                list(self._objects(fields["children"], depth + 1)) if "children" in fields else []
            )
            shown = next(
                (fields[n] for n in ("element", "Component", "component") if n in fields), None
            )
            yield self._branch(fields, path, shown, children, item)

    def _config(self, given: Value, depth: int) -> Iterator[Branch]:
        """`route("path", "file", [children])`, `index("file")`, `layout`, `prefix`."""
        for item in self._reader.items(given) if depth <= DEEPEST else ():
            call = self._reader.value(item)
            told = arguments(call.node) if call.node.type == "call_expression" else []
            kind = callee(call.node) if told else ""
            path = (
                self._reader.text(Value(call.module, told[0]))
                if kind in {"route", "prefix"}
                else None
            )
            last = Value(call.module, told[-1]) if told else call
            children = list(self._config(last, depth + 1)) if kind != "index" else []
            if kind in {"route", "index", "layout", "prefix"}:
                yield Branch(
                    path=path,
                    file=call.module.name,
                    line=call.line,
                    page=kind in {"route", "index"},
                    index=kind == "index",
                    children=children,
                )

    # -- both ----------------------------------------------------------------------------------

    def _branch(
        self,
        given: dict[str, Value],
        path: str | None,
        shown: Value | None,
        children: list[Branch],
        at: Value,
    ) -> Branch:
        lazy = "lazy" in given
        branch = Branch(
            path=path,
            file=at.module.name,
            line=at.line,
            page=shown is not None or lazy or not children,
            index="index" in given and said(given["index"].node) != "false",
            reason=paths.REDIRECT if _redirects(given, shown) else "",
            children=children,
        )
        if path and path.endswith("*") and shown is not None and not children:
            self._hands_on[id(branch)] = list(self._shown(shown))
        return branch

    def _shown(self, shown: Value) -> Iterator[Place]:
        """The components of the project that an element shows, scanned for routes of their own."""
        module = shown.module
        names = [_tag(node) for node in every(shown.node, *_ELEMENTS)]
        if shown.node.type == "identifier":
            names.append(said(shown.node))
        for name in names:
            binding = module.bindings.get(name)
            source, wanted = module.imports.get(name, ("", ""))
            if binding is not None:
                lazy = imported(binding)
                source, wanted = (lazy, "default") if lazy else ("", "")
                if not lazy:
                    yield (module.name, name)
            file = self._reader.file_of(source, module.name) if source else None
            found = self._reader.export(file, wanted) if file else None
            if found is not None:
                self._scan(found.module.name)
                yield (found.module.name, _owner(found.node))

    def _hand_on(self, branches: list[Branch], met: tuple[Place, ...]) -> None:
        """Hang the routes of a component below the path that shows it."""
        for branch in branches:
            for place in self._hands_on.get(id(branch), ()):
                if place in self._trees and place not in met:
                    below = [_relative(child) for child in self._trees[place]]
                    self._hand_on(below, (*met, place))
                    branch.children.extend(below)
            if len(met) <= DEEPEST:
                self._hand_on([c for c in branch.children if id(c) in self._hands_on], met)


def _relative(branch: Branch) -> Branch:
    """In routes that a component declares for itself a first slash means its own root."""
    if branch.path is not None:
        branch.path = branch.path.lstrip("/")
    return branch


def _redirects(given: dict[str, Value], shown: Value | None) -> bool:
    if shown is not None:
        node = shown.node
        named = {_tag(one) for one in every(node, *_ELEMENTS)}
        return bool(named & _REDIRECTS) and len(named - _REDIRECTS - {""}) == 0
    loader = given.get("loader")
    calls = every(loader.node, "call_expression") if loader is not None else ()
    return any(callee(call) == "redirect" for call in calls)


def _tag(element: Node) -> str:
    opening = element.named_children[0] if element.type == "jsx_element" else element
    return said(opening.child_by_field_name("name"))


def _is_route(element: Node) -> bool:
    """`<Route>`, and the wrappers of it that people write: `<PrivateRoute path=…>`."""
    name = _tag(element)
    if name == "Route":
        return True
    if not name.endswith("Route") and name != "Redirect":
        return False
    opening = element.named_children[0] if element.type == "jsx_element" else element
    given = {said(a.named_children[0]) for a in opening.named_children if a.type == "jsx_attribute"}
    return bool(given & {"path", "from"})


def _outermost_routes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in _ELEMENTS and _is_route(node):
            yield node
        elif node.type != "jsx_attribute":
            waiting.extend(reversed(node.named_children))


def _owner(node: Node) -> str:
    """The top-level name that an expression stands in; `default` if it has none."""
    at: Node | None = node
    name = "default"
    while at is not None and at.parent is not None:
        if at.type in {"variable_declarator", "function_declaration", "class_declaration"}:
            name = said(at.child_by_field_name("name"))
        at = at.parent
    return name
