"""The Lua that has to be atomic, one file per script; this loads them."""

from importlib.resources import files


def source(name: str) -> str:
    """The text of `{name}.lua`."""
    return files(__name__).joinpath(f"{name}.lua").read_text(encoding="utf-8")
