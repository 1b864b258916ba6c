"""The login recipe that a user writes in TOML, checked.

    url = "/login"
    submit = "button[type=submit]"
    [fields]
    "#email" = { value = "demo@example.com" }
    "#password" = { env = "SHOP_PASSWORD" }
    [success]
    cookie = "session"

Invariant: no password stands in the recipe itself; a literal value for a field that looks like one
is refused. Leaves out reading secrets, which the worker does when it logs in.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from contract import wire
from contract.login import FieldValue, LoginRecipe, Success
from coordinator.errors import RequestError

_SECRET = re.compile(r"pass|pwd|secret|token|otp|pin\b|kennwort|mot-de-passe", re.IGNORECASE)
_KEYS = {"url", "submit", "fields", "success"}


def load(path: Path) -> LoginRecipe:
    """The recipe at `path`; a relative `file` in it counts from the recipe's folder."""
    recipe = parse(_read(path), path.name)
    fields = {css: _absolute(field, path.parent) for css, field in recipe.fields.items()}
    return msgspec.structs.replace(recipe, fields=fields)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RequestError(
            f"there is no login recipe at {path}", "check the path given to --login"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"{path} cannot be read: {error}", "save it as UTF-8 text") from error


def parse(text: str, name: str) -> LoginRecipe:
    """The recipe in `text`; every problem names the file and the line or the field."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RequestError(f"{name}: {error}", "see: mazewave explore --help") from error
    if unknown := sorted(document.keys() - _KEYS):
        raise RequestError(
            f"{name}: {unknown[0]} is not known", f"it may hold {', '.join(sorted(_KEYS))}"
        )
    try:
        recipe = wire.loads(wire.dumps(document), LoginRecipe)
    except (wire.WireError, msgspec.MsgspecError, TypeError) as error:
        raise RequestError(f"{name}: {error}", "correct that field") from error
    for css, field in recipe.fields.items():
        _check_field(name, css, field, document["fields"][css])
    _check_rest(name, recipe)
    return recipe


def _check_field(name: str, css: str, field: FieldValue, raw: dict[str, Any]) -> None:
    given = [key for key in ("value", "env", "file") if getattr(field, key) is not None]
    if len(given) != 1 or raw.keys() - {"value", "env", "file"}:
        raise RequestError(
            f"{name}: the field {css} needs exactly one of value, env and file",
            f'for example: "{css}" = {{ env = "APP_USER" }}',
        )
    if field.value is not None and _SECRET.search(css):
        raise RequestError(
            f"{name}: the field {css} looks like a password, but its value is written down",
            f'name an environment variable or a file: "{css}" = {{ env = "APP_PASSWORD" }}',
        )


def _check_rest(name: str, recipe: LoginRecipe) -> None:
    if not recipe.fields:
        raise RequestError(f"{name}: [fields] is empty", "name the fields to fill, by CSS selector")
    if recipe.success == Success():
        raise RequestError(
            f"{name}: [success] is empty", "say how a login shows: selector, url or cookie"
        )


def _absolute(field: FieldValue, folder: Path) -> FieldValue:
    if field.file is None:
        return field
    return msgspec.structs.replace(field, file=str((folder / field.file).resolve()))


def missing_secrets(recipe: LoginRecipe) -> list[str]:
    """What the recipe names and this machine does not have; empty when all is there."""
    missing = []
    for field in recipe.fields.values():
        if field.env is not None and not os.environ.get(field.env):
            missing.append(f"the environment variable {field.env}")
        if field.file is not None and not Path(field.file).is_file():
            missing.append(f"the file {field.file}")
    return missing
