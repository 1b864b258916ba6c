"""Angular: `Routes` lists, their children, and the lists that `loadChildren` names.

The lists that `forRoot` and `provideRouter` get are the app's; those that `forChild` gets hang
where they are loaded, or at the root if they are loaded with the app. Leaves out named outlets,
which add a part to a page, and matchers, which are code.
"""

from collections.abc import Iterator

from coordinator.planning.code import paths
from coordinator.planning.code.branches import lay_out
from coordinator.planning.code.ecma import Module, arguments, callee, every, imported, said
from coordinator.planning.code.model import DEEPEST, Branch, Project
from coordinator.planning.code.values import Reader, Value

_ROOTS = frozenset(("RouterModule.forRoot", "provideRouter"))
_CHILD = "RouterModule.forChild"
_NAMES = ("rout", "app.module.", "app.config.", "main.")


def is_candidate(path: str) -> bool:
    """Whether a file is named like one that declares routes, or a module that may."""
    name = path.lower().rpartition("/")[2]
    if not name.endswith(".ts") or ".spec." in name:
        return False
    return any(part in name for part in _NAMES) or name.endswith(".module.ts")


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    _Angular(project).read()


class _Angular:
    def __init__(self, project: Project) -> None:
        self._ledger = project.ledger
        self._reader = Reader(project)
        self._names = [n for n in project.names if is_candidate(project.inside(n))]
        self._hung: set[str] = set()
        self._hashed = False

    def read(self) -> None:
        modules = [module for name in self._names if (module := self._reader.module(name))]
        for module in modules:
            for call in every(module.root, "call_expression"):
                if callee(call) in _ROOTS and arguments(call):
                    self._hashed |= "useHash: true" in said(call) or "withHashLocation" in said(
                        call
                    )
                    self._lay_out(Value(module, arguments(call)[0]))
        for module in modules:
            for lists in () if module.name in self._hung else _children_of(module):
                self._lay_out(lists)

    def _lay_out(self, lists: Value) -> None:
        self._hung.add(lists.module.name)
        found = self._branches(lists, 0)
        lay_out(found, self._ledger, hashed=self._hashed)

    def _branches(self, lists: Value, depth: int) -> list[Branch]:
        return [b for item in self._reader.items(lists) if (b := self._branch(item, depth))]

    def _branch(self, item: Value, depth: int) -> Branch | None:
        fields = self._reader.fields(item)
        if not fields or "outlet" in fields or depth > DEEPEST:
            return None
        path = self._reader.text(fields.get("path"))
        if path is None:
            self._ledger.note(item.module.name, item.line, paths.NOT_TOLD)
            return None
        children = self._branches(fields["children"], depth + 1) if "children" in fields else []
        if "loadChildren" in fields:
            children += self._loaded(fields["loadChildren"], depth + 1)
        return Branch(
            path=path,
            file=item.module.name,
            line=item.line,
            page="component" in fields or "loadComponent" in fields,
            index=path == "",
            reason=paths.REDIRECT if "redirectTo" in fields else "",
            children=children,
        )

    def _loaded(self, given: Value, depth: int) -> list[Branch]:
        """The routes that `() => import("./x").then(m => m.Y)` or the old `"./x#Y"` names."""
        module, node = self._reader.value(given)
        source = imported(node) or (self._reader.text(given) or "").partition("#")[0]
        file = self._reader.file_of(source, module.name) if source else None
        if file is None:
            self._ledger.note(
                module.name, given.line, f"{source or 'what it loads'} is not in the project"
            )
            return []
        member = _member(Value(module, node))
        exported = self._reader.export(file, member)
        if exported is not None and self._reader.value(exported).node.type == "array":
            self._hung.add(exported.module.name)
            return self._branches(exported, depth)
        return [b for lists in self._lists_of(file) for b in self._branches(lists, depth)]

    def _lists_of(self, file: str) -> Iterator[Value]:
        """What a module gives `forChild`, itself or in the routing module that it imports."""
        module = self._reader.module(file)
        if module is None:
            return
        sources = {source for source, _ in module.imports.values() if "rout" in source}
        near = (self._reader.file_of(source, file) for source in sorted(sources))
        for name in (file, *(name for name in near if name is not None)):
            inner = self._reader.module(name)
            if inner is not None and name not in self._hung:
                self._hung.add(name)
                yield from _children_of(inner)


def _children_of(module: Module) -> Iterator[Value]:
    for call in every(module.root, "call_expression"):
        if callee(call) == _CHILD and arguments(call):
            yield Value(module, arguments(call)[0])


def _member(loading: Value) -> str:
    """`m.AdminModule` of the `then`; `default` without one."""
    for call in every(loading.node, "call_expression"):
        if callee(call).endswith(".then") and arguments(call):
            members = list(every(arguments(call)[0], "member_expression"))
            if members:
                return said(members[-1].child_by_field_name("property"))
    return "default"
