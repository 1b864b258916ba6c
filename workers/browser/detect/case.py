"""What a detector is shown: one reading of the page with what led to it, and what to overlook.

A request that we refused is never the app's bug, nor are the errors that follow from it. The same
holds for a host that cannot be reached: that is the environment.
"""

import re
from functools import cached_property
from urllib.parse import urlsplit

import msgspec

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.classify import Verdict, blocked, changed_document
from workers.browser.page_port import Control, Effect, Exchange, Sight
from workers.browser.places import mask_path, same_origin

_NUMBERS = re.compile(r"[0-9a-f]{8,}|\d+")
_SHOWN_MAX = 300


class Case(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """`control` and `verdict` are missing when the case is the load of the page."""

    effect: Effect
    base_url: str
    control: Control | None = None
    verdict: Verdict | None = None
    noise: tuple[str, ...] = ()

    @property
    def after(self) -> Sight | None:
        return self.effect.after

    @cached_property
    def ours(self) -> bool:
        """Whether we refused a request of this action, so that what follows is not the app's."""
        return bool(blocked(self.effect))

    @cached_property
    def environment(self) -> bool:
        """Whether this document lacks scripts from hosts that cannot be reached."""
        return bool(self.effect.traffic.environment)

    @property
    def landed(self) -> bool:
        """Whether this is the first reading of a document."""
        return self.control is None or changed_document(self.effect)

    @property
    def what(self) -> str:
        """The action in words."""
        if self.control is None:
            return "Loading the page"
        verb = "Filling" if self.control.field is not None else "Pressing"
        return f"{verb} “{self.control.label or self.control.role}”"

    def is_noise(self, said: str) -> bool:
        return any(re.search(pattern, said) for pattern in self.noise)

    def is_ours(self, exchange: Exchange) -> bool:
        return same_origin(exchange.url, self.base_url)

    def suspicion(
        self,
        kind: BugKind,
        severity: Severity,
        *,
        said: str,
        expected: str,
        actual: str,
        description: str,
        evidence: tuple[str, ...] = (),
        exactly: int | str = "",
    ) -> Suspicion:
        """`said` and `exactly` make two reports the same bug; numbers in `said` do not count."""
        return Suspicion(
            kind=kind,
            severity=severity,
            signature=f"{kind.value}|{_NUMBERS.sub('#', said)[:200]}|{exactly}",
            description=description[:_SHOWN_MAX],
            expected=expected,
            actual=actual[:_SHOWN_MAX],
            evidence=tuple(line[:_SHOWN_MAX] for line in evidence[:10]),
        )


def shown(exchange: Exchange) -> str:
    """An exchange for people, without query values."""
    path = urlsplit(exchange.url).path
    tail = f"answered {exchange.status}" if exchange.status else exchange.error
    return f"{exchange.method} {path} {tail}"


def endpoint(exchange: Exchange) -> str:
    return f"{exchange.method} {mask_path(urlsplit(exchange.url).path)}"
