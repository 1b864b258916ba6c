"""Every setting of the coordinator, built once at the door and handed down.

Four layers: flag > `MAZEWAVE_*` > `mazewave.toml` > default; where each value came from is kept for
`mazewave config`. Invariant: a value that is not what it should be is a `RequestError` that names
the file or variable and the key; a key with a typo is told the near one. Leaves out the worker's
own variables, which `workers/kit/settings.py` reads.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from contract.channels import NAMESPACE
from contract.jobs import Limits
from contract.vocabulary import Policy
from coordinator.errors import RequestError

FILE_NAME = "mazewave.toml"
PREFIX = "MAZEWAVE_"

PRESETS: Mapping[str, Limits] = {
    "fast": Limits(depth=3, states_per_template=15, rows=1, actions=100, seconds=90.0),
    "balanced": Limits(),
    "thorough": Limits(depth=8, states_per_template=150, rows=5, actions=1500, seconds=900.0),
}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def _path(value: object) -> Path:
    return Path(_text(value)).expanduser()


def _whole(least: int, most: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError("must be a whole number")
        try:
            number = int(value)
        except ValueError:
            raise ValueError("must be a whole number") from None
        if not least <= number <= most:
            raise ValueError(f"must be between {least} and {most}")
        return number

    return parse


def _texts(value: object) -> tuple[str, ...]:
    """A list in the file; in a variable, entries separated by `;`."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(";") if part.strip())
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return tuple(value)
    raise ValueError("must be a list of texts")


def _flag(value: object) -> bool:
    if value in (True, "true", "yes", "1"):
        return True
    if value in (False, "false", "no", "0"):
        return False
    raise ValueError("must be true or false")


class _NoPattern(ValueError):
    """An entry that is no regular expression; the sentence shows it already."""


def _patterns(value: object) -> tuple[str, ...]:
    """A list of regular expressions, each of which is one."""
    patterns = _texts(value)
    for number, pattern in enumerate(patterns, 1):
        try:
            re.compile(pattern)
        except re.error as error:
            at = f" at character {error.pos + 1}" if error.pos is not None else ""
            raise _NoPattern(
                f"has an entry that is no regular expression: number {number}, {pattern!r}: "
                f"{error.msg}{at}"
            ) from None
    return patterns


def _choice(allowed: tuple[str, ...]) -> Callable[[object], str]:
    def parse(value: object) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return str(value)

    return parse


def parse_url(value: object) -> str:
    """An address of an app: scheme, host, no query; a slash at its end is dropped."""
    text = _text(value).strip()
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise ValueError(f"is no URL: {error}") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be a URL such as http://localhost:5000")
    if parts.username or parts.password:
        raise ValueError("must not hold a password; use --login or --storage-state")
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


@dataclass(frozen=True)
class Option:
    """One setting: how it is read, what it is without a word from the user, what it means."""

    parse: Callable[[Any], Any]
    default: Any
    meaning: str


def default_workers(cores: int | None = None) -> int:
    """Two browser workers per core gain, more do not; a laptop should stay usable."""
    return max(1, min(8, 2 * (cores or os.cpu_count() or 1)))


OPTIONS: Mapping[str, Option] = {
    "url": Option(parse_url, "", "the app under test"),
    "project": Option(_path, Path(), "the folder for the state, the map and the reports"),
    "routes": Option(_path, None, "the route map; default ROUTE_MAP.md in the project"),
    "broker": Option(_text, "", "a Redis URL; without one a private broker is started"),
    "blobs": Option(_text, "", "where bulk travels: a folder or s3://…; needed with a broker"),
    "namespace": Option(_text, NAMESPACE, "prefix of all keys in Redis"),
    "concurrency": Option(_whole(1, 256), None, "local browser workers; default two per core"),
    "policy": Option(_choice(tuple(Policy)), Policy.READ_ONLY.value, "how far a run may go"),
    "preset": Option(_choice(tuple(PRESETS)), "balanced", "how much of each route is explored"),
    "follow": Option(_flag, False, "whether pages that are met outside the map are tested too"),
    "login": Option(_path, None, "a login recipe (TOML)"),
    "storage_state": Option(_path, None, "a Playwright storage-state file"),
    "allow_requests": Option(_texts, (), "`METHOD /prefix` that read-only lets through"),
    "deny_requests": Option(_texts, (), "`METHOD /prefix` that is never sent"),
    "allow_origins": Option(_texts, (), "other origins that may be opened"),
    "noise": Option(
        _patterns, (), "regular expressions; lines, addresses and texts with a match are no bugs"
    ),
    "metrics_port": Option(_whole(0, 65535), 0, "port for Prometheus; 0 for none"),
    "metrics_host": Option(_text, "127.0.0.1", "the address that the metrics are served on"),
}


@dataclass(frozen=True)
class Settings:
    """The values, and for each where it came from."""

    url: str
    project: Path
    routes: Path | None
    broker: str
    blobs: str
    namespace: str
    concurrency: int
    policy: Policy
    preset: str
    follow: bool
    login: Path | None
    storage_state: Path | None
    allow_requests: tuple[str, ...]
    deny_requests: tuple[str, ...]
    allow_origins: tuple[str, ...]
    noise: tuple[str, ...]
    metrics_port: int
    metrics_host: str
    sources: Mapping[str, str]

    @property
    def limits(self) -> Limits:
        return PRESETS[self.preset]


def load(flags: Mapping[str, Any], env: Mapping[str, str] | None = None) -> Settings:
    """The settings; a flag that is None or empty was not given."""
    variables = os.environ if env is None else env
    folder = Path(flags.get("project") or variables.get(f"{PREFIX}PROJECT") or ".")
    file = folder.expanduser() / FILE_NAME
    layers = (
        {name: value for name, value in flags.items() if value not in (None, (), "", False)},
        _from(variables),
        _read(file),
    )
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for name, option in OPTIONS.items():
        flag = "the URL" if name == "url" else f"--{name.replace('_', '-')}"
        where = (flag, f"{PREFIX}{name.upper()}", f"{name} in {file}")
        values[name], sources[name] = option.default, "default"
        for layer, source in zip(layers, where, strict=True):
            if name in layer:
                values[name], sources[name] = _parsed(option, layer[name], source), source
                break
    return _settle(values, sources)


def _from(variables: Mapping[str, str]) -> dict[str, Any]:
    found = {name: variables.get(f"{PREFIX}{name.upper()}") for name in OPTIONS}
    return {name: value for name, value in found.items() if value}


def _parsed(option: Option, value: object, source: str) -> Any:
    try:
        return option.parse(str(value) if isinstance(value, Path) else value)
    except _NoPattern as error:
        hint = "correct it; a backslash before a character takes it as it is"
        raise RequestError(f"{source} {error}", hint) from None
    except ValueError as error:
        shown = "" if option.meaning.startswith("a Redis") else f" ({value!r})"
        raise RequestError(
            f"{source} {error}{shown}", f"it is {option.meaning}; see: mazewave config"
        ) from None


def _read(file: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"{file} cannot be read: {error}", "correct it or move it") from error
    except tomllib.TOMLDecodeError as error:
        raise RequestError(f"{file} is no TOML: {error}", "correct that line") from error
    values = {name.replace("-", "_"): value for name, value in document.items()}
    for name in values.keys() - OPTIONS.keys():
        near = difflib.get_close_matches(name, OPTIONS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it may hold {', '.join(OPTIONS)}"
        raise RequestError(f"{file} has the unknown key {name}", hint)
    return values


def _settle(values: dict[str, Any], sources: dict[str, str]) -> Settings:
    if values["login"] and values["storage_state"]:
        raise RequestError(
            "a login recipe and a storage state were both given "
            f"({sources['login']}, {sources['storage_state']})",
            "give one of them: the recipe logs in, the storage state is a login already",
        )
    values["concurrency"] = values["concurrency"] or default_workers()
    values["policy"] = Policy(values["policy"])
    return Settings(**values, sources=sources)
