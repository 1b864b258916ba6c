"""What may be used: the pure half of the trust boundary.

`forbids` judges a control before it is touched, `judge_request` a request before it leaves the
browser (`guard.py` carries that out). Each refusal names its rule; the rule is written into the
node. Words are a courtesy to the app: the network guard alone keeps the promise of read-only.
"""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

import msgspec

from contract import wire
from contract.jobs import Safety
from contract.vocabulary import Policy
from workers.browser.page_port import Control
from workers.browser.places import origin_of, same_origin
from workers.browser.vocabulary import load_words

_BODY_LOOKED_AT = 100_000
_DEEDS = frozenset(("action", "act", "do", "op", "cmd", "task", "_method", "method"))
_FILES = (
    *(".js", ".mjs", ".css", ".map", ".json", ".html", ".htm", ".txt", ".wasm", ".woff", ".woff2"),
    *(
        ".svg",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".webp",
        ".ico",
        ".ttf",
        ".vue",
        ".ts",
        ".tsx",
        ".jsx",
    ),
)
_READS = frozenset({"GET", "HEAD", "OPTIONS"})


class Rules:
    """The policy of one job: its safety settings, the app's origin and the words."""

    def __init__(self, safety: Safety, base_url: str) -> None:
        self.safety = safety
        self.base_url = base_url
        self.words = load_words()
        self.using = ""
        """What is risky about the control in use; while it says so, `safe` lets no write out."""

    @property
    def reads_only(self) -> bool:
        return self.safety.policy is Policy.READ_ONLY

    @property
    def allows_all(self) -> bool:
        return self.safety.policy is Policy.FULL

    @property
    def dangerous(self) -> frozenset[str]:
        """Words in addresses that are judged whatever kind of request asks for them."""
        words = self.words
        return words.leave_paths if self.allows_all else words.leave_paths | words.destroy_paths

    @property
    def socket_paths(self) -> tuple[str, ...]:
        """Where messages of WebSockets may go when only looking: `WS /path` of the allow-list."""
        rules = (rule.rpartition(" ") for rule in self.safety.allow_requests)
        return tuple(prefix for verb, _, prefix in rules if verb.strip().upper() == "WS")

    def forbids(self, control: Control, led_by: str = "") -> str | None:
        """The rule that forbids using this control, or None.

        `led_by` is the risky control that led to where it stands: what says yes to that is as risky
        itself, whatever it is called.
        """
        if self._leaves(control):
            return "log-out is never pressed"
        if control.frame and control.frame not in self.safety.allow_origins:
            return f"in a frame of another origin, {control.frame}"
        if reason := self._outside(control):
            return reason
        return None if self.allows_all else self._risks(control, led_by)

    def _risks(self, control: Control, led_by: str) -> str | None:
        level = self.safety.policy.value
        if word := self._destroys(asked_for(control.href)):
            return f"{level}: an address that says “{word}” is not opened"
        if self._is_plain_link(control):
            return None
        word = self.risk_of(control)
        if word and (self.reads_only or control.dialog):
            return f"{level}: “{word}” is not pressed"
        if led_by and self._says_yes(control):
            return f"{level}: “{control.label or control.role}” would confirm “{led_by}”"
        return None

    def risk_of(self, control: Control) -> str:
        """The word by which a control is risky, or nothing; a field never is."""
        if control.field is not None:
            return ""
        found = self.words.risky.search(control.label)
        if found is None:
            found = self.words.risky_icons.search(control.hints) if not control.label else None
            found = found or self.words.risky.search(urlsplit(control.href).path.replace("/", " "))
        return "" if found is None else found.group()

    def risk_along(self, way: Iterable[Control]) -> str:
        """What is risky among the controls that led somewhere; only `safe` goes on behind it."""
        if self.reads_only or self.allows_all:
            return ""
        return next((risk for control in way if (risk := self.risk_of(control))), "")

    def _says_yes(self, control: Control) -> bool:
        """Whether a control may say yes to what a risky one asked.

        In a dialog that is all but what closes, shows or is filled in; on a page what is called so,
        and what sends a form.
        """
        if control.field is not None or control.role in {"tab", "checkbox", "radio", "switch"}:
            return False
        if self.words.confirm.search(control.label):
            return True
        return not self.closes(control) if control.dialog else control.submits

    def acknowledges(self, control: Control) -> bool:
        """Whether a control closes what only told something: it may also say yes."""
        return bool(self.words.acknowledge.fullmatch(control.label.strip()))

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
        if reason := self._never(method, url, resource):
            return reason
        if _listed(self.safety.allow_requests, method, parts.path):
            return None
        harmless = self.allows_all or (method in _READS and is_file(url, resource))
        if not harmless and (word := self._destroys(asked_for(url))):
            return f"{self.safety.policy.value}: an address that says “{word}”, {parts.path}"
        return None if method in _READS else self._judge_write(method, parts.path, body)

    def _never(self, method: str, url: str, resource: str) -> str | None:
        """What leaves at no level, whatever is allowed."""
        path = urlsplit(url).path
        if self._leave_path(asked_for(url)):
            return f"log-out address {path}"
        if _listed(self.safety.deny_requests, method, path):
            return f"denied: {method} {path}"
        outside = resource == "Document" and not self._in_scope(url)
        return f"other origin {origin_of(url)}" if outside else None

    def _judge_write(self, method: str, path: str, body: str) -> str | None:
        policy = self.safety.policy
        reads = method == "POST" and asks_graphql(path, body)
        if policy is Policy.READ_ONLY and not reads:
            return f"read-only: {method} {path}"
        if policy is not Policy.SAFE or reads:
            return None
        if method == "DELETE" or deletes(path, body, self.words.destroy_paths):
            return f"safe: {method} {path}"
        return f"safe: “{self.using}” may open, not write: {method} {path}" if self.using else None

    def _destroys(self, path: str) -> str:
        """The word by which an address destroys when it is asked for, or nothing."""
        words = [word for part in path.rstrip("/").split("/")[-2:] for word in _apart(part)]
        return next((word for word in words if word in self.words.destroy_paths), "")

    def _in_scope(self, url: str) -> bool:
        """Other origins are entered when everything is allowed, and only those on the list."""
        if same_origin(url, self.base_url):
            return True
        return self.allows_all and origin_of(url) in self.safety.allow_origins

    def _leave_path(self, path: str) -> bool:
        return any(part.lower() in self.words.leave_paths for part in path.split("/"))

    def _leaves(self, control: Control) -> bool:
        if self.words.leave.search(f"{control.label} {control.hints}"):
            return True
        if self._leave_path(asked_for(control.href)):
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


def is_file(url: str, resource: str) -> bool:
    """Whether a request only fetches a part of the app itself, such as `delete-dialog.js`."""
    path = urlsplit(url).path.lower()
    return resource in {"Script", "Stylesheet", "Font"} or path.endswith(_FILES)


def asked_for(url: str) -> str:
    """The path of an address, with what its query says is to be done as more segments."""
    parts = urlsplit(url)
    deeds = [value for name, value in parse_qsl(parts.query) if name.lower() in _DEEDS]
    return "/".join((parts.path.rstrip("/"), *deeds))


def _apart(segment: str) -> list[str]:
    """The words of a path's segment, `deleteAll` and `delete_all` alike."""
    return (
        re.sub(r"(?<=[a-z])(?=[A-Z])", " ", segment)
        .replace("-", " ")
        .replace("_", " ")
        .replace(".", " ")
        .lower()
        .split()
    )


def deletes(path: str, body: str, words: frozenset[str]) -> bool:
    """Whether a POST stands for a DELETE: by its `_method`, or by a mutation of that name."""
    if re.search(r'_method"?\s*[=:]\s*"?(?:delete|DELETE)\b', body[:_BODY_LOOKED_AT]):
        return True
    if re.search(r'name="_method"\s+delete', body[:_BODY_LOOKED_AT], re.IGNORECASE):
        return True
    if "graphql" not in path.lower():
        return False
    named = re.findall(r"[A-Za-z_]{3,80}", body[:_BODY_LOOKED_AT])
    return any(words & set(_apart(name)) for name in named)


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
