"""The word lists of `words.toml`, compiled once per process.

Words with spaces around them match as words, scripts without spaces match anywhere. Names of fields
are read as words too: `userEmail` and `user_email` both say email.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

_ASCII = re.compile(r"^[\x00-\u024f]+$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINTS = re.compile(r"[_.\[\]/]+|(?<=\w)-(?=\w)")


_LISTS = (
    *("leave", "risky", "confirm", "close", "acknowledge", "advance", "agree"),
    *("leave_icons", "risky_icons"),
)


def pattern(words: list[str]) -> re.Pattern[str]:
    """One expression for a list of words."""
    spaced = [re.escape(word) for word in words if _ASCII.match(word)]
    joined = [re.escape(word) for word in words if not _ASCII.match(word)]
    parts = [rf"(?<![^\W_])(?:{'|'.join(spaced)})(?![^\W_])"] if spaced else []
    return re.compile("|".join(parts + joined), re.IGNORECASE)


def spoken(text: str) -> str:
    """A name as words: both as it is written and with its parts apart."""
    return f"{text} {_JOINTS.sub(' ', _CAMEL.sub(' ', text))}"


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The compiled word lists."""

    leave: re.Pattern[str]
    risky: re.Pattern[str]
    confirm: re.Pattern[str]
    close: re.Pattern[str]
    acknowledge: re.Pattern[str]
    advance: re.Pattern[str]
    agree: re.Pattern[str]
    secret: re.Pattern[str]
    leave_paths: frozenset[str]
    destroy_paths: frozenset[str]
    leave_icons: re.Pattern[str]
    risky_icons: re.Pattern[str]
    fields: dict[str, re.Pattern[str]]


@cache
def load_words() -> Words:
    raw: dict[str, Any] = tomllib.loads(
        files("workers.browser").joinpath("words.toml").read_text("utf-8")
    )
    return Words(
        **{name: pattern(raw[name]) for name in _LISTS},
        secret=re.compile("|".join(map(re.escape, raw["secret"])), re.IGNORECASE),
        leave_paths=frozenset(raw["leave_paths"]),
        destroy_paths=frozenset(raw["destroy_paths"]),
        fields={meaning: pattern(words) for meaning, words in raw["fields"].items()},
    )
