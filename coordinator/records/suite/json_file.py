"""JSON files that others write into as well: what we do not know in them is kept.

A `Document` holds our value and the whole file as it was read. On writing, each object gets our
fields in our order, then those that only the file had. Invariant: reading and writing an untouched
file loses nothing. Lists are ours as a whole. Errors name the line, or the field, that is wrong.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import msgspec

from contract import wire
from coordinator.errors import RequestError
from coordinator.records.atomic import host_error, write_atomic

T = TypeVar("T")
Object = dict[str, Any]

_BYTE = re.compile(r"\(byte (\d+)\)")
_FIELD = re.compile(r" - at `\$\.?(.*)`$")


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a file."""


@dataclass(frozen=True, slots=True)
class Document(Generic[T]):
    """A value and the file that it came from."""

    value: T
    raw: Object


def load(path: Path, type_: type[T], hint: str) -> Document[T] | None:
    """The document at `path`, or None if there is none; `hint` says what to do about a bad one."""
    data = read_bytes(path)
    return None if data is None else parse(data, type_, path.name, hint)


def parse(data: bytes, type_: type[T], name: str, hint: str) -> Document[T]:
    """The document that the bytes hold."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return Document(value=wire.loads(data, type_), raw=wire.loads(data, Object))
    except wire.WireError as error:
        _refuse(name, data, str(error), hint)


def save(path: Path, value: object, raw: Object | None = None) -> None:
    """Replace the file by a value, with what only `raw` had."""
    write_atomic(path, render(value, raw))


def render(value: object, raw: Object | None = None) -> bytes:
    """The bytes of the file."""
    plain: Object = wire.loads(wire.dumps(value), Object)
    return wire.pretty(with_unknown(plain, raw or {}))


def with_unknown(ours: Object, theirs: Object) -> Object:
    """Our fields, then the fields that only they have, at every depth."""
    both = dict(ours)
    for name, value in theirs.items():
        mine = both.setdefault(name, value)
        if isinstance(mine, dict) and isinstance(value, dict) and mine is not value:
            both[name] = with_unknown(mine, value)
    return both


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a file, or None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise host_error(error, path) from error


def _refuse(name: str, data: bytes, why: str, hint: str) -> NoReturn:
    if place := _BYTE.search(why):
        line = data[: int(place[1])].count(b"\n") + 1
        raise RequestError(f"{name} line {line}: {_BYTE.sub('', why).strip()}", hint)
    if field := _FIELD.search(why):
        what = why[: field.start()].replace("`", "")
        raise RequestError(f"{name}, field {field[1] or 'of the top'}: {what}", hint)
    raise RequestError(f"{name}: {why}", hint)
