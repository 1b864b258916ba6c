"""Who calls whom inside the given sources.

Invariant: a link is only there if its target is defined in the sources; cycles are no trouble. A
method that is called on something unknown is linked if only one class has a method of that name.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from workers.writer.analyse.python.effects import aliases, resolved
from workers.writer.analyse.python.facts import Function, Module

_COMMON = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int) for name in dir(kind)
) | {"close", "open", "read", "write", "run", "start", "send"}
"""Methods that almost anything may have."""


class Links(msgspec.Struct, frozen=True):
    """By full names, `module.qualname`: what each function calls and by what it is called."""

    calls: Mapping[str, frozenset[str]]
    callers: Mapping[str, frozenset[str]]

    def dependants(self, name: str) -> int:
        """How many functions reach it, directly or through others."""
        seen: set[str] = set()
        stack = [name]
        while stack:
            for caller in self.callers.get(stack.pop(), frozenset()):
                if caller not in seen and caller != name:
                    seen.add(caller)
                    stack.append(caller)
        return len(seen)


def link(modules: Iterable[Module]) -> Links:
    """The links of all functions of the sources."""
    known = list(modules)
    defined = _defined(known)
    methods = _single_methods(known)
    calls: dict[str, frozenset[str]] = {}
    callers: dict[str, set[str]] = defaultdict(set)
    for module in known:
        names = aliases(module.imports)
        for function in module.callables():
            here = f"{module.name}.{function.qualname}"
            found = {_target(call, module, function, names, defined, methods)
                for call in function.calls}  # fmt: skip
            calls[here] = frozenset(found - {""})
            for target in calls[here]:
                callers[target].add(here)
        for call in module.called_at_import:
            target = _found(call, module, defined)
            callers[target].add(f"{module.name}.<module>")
    return Links(calls, {name: frozenset(found) for name, found in callers.items() if name})


def _defined(modules: list[Module]) -> dict[str, str]:
    """Each name under which something may be called, and what it is. A class is its `__init__`."""
    found: dict[str, str] = {}
    for module in modules:
        for function in module.callables():
            found[f"{module.name}.{function.qualname}"] = f"{module.name}.{function.qualname}"
        for cls in module.classes:
            init = f"{module.name}.{cls.name}.__init__"
            found[f"{module.name}.{cls.name}"] = init if cls.method("__init__") else ""
    for module in modules:
        for made in module.imports:  # what a package takes in from its modules
            target = f"{made.module}.{made.name}"
            if made.name and target in found:
                found.setdefault(f"{module.name}.{made.alias or made.name}", found[target])
    return found


def _single_methods(modules: list[Module]) -> dict[str, str]:
    owners: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        for cls in module.classes:
            for method in cls.methods:
                owners[method.name].append(f"{module.name}.{method.qualname}")
    return {
        name: found[0] for name, found in owners.items() if len(found) == 1 and name not in _COMMON
    }


def _target(
    call: str,
    module: Module,
    function: Function,
    names: Mapping[str, str],
    defined: Mapping[str, str],
    methods: Mapping[str, str],
) -> str:
    head, _, rest = call.partition(".")
    owner = function.qualname.rpartition(".")[0]
    if head in {"self", "cls"} and owner and "." not in rest:
        return defined.get(f"{module.name}.{owner}.{rest}", "")
    found = _found(resolved(call, names), module, defined)
    last = call.rsplit(".", 1)[-1]
    return found or (methods.get(last, "") if "." in call and head not in names else "")


def _found(call: str, module: Module, defined: Mapping[str, str]) -> str:
    plain = call.replace("()", "")
    return defined.get(f"{module.name}.{plain}", "") or defined.get(plain, "")
