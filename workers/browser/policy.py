"""What may be used: the pure half of the trust boundary.

`forbids` judges a control before it is touched, `judge_request` a request before it leaves the
browser (`guard.py` carries that out). Each refusal names its rule; the rule is written into the
node. Words are a courtesy to the app: the network guard alone keeps the promise of read-only.
"""

import re
import tomllib
from importlib.resources import files
from urllib.parse import urlsplit

import msgspec

from contract import wire
from contract.jobs import Safety
from contract.vocabulary import Policy
from workers.browser.page_port import Control
from workers.browser.places import origin_of, same_origin

_ASCII = re.compile(r"^[\x00-\u024f]+$")
_READS = frozenset({"GET", "HEAD", "OPTIONS"})


def _pattern(words: list[str]) -> re.Pattern[str]:
    """Words with spaces around them match as words; scripts without spaces match anywhere."""
    spaced = [re.escape(word) for word in words if _ASCII.match(word)]
    joined = [re.escape(word) for word in words if not _ASCII.match(word)]
    parts = [rf"(?<![^\W_])(?:{'|'.join(spaced)})(?![^\W_])"] if spaced else []
    return re.compile("|".join(parts + joined), re.IGNORECASE)


class Words(msgspec.Struct, frozen=True):
    """The compiled word lists of `words.toml`."""

    leave: re.Pattern[str]
    risky: re.Pattern[str]
    close: re.Pattern[str]
    advance: re.Pattern[str]
    leave_paths: frozenset[str]
    leave_icons: re.Pattern[str]
    risky_icons: re.Pattern[str]


def load_words() -> Words:
    raw = tomllib.loads(files("workers.browser").joinpath("words.toml").read_text("utf-8"))
    return Words(
        leave=_pattern(raw["leave"]),
        risky=_pattern(raw["risky"]),
        close=_pattern(raw["close"]),
        advance=_pattern(raw["advance"]),
        leave_paths=frozenset(raw["leave_paths"]),
        leave_icons=_pattern(raw["leave_icons"]),
        risky_icons=_pattern(raw["risky_icons"]),
    )


class Rules:
    """The policy of one job: its safety settings, the app's origin and the words."""

    def __init__(self, safety: Safety, base_url: str) -> None:
        self.safety = safety
        self.base_url = base_url
        self.words = load_words()

    def forbids(self, control: Control) -> str | None:
        """The rule that forbids using this control, or None."""
        if self._leaves(control):
            return "log-out is never pressed"
        if control.frame and control.frame not in self.safety.allow_origins:
            return f"in a frame of another origin, {control.frame}"
        if reason := self._outside(control):
            return reason
        if self.safety.policy is Policy.FULL or self._is_plain_link(control):
            return None
        word = self._risky_word(control)
        if word and (self.safety.policy is Policy.READ_ONLY or control.dialog):
            return f"{self.safety.policy.value}: “{word}” is not pressed"
        return None

    def closes(self, control: Control) -> bool:
        """Whether a control closes what is open without doing it."""
        said = (control.label or control.hints).strip()
        return bool(self.words.close.fullmatch(said)) or "close" in control.hints.lower().split()

    def advances(self, label: str) -> bool:
        """Whether a label goes one step on, as in a wizard."""
        return bool(self.words.advance.match(label.strip(" ›»→>")))

    def judge_request(self, method: str, url: str, resource: str, body: str = "") -> str | None:
        """The rule that blocks this request, or None."""
        parts = urlsplit(url)
        method = method.upper()
        if parts.scheme not in {"http", "https"}:
            return None
        if self._leave_path(parts.path):
            return f"log-out address {parts.path}"
        if _listed(self.safety.deny_requests, method, parts.path):
            return f"denied: {method} {parts.path}"
        if resource == "Document" and not self._in_scope(url):
            return f"other origin {origin_of(url)}"
        if method in _READS or _listed(self.safety.allow_requests, method, parts.path):
            return None
        return self._judge_write(method, parts.path, body)

    def _judge_write(self, method: str, path: str, body: str) -> str | None:
        policy = self.safety.policy
        reads = method == "POST" and asks_graphql(path, body)
        if policy is Policy.READ_ONLY and not reads:
            return f"read-only: {method} {path}"
        if policy is Policy.SAFE and method == "DELETE":
            return f"safe: {method} {path}"
        return None

    def _in_scope(self, url: str) -> bool:
        return same_origin(url, self.base_url) or origin_of(url) in self.safety.allow_origins

    def _leave_path(self, path: str) -> bool:
        return any(part.lower() in self.words.leave_paths for part in path.split("/"))

    def _leaves(self, control: Control) -> bool:
        if self.words.leave.search(f"{control.label} {control.hints}"):
            return True
        if self._leave_path(urlsplit(control.href).path):
            return True
        return len(control.label) < 3 and bool(self.words.leave_icons.search(control.hints))

    def _outside(self, control: Control) -> str | None:
        scheme = urlsplit(control.href).scheme
        if scheme in {"http", "https"} and not self._in_scope(control.href):
            return f"leads to another origin, {origin_of(control.href)}"
        if scheme and scheme not in {"http", "https", "javascript", "blob", "data", "about"}:
            return f"opens another program ({scheme}:)"
        return None

    def _is_plain_link(self, control: Control) -> bool:
        """A link that only fetches a page of this app: its route would be opened anyway."""
        if control.tag != "a" or not control.href or control.role not in {"link", "tab"}:
            return False
        if not same_origin(control.href, self.base_url) or "#" in control.href.rsplit("/", 1)[-1]:
            return False
        return not self.words.risky.search(urlsplit(control.href).path.replace("/", " "))

    def _risky_word(self, control: Control) -> str:
        found = self.words.risky.search(control.label)
        if found is None and control.field is None:
            found = self.words.risky_icons.search(control.hints) if not control.label else None
            found = found or self.words.risky.search(urlsplit(control.href).path.replace("/", " "))
        if found is None or control.field is not None:
            return ""
        return found.group()


def _listed(rules: tuple[str, ...], method: str, path: str) -> bool:
    """Whether a request is in a list of `METHOD /prefix`; without a method it means every one."""
    for rule in rules:
        verb, space, prefix = rule.rpartition(" ")
        if path.startswith(prefix) and (not space or verb.strip().upper() == method):
            return True
    return False


def asks_graphql(path: str, body: str) -> bool:
    """Whether a POST is a GraphQL query, which reads, rather than a mutation."""
    if "graphql" not in path.lower():
        return False
    try:
        if body.lstrip().startswith("["):
            asked = wire.loads(body, list[GraphQL])
        else:
            asked = [wire.loads(body, GraphQL)]
    except wire.WireError:
        return False
    return bool(asked) and all(_only_reads(item.query) for item in asked)


class GraphQL(msgspec.Struct):
    """What a GraphQL client posts."""

    query: str


def _only_reads(document: str) -> bool:
    """In doubt it writes: the words may also stand in a string or a comment."""
    reads = document.lstrip().startswith(("query", "{", "fragment", "#"))
    return reads and not re.search(r"\b(mutation|subscription)\b", document)
