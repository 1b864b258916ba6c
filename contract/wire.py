"""Encoding and decoding; the only module that calls a codec.

Decode once, at the edge: inside there are only structs. Every failure is a `WireError` that says
where in the message it went wrong, so that the caller can set the whole message aside.
"""

from typing import Any, TypeVar

import msgspec

from contract.jobs import AnyJob
from contract.results import AnyResult

T = TypeVar("T")

_results: msgspec.json.Decoder[AnyResult] = msgspec.json.Decoder(AnyResult)
_encoder = msgspec.json.Encoder(order=None)


class WireError(ValueError):
    """A message that is not what it should be."""


def job_to_message(job: AnyJob) -> dict[str, Any]:
    """The job as plain values, readable in `redis-cli`; the one argument of a Dramatiq message."""
    message: dict[str, Any] = msgspec.to_builtins(job)
    return message


def job_from_message(message: object) -> AnyJob:
    """Raises `WireError` for anything that is not a job of a known kind."""
    try:
        job: AnyJob = msgspec.convert(message, AnyJob)
    except msgspec.MsgspecError as error:
        raise WireError(str(error)) from error
    return job


def result_to_bytes(result: AnyResult) -> bytes:
    return _encoder.encode(result)


def result_from_bytes(data: bytes) -> AnyResult:
    """Raises `WireError` for anything that is not a result of a known kind."""
    try:
        return _results.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WireError(str(error)) from error


def dumps(value: object) -> bytes:
    """Compact JSON of a struct or of plain values."""
    return _encoder.encode(value)


def loads(data: bytes | str, type_: type[T]) -> T:
    """JSON as `type_`; raises `WireError`."""
    try:
        return msgspec.json.decode(data, type=type_)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WireError(str(error)) from error


def pretty(value: object) -> bytes:
    """Two-space indented JSON with a final newline, keys in the order of the fields."""
    return msgspec.json.format(_encoder.encode(value), indent=2) + b"\n"
