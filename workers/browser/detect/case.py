"""What a detector is shown: one reading of the page with what led to it, and what to overlook.

A request that we refused is never the app's bug, nor are the errors that follow from it. The same
holds for a host that cannot be reached: that is the environment.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import urlsplit

import msgspec

from contract.vocabulary import BugKind, Severity
from workers.browser.atlas import Suspicion
from workers.browser.classify import Verdict, blocked, changed_document, delta
from workers.browser.detect import noise
from workers.browser.page_port import Control, Effect, Exchange, Sight
from workers.browser.places import bare, mask_path, same_origin, template_of
from workers.browser.survey import Survey

_NUMBERS = re.compile(r"[0-9a-f]{8,}|\d+")
_SHOWN_MAX = 300


class Case(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """`control` and `verdict` are missing when the case is the load of the page.

    `survey` is the closer look, which is there for new states. `held` names a dialog that nothing
    closes, `outcomes` what the same press in the same state did in fresh contexts, in order.
    """

    effect: Effect
    base_url: str
    control: Control | None = None
    verdict: Verdict | None = None
    noise: tuple[str, ...] = ()
    survey: Survey = Survey()
    held: str = ""
    outcomes: tuple[str, ...] = ()

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
    def plain_looks(self) -> bool:
        """Whether the page has the looks that its author gave it: scripts and styles arrived."""
        return not (self.ours or self.environment or self.effect.traffic.unstyled)

    @property
    def where(self) -> str:
        """The page that was reached, as a template that does not vary."""
        return bare(template_of(self.after.url)) if self.after is not None else ""

    @property
    def told(self) -> bool:
        """Whether the page turned what went wrong into a message to the user."""
        after, before = self.after, self.effect.before
        if after is None or self.control is None:
            return False
        toasts = set(after.toasts) - set(before.toasts)
        more = len(after.dialogs) > len(before.dialogs) or after.invalid > before.invalid
        return bool(toasts) or more or bool(delta(after).dialogs)

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
        return noise.matches(said, self.noise)

    def loud(self, exchanges: tuple[Exchange, ...]) -> Iterator[Exchange]:
        """Those of the app itself that are no noise."""
        for exchange in exchanges:
            if self.is_ours(exchange) and not self.is_noise(exchange.url):
                yield exchange

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
