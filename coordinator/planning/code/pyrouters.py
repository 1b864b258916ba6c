"""Apps that are put together from routers: Flask, FastAPI and Starlette alike.

An owner (an app, a blueprint, a router) declares rules and holds other owners below a prefix. The
rules of what no app holds are reachable by nobody and are left out. Read are files named after an
app, routes or views, and the modules that those hold; where none of them makes an app, the modules
near the top that import the framework. What is a page is the framework's business.
"""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from coordinator.planning.code import paths
from coordinator.planning.code.model import DEEPEST, Project
from coordinator.planning.code.pysource import (
    PyModule,
    PyReader,
    argument,
    called,
    keyword,
    last_name,
)

_FILES = frozenset(
    (
        "app",
        "main",
        "wsgi",
        "asgi",
        "server",
        "run",
        "application",
        "__init__",
        "api",
        "web",
        "urls",
    )
)
_WORDS = ("route", "view", "blueprint", "endpoint", "controller", "page", "handler")
_METHODS = frozenset(("get", "post", "put", "patch", "delete", "head", "options", "trace"))
_ADDS = frozenset(("add_url_rule", "add_route", "add_api_route"))
_HOLDS = frozenset(("register_blueprint", "include_router", "mount"))
_MOST = 20_000

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Rule(NamedTuple):
    """One declared path. `view` is what answers, where it is in sight."""

    path: str
    methods: frozenset[str]
    module: PyModule
    line: int
    call: ast.Call
    view: ast.AST | None


class Hold(NamedTuple):
    """An owner below another: `target` names it, or is written in place."""

    prefix: str | None
    module: PyModule
    line: int
    target: ast.expr


class Owner(msgspec.Struct):
    """An app, a blueprint or a router."""

    made: ast.Call
    module: PyModule
    rules: list[Rule] = []
    holds: list[Hold] = []


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What is particular to a framework. `judge` says why a rule is no page, or nothing."""

    package: str
    apps: frozenset[str]
    parts: frozenset[str]
    prefix: str
    path: Callable[[str], str]
    judge: Callable[[Rule, Owner], str]


def is_candidate(path: str) -> bool:
    """Whether a file is named like one that declares routes."""
    *folders, name = path.lower().split("/")
    if not name.endswith(".py") or name.startswith("test_") or "tests" in folders:
        return False
    stem = name.removesuffix(".py")
    named = [stem, *folders]
    return stem in _FILES or any(word in part for part in named for word in _WORDS)


class Routers:
    """One reading of a project for one framework."""

    def __init__(self, project: Project, kind: Kind) -> None:
        self._project = project
        self._ledger = project.ledger
        self._reader = PyReader(project)
        self._kind = kind
        self._owners: dict[tuple[str, str], Owner] = {}
        self._scanned: set[str] = set()
        self._handled = 0
        self._names = [n for n in project.names if is_candidate(project.inside(n))]

    def read(self) -> None:
        for name in self._names:
            if (module := self._reader.parse(name)) is not None:
                self._scan(module)
        if not any(called(owner.made) in self._kind.apps for owner in self._owners.values()):
            self._look_further()
        held = self._held()
        for owner in list(self._owners.values()):
            if called(owner.made) in self._kind.apps and id(owner) not in held:
                self._lay_out(owner, "", 0)

    def _look_further(self) -> None:
        """No file with a usual name makes an app: it is in a module of any name near the top."""
        inside = self._project.inside
        near = (n for n in self._project.names if n.endswith(".py") and inside(n).count("/") <= 1)
        for name in near:
            imports = f"{self._kind.package} import" in (self._project.text(name) or "")
            module = self._reader.parse(name) if imports else None
            if module is not None:
                self._scan(module)

    def _held(self) -> set[int]:
        """The apps that are mounted in others, where their routes are told."""
        holds = [hold for owner in list(self._owners.values()) for hold in owner.holds]
        return {id(self._owner_of(hold.module, hold.target)) for hold in holds}

    # -- gathering -----------------------------------------------------------------------------

    def _scan(self, module: PyModule) -> None:
        if module.file in self._scanned:
            return
        self._scanned.add(module.file)
        makers = self._kind.apps | self._kind.parts
        for name, value in module.values.items():
            if isinstance(value, ast.Call) and called(value) in makers:
                owner = self._owners[module.file, name] = Owner(value, module)
                self._listed(owner, value)
        for node in module.nodes:
            if isinstance(node, Function | ast.ClassDef):
                self._decorated(module, node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                self._wired(module, node, node.func)

    def _decorated(self, module: PyModule, node: Function | ast.ClassDef) -> None:
        for call in node.decorator_list:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                name = call.func.attr
                if name in _METHODS or name in {
                    "route",
                    "api_route",
                    "websocket",
                    "websocket_route",
                }:
                    self._rule(module, call, call.func.value, node)

    def _wired(self, module: PyModule, call: ast.Call, function: ast.Attribute) -> None:
        if function.attr in _ADDS:
            view = argument(call, 2, "view_func") if function.attr == "add_url_rule" else None
            view = view or argument(call, 1, "endpoint") or argument(call, 1, "route")
            self._rule(module, call, function.value, self._seen(module, view))
        elif (
            function.attr in _HOLDS
            and (owner := self._owner_of(module, function.value)) is not None
        ):
            self._hold(owner, module, call, function.attr)

    def _hold(self, owner: Owner, module: PyModule, call: ast.Call, how: str) -> None:
        if how == "mount":
            prefix, target = argument(call, 0, "path"), argument(call, 1, "app")
        else:
            prefix, target = keyword(call, self._kind.prefix), argument(call, 0, "router")
            target = target or keyword(call, "blueprint")
        if target is None:
            return
        text = module.text(prefix) if prefix is not None else None
        if prefix is not None and text is None:
            self._ledger.note(module.file, call.lineno, paths.NOT_TOLD)
        owner.holds.append(Hold(text, module, call.lineno, target))

    def _rule(
        self, module: PyModule, call: ast.Call, owner_node: ast.expr, view: ast.AST | None
    ) -> None:
        owner = self._owner_of(module, owner_node)
        first = argument(call, 0, "path") or keyword(call, "rule")
        if owner is None or first is None:
            return
        path = module.text(first)
        if path is None:
            self._ledger.note(module.file, call.lineno, paths.NOT_TOLD)
            return
        owner.rules.append(Rule(path, _methods(call), module, call.lineno, call, view))

    def _listed(self, owner: Owner, call: ast.Call) -> None:
        """The `routes=[Route(…), Mount(…)]` of an app, a router or a mount."""
        routes = keyword(call, "routes")
        found = self._reader.items(owner.module, routes) if routes is not None else ()
        for module, item in found:
            kind = called(item)
            if not isinstance(item, ast.Call):
                continue
            path = module.text(argument(item, 0, "path"))
            if path is None:
                self._ledger.note(module.file, item.lineno, paths.NOT_TOLD)
            elif kind in {"Mount", "Host"}:
                target = argument(item, 1, "app") or item
                owner.holds.append(Hold(path, module, item.lineno, target))
            elif kind in {"Route", "WebSocketRoute", "APIRoute"}:
                view = self._seen(module, argument(item, 1, "endpoint"))
                owner.rules.append(Rule(path, _methods(item), module, item.lineno, item, view))

    def _seen(self, module: PyModule, view: ast.expr | None) -> ast.AST | None:
        """The function or class that a name means; what it says decides whether it is a page."""
        if view is None:
            return None
        # `X.as_view("x")` means `X`.
        shown = view.func if isinstance(view, ast.Call) and called(view) == "as_view" else view
        shown = shown.value if isinstance(shown, ast.Attribute) and shown is not view else shown
        place = self._reader.place_of(module, shown)
        if place is None:
            return view
        other, name = place
        return other.functions.get(name) or other.classes.get(name) or view

    def _owner_of(self, module: PyModule, node: ast.expr, depth: int = 0) -> Owner | None:
        place = self._reader.place_of(module, node)
        if place is None or depth > DEEPEST:
            return None
        other, name = place
        self._scan(other)
        made = other.values.get(name)
        if (other.file, name) in self._owners or not isinstance(made, ast.Call):
            return self._owners.get((other.file, name))
        return self._made_by(other, made.func, depth + 1)

    def _made_by(self, module: PyModule, factory: ast.expr, depth: int) -> Owner | None:
        """What a function of the project returns, if that is a name for an owner."""
        place = self._reader.place_of(module, factory)
        function = place[0].functions.get(place[1]) if place is not None else None
        if place is None or function is None:
            return None
        names = (answer for answer in answers(function) if isinstance(answer, ast.Name))
        found = (self._owner_of(place[0], name, depth) for name in names if name.id != place[1])
        return next((owner for owner in found if owner is not None), None)

    # -- laying out ----------------------------------------------------------------------------

    def _lay_out(self, owner: Owner, prefix: str, depth: int) -> None:
        for rule in owner.rules:
            self._handled += 1
            if self._handled > _MOST:
                return
            path = paths.join(prefix, self._kind.path(rule.path))
            reason = "" if "GET" in rule.methods else " and ".join(sorted(rule.methods)) + " only"
            if called(rule.call) in {"WebSocketRoute", "websocket", "websocket_route"}:
                reason = "WebSocket"
            reason = reason or self._kind.judge(rule, owner)
            self._ledger.add(path, rule.module.file, rule.line, reason)
        for hold in owner.holds if depth < DEEPEST and self._handled <= _MOST else ():
            self._handled += 1
            self._lay_out_held(hold, prefix, depth)

    def _lay_out_held(self, hold: Hold, prefix: str, depth: int) -> None:
        target = hold.target
        owner = (
            self._made_by(hold.module, target.func, 0)
            if isinstance(target, ast.Call)
            else self._owner_of(hold.module, target)
        )
        if owner is not None:
            self._lay_out(owner, paths.join(prefix, self._below(hold, owner)), depth + 1)
        elif isinstance(target, ast.Call):
            self._lay_out_written(hold, prefix, depth)
        else:
            said = f"{ast.unparse(target)[:80]} is not in the project; its routes are not known"
            self._ledger.note(hold.module.file, hold.line, said)

    def _lay_out_written(self, hold: Hold, prefix: str, depth: int) -> None:
        """A mount whose app or routes are written in place."""
        below = paths.join(prefix, self._kind.path(hold.prefix or ""))
        if not isinstance(hold.target, ast.Call):
            return
        if called(hold.target) == "StaticFiles":
            self._ledger.add(below, hold.module.file, hold.line, _static(hold.target))
            return
        inner = Owner(hold.target, hold.module, [], [])
        self._listed(inner, hold.target)
        self._lay_out(inner, below, depth + 1)

    def _below(self, hold: Hold, owner: Owner) -> str:
        """The prefix of a held owner. A blueprint's own is replaced, a router's is added to."""
        own = owner.module.text(keyword(owner.made, self._kind.prefix)) or ""
        if self._kind.package == "flask":
            return self._kind.path(own if hold.prefix is None else hold.prefix)
        return self._kind.path(paths.join(hold.prefix or "", own))


def _static(call: ast.Call) -> str:
    html = keyword(call, "html")
    return "" if isinstance(html, ast.Constant) and html.value is True else "File, not a page"


def _methods(call: ast.Call) -> frozenset[str]:
    """The methods of a rule in capitals; GET where none are named."""
    name = last_name(call.func)
    if name in _METHODS:
        return frozenset((name.upper(),))
    given = keyword(call, "methods")
    if isinstance(given, ast.List | ast.Tuple | ast.Set):
        told = [one.value for one in given.elts if isinstance(one, ast.Constant)]
        methods = frozenset(str(one).upper() for one in told)
        return methods or frozenset(("GET",))
    return frozenset(("GET",))


def answers(view: ast.AST | None) -> Iterator[ast.expr]:
    """What a view returns, that of functions inside of it excluded; a class answers with `get`."""
    if isinstance(view, ast.ClassDef):
        view = next((n for n in view.body if isinstance(n, Function) and n.name == "get"), None)
    waiting: list[ast.AST] = list(view.body) if isinstance(view, Function) else []
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
