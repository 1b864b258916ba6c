"""The Lua that has to be atomic, one file per script; this loads them.

Invariant: every script can be asked twice with the same arguments, so that a lost reply is
harmless: at most `report` doubles an entry, which the coordinator drops, and `release` grants a job
one start more.
"""

from importlib.resources import files


def source(name: str) -> str:
    """The text of `{name}.lua`."""
    return files(__name__).joinpath(f"{name}.lua").read_text(encoding="utf-8")
