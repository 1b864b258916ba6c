"""What code asks of the world: clock, chance, environment, files, network, other processes.

By dotted names with the aliases of imports resolved; the table is `world.toml`. Leaves out what is
reached through objects whose making cannot be seen.
"""

import ast
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

import msgspec

from workers.writer.analyse.python.facts import Import, Touch, World
from workers.writer.analyse.python.nodes import dotted

Aliases = Mapping[str, str]


class _Table(msgspec.Struct, frozen=True):
    names: dict[World, tuple[str, ...]]
    pure: dict[str, tuple[str, ...]]
    methods: dict[World, tuple[str, ...]]


@cache
def _table() -> _Table:
    text = resources.files(__package__).joinpath("world.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Table)


def aliases(imports: Iterable[Import]) -> dict[str, str]:
    """What each imported name stands for."""
    found: dict[str, str] = {}
    for made in imports:
        if made.level:
            continue
        if made.name:
            found[made.alias or made.name] = f"{made.module}.{made.name}"
        elif made.alias:
            found[made.alias] = made.module
        else:
            head = made.module.split(".")[0]
            found[head] = head
    return found


def resolved(name: str, known: Aliases) -> str:
    """A dotted name with its head replaced by what was imported under it."""
    head, dot, rest = name.partition(".")
    plain = head.removesuffix("()")
    return known.get(plain, plain) + ("()" if plain != head else "") + dot + rest


def touch(node: ast.AST, known: Aliases, parent: ast.AST) -> Touch | None:
    """What a node asks of the world. A chain is judged once, at its outermost link."""
    if isinstance(parent, ast.Attribute) or not isinstance(node, ast.Attribute | ast.Name):
        return None
    if isinstance(node.ctx, ast.Store):
        return None
    name = resolved(dotted(node), known)
    is_called = isinstance(parent, ast.Call) and parent.func is node
    world = world_of(name) if is_called or "." in name else None
    if world is None and is_called and isinstance(node, ast.Attribute):
        world = next((w for w, names in _table().methods.items() if node.attr in names), None)
    return Touch(world=world, what=name, line=node.lineno) if world is not None else None


@cache
def world_of(name: str) -> World | None:
    """Which part of the world a dotted name belongs to."""
    plain = name.replace("()", "")
    if any(_below(plain, pure) for pure in _table().pure["names"]):
        return None
    return next(
        (
            world
            for world, names in _table().names.items()
            if any(_below(plain, known) for known in names)
        ),
        None,
    )


def _below(name: str, known: str) -> bool:
    if known.endswith("."):
        return name.startswith(known)
    return name == known or name.startswith(known + ".")
