"""The JavaScript that runs in pages, read from `js/` and joined once per process.

The kit's parts are one closure. Its settings go in as a JSON argument, so no code is made by
formatting strings; the hidden property under which it is found has a random name per process.
"""

import secrets
from functools import cache
from importlib.resources import files

import msgspec

from contract import wire

KIT = (
    "originals.js",
    "intact.js",
    "counters.js",
    "wraps.js",
    "tree.js",
    "names.js",
    "identity.js",
    "regions.js",
    "controls.js",
    "inventory.js",
    "checks.js",
    "settle.js",
    "act.js",
    "inspect.js",
    "api.js",
)


class KitSettings(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the kit is told at the start of every document."""

    property: str
    may_write: bool = False
    reads_only: bool = True
    leave_paths: tuple[str, ...] = ()
    destroy_paths: tuple[str, ...] = ()
    socket_paths: tuple[str, ...] = ()
    native_dialogs: int = 5
    rows: int = 3
    max_controls: int = 3000


def hidden_name() -> str:
    """A property name that no page knows."""
    return f"_{secrets.token_hex(8)}"


@cache
def _read(name: str) -> str:
    return files("workers.browser").joinpath("js", name).read_text("utf-8")


@cache
def kit_function() -> str:
    """The kit as a function of its settings."""
    body = "\n".join(_read(name) for name in KIT)
    return "(config) => {\n'use strict';\n" + body + "\n}"


def _call(function: str, argument: object) -> str:
    return f"({function})({wire.dumps(argument).decode()});"


def kit_script(settings: KitSettings) -> str:
    """The init script that installs the kit."""
    return _call(kit_function(), settings)


def seed_script(session_storage: dict[str, dict[str, str]]) -> str:
    """The init script that fills an empty session storage, by origin."""
    return _call(_read("seed.js"), session_storage)


def guarded_script(name: str) -> str:
    """Tells the kit that this page's requests are guarded by the worker."""
    return _call(_read("guarded.js"), name)


def audit_call(options: object) -> str:
    """An expression that runs axe in a world where it is loaded."""
    return _call(_read("audit.js"), options)


def ask(name: str, method: str, *arguments: object) -> str:
    """An expression that calls a method of the kit."""
    given = ",".join(wire.dumps(argument).decode() for argument in arguments)
    return f"window[{wire.dumps(name).decode()}].{method}({given})"
