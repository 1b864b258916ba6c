"""What of a project is worth a test first: its public functions, by how much depends on them.

Invariant: a total order, the same for the same sources. Left out are tests, entry points of
scripts, overloads and abstract methods.
"""

from collections.abc import Iterable

import msgspec

from workers.writer.analyse.python.facts import Class, Function, Module
from workers.writer.analyse.python.links import Links, link

_NO_TARGETS = ("overload", "abstractmethod", "fixture", "pytest.fixture", "abc.abstractmethod")
_DUNDERS = frozenset({
    *("__init__", "__call__", "__eq__", "__hash__", "__len__", "__iter__", "__contains__"),
    *("__lt__", "__add__", "__sub__", "__mul__", "__getitem__", "__str__", "__repr__", "__bool__"),
})  # fmt: skip


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A function that a test may call. `exported`: a package or `__all__` shows it."""

    module: str
    qualname: str
    path: str
    line: int
    dependants: int
    exported: bool = False


def surface(modules: Iterable[Module], links: Links | None = None) -> tuple[Target, ...]:
    """The targets, what most depends on first."""
    known = [module for module in modules if module.trouble is None and not _is_test(module)]
    joined = links or link(known)
    shown = _shown(known)
    targets = [
        Target(
            module=module.name,
            qualname=function.qualname,
            path=module.path,
            line=function.line,
            dependants=joined.dependants(f"{module.name}.{function.qualname}"),
            exported=f"{module.name}.{function.qualname.split('.')[0]}" in shown,
        )
        for module in known
        for function in _public(module)
    ]
    return tuple(
        sorted(targets, key=lambda one: (-one.dependants, not one.exported, one.module, one.line))
    )


def _is_test(module: Module) -> bool:
    last = module.name.rsplit(".", 1)[-1]
    parts = set(module.name.split("."))
    return (
        last.startswith("test_")
        or last.endswith("_test")
        or bool(parts & {"tests", "test", "conftest"})
    )


def _public(module: Module) -> list[Function]:
    """Public functions, and the methods of public classes that hold code of their own."""
    functions = [one for one in module.functions if _may_be_called(module, one.name)]
    for cls in module.classes:
        if _may_be_called(module, cls.name) and cls.kind not in {"protocol", "exception"}:
            functions += [one for one in cls.methods if _is_method(cls, one)]
    return [
        one
        for one in functions
        if one.is_public and not any(name.endswith(_NO_TARGETS) for name in one.decorators)
    ]


def _may_be_called(module: Module, name: str) -> bool:
    if module.exports is not None:
        return name in module.exports
    return not name.startswith("_") and not (name == "main" and module.name.endswith("__main__"))


def _is_method(cls: Class, method: Function) -> bool:
    return not method.name.startswith("__") or (
        method.name in _DUNDERS and cls.kind not in {"enum", "typed_dict"}
    )


def _shown(modules: list[Module]) -> set[str]:
    """Full names that a package takes in from its modules, or that `__all__` lists."""
    shown = set()
    for module in modules:
        shown |= {f"{module.name}.{name}" for name in module.exports or ()}
        if module.path.endswith("__init__.py"):
            shown |= {f"{made.module}.{made.name}" for made in module.imports if made.name}
    return shown
