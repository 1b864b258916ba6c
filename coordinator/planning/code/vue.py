"""Vue Router: the routes of `createRouter` and `new VueRouter`, with children and imported lists.

Read are the files that are named after a router or routes, and the lists that they import. Leaves
out routes that the app adds while it runs from data it fetched.
"""

from collections.abc import Iterator

from coordinator.planning.code import paths
from coordinator.planning.code.branches import lay_out
from coordinator.planning.code.ecma import SUFFIXES, arguments, callee, every, said
from coordinator.planning.code.model import DEEPEST, Branch, Project
from coordinator.planning.code.values import Reader, Value

_HISTORIES = {"createWebHistory": False, "createWebHashHistory": True}
_ROUTERS = frozenset(("VueRouter", "Router"))


def is_candidate(path: str) -> bool:
    """Whether a file is named like one that declares routes."""
    *folders, name = path.lower().split("/")
    if not name.endswith(SUFFIXES) or ".spec." in name or ".test." in name:
        return False
    routed = "rout" in name or any("rout" in folder for folder in folders)
    return routed or (name.partition(".")[0] == "main" and folders[-1:] in ([], ["src"]))


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    reader = Reader(project)
    for name in project.names:
        if is_candidate(project.inside(name)):
            _read_file(reader, name)


def _read_file(reader: Reader, name: str) -> None:
    module = reader.module(name)
    if module is None:
        return
    for call in every(module.root, "call_expression", "new_expression"):
        made = said(call.child_by_field_name("constructor")) or callee(call)
        given = arguments(call)
        if (made == "createRouter" or made in _ROUTERS) and given:
            _router(reader, reader.fields(Value(module, given[0])))
        elif made.endswith("router.addRoute") and given:
            lay_out(_branches(reader, iter([Value(module, given[-1])]), 0), reader.project.ledger)


def _router(reader: Reader, options: dict[str, Value]) -> None:
    if "routes" not in options:
        return
    base, hashed = (
        reader.text(options.get("base")) or "",
        reader.text(options.get("mode")) == "hash",
    )
    history = reader.value(options["history"]) if "history" in options else None
    if history is not None and history.node.type == "call_expression":
        hashed = _HISTORIES.get(callee(history.node), False)
        given = arguments(history.node)
        base = (reader.text(Value(history.module, given[0])) if given else None) or ""
    found = _branches(reader, reader.items(options["routes"]), 0)
    lay_out(found, reader.project.ledger, base, hashed)


def _branches(reader: Reader, items: Iterator[Value], depth: int) -> list[Branch]:
    found: list[Branch] = []
    for item in items if depth <= DEEPEST else ():
        fields = reader.fields(item)
        if not fields:
            continue
        path = reader.text(fields.get("path"))
        if path is None:
            reader.project.ledger.note(item.module.name, item.line, paths.NOT_TOLD)
            continue
        inner = reader.items(fields["children"]) if "children" in fields else iter(())
        children = _branches(reader, inner, depth + 1)
        shows = "component" in fields or "components" in fields
        found.append(
            Branch(
                path=path,
                file=item.module.name,
                line=item.line,
                page=shows or not children,
                reason=paths.REDIRECT if "redirect" in fields else "",
                children=children,
            )
        )
    return found
