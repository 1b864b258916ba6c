"""How far a function may be run: its class of purity, and the facts that decided it.

P0 pure; P1 clock, chance, environment; P2 files; P3 network, databases, processes; P4 its module
does something when it is imported. Invariant: a function is at least as impure as what it calls
inside the sources. Calls out of the sources that no table knows count as pure.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum

import msgspec

from workers.writer.analyse.python.facts import Function, Module, Touch, World
from workers.writer.analyse.python.links import Links, link


class Purity(IntEnum):
    PURE = 0
    FROZEN = 1
    FILES = 2
    OUTSIDE = 3
    AT_IMPORT = 4


_BY_WORLD = {
    World.CLOCK: Purity.FROZEN,
    World.RANDOM: Purity.FROZEN,
    World.ENV: Purity.FROZEN,
    World.FILES: Purity.FILES,
    World.NETWORK: Purity.OUTSIDE,
    World.PROCESS: Purity.OUTSIDE,
}


class Because(msgspec.Struct, frozen=True, kw_only=True):
    """One reason. `via` is the function it stands in, where that is another one."""

    what: str
    line: int
    via: str = ""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    purity: Purity
    because: tuple[Because, ...] = ()


def judge(modules: Iterable[Module], links: Links | None = None) -> dict[str, Judged]:
    """The class of each function, by its full name."""
    known = list(modules)
    joined = links or link(known)
    own = {
        f"{module.name}.{function.qualname}": _own(function)
        for module in known
        for function in module.callables()
    }
    spread = _spread(own, joined)
    return {
        f"{module.name}.{function.qualname}": _of(module, function, spread)
        for module in known
        for function in module.callables()
    }


def _own(function: Function) -> Judged:
    """By what stands in the function itself; a changed global is frozen like chance."""
    reasons = [(_BY_WORLD[touch.world], _because(touch)) for touch in function.touches]
    reasons += [
        (Purity.FROZEN, Because(what=f"changes {name}", line=function.line))
        for name in function.globals_changed
    ]
    purity = max((weight for weight, _ in reasons), default=Purity.PURE)
    return Judged(
        purity=purity, because=tuple(reason for weight, reason in reasons if weight == purity)
    )


def _because(touch: Touch) -> Because:
    return Because(what=touch.what, line=touch.line)


def _spread(own: Mapping[str, Judged], links: Links) -> dict[str, Judged]:
    """From what is called to what calls it, the most impure first; each function settles once."""
    found: dict[str, Judged] = {}
    for purity in sorted(Purity, reverse=True):
        stack = [name for name, judged in own.items() if judged.purity is purity]
        stack = [name for name in stack if name not in found]
        found.update({name: own[name] for name in stack})
        while stack:
            name = stack.pop()
            for caller in links.callers.get(name, frozenset()):
                if caller in own and caller not in found:
                    found[caller] = _through(found[name], name)
                    stack.append(caller)
    return found


def _through(judged: Judged, name: str) -> Judged:
    because = tuple(
        msgspec.structs.replace(reason, via=reason.via or name) for reason in judged.because
    )
    return Judged(purity=judged.purity, because=because)


def _of(module: Module, function: Function, spread: Mapping[str, Judged]) -> Judged:
    """With what importing the module does; reading the environment is no harm."""
    harm = [_because(touch) for touch in module.at_import if _BY_WORLD[touch.world] >= Purity.FILES]
    for call in module.called_at_import:
        target = spread.get(f"{module.name}.{call}") or spread.get(call)
        if target is not None and target.purity >= Purity.FILES:
            harm.append(Because(what=f"{call}()", line=target.because[0].line, via=call))
    if harm:
        return Judged(purity=Purity.AT_IMPORT, because=tuple(harm))
    return spread[f"{module.name}.{function.qualname}"]
