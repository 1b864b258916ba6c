"""What a walk is asked to do, how its route is opened, and why it may not be explored at all."""

from collections.abc import Mapping
from functools import cached_property

import msgspec

from contract.jobs import Before, Limits
from contract.vocabulary import FailureReason
from workers.browser import places
from workers.browser.classify import Verdict
from workers.browser.detect.case import Case
from workers.browser.page_port import Control, Effect, PagePort, SessionRenewed, Sight
from workers.browser.survey import Survey


class Elsewhere(Exception):
    """The route cannot be explored; `reason` is for the coordinator, the text for people."""

    def __init__(self, reason: FailureReason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Brief(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """`routes` holds the bare templates of the map's routes, `shared` the keys of controls that
    another route explored, with that route. `before` is what an earlier run met here, `noise` holds
    patterns of what is no bug. `denied` are the keys of controls that ended the session when
    another job used them.
    """

    route: str
    base_url: str
    limits: Limits = Limits()
    routes: frozenset[str] = frozenset()
    shared: Mapping[str, str] = {}
    noise: tuple[str, ...] = ()
    denied: frozenset[str] = frozenset()
    before: Before = Before()

    @cached_property
    def _met(self) -> frozenset[str]:
        return frozenset(self.before.met)

    def promising(self, key: str, state: str) -> bool:
        """Whether a control is tried before others: it is new here, or it was wrong before."""
        return f"{state} {key}" not in self._met or key in self.before.wrong

    def inside(self, url: str, own: str) -> bool:
        """Whether a page belongs to the route `own`: itself, or below it and not in the map."""
        if not places.same_origin(url, self.base_url):
            return False
        route = plain(places.route_of(url))
        if route == plain(own):
            return True
        return places.below(route, plain(own)) and route not in self.routes

    def case(
        self,
        effect: Effect,
        control: Control | None,
        verdict: Verdict | None,
        survey: Survey | None = None,
    ) -> Case:
        """An effect as the detectors see it, with the closer look at where it led."""
        return Case(
            effect=effect,
            base_url=self.base_url,
            control=control,
            verdict=verdict,
            noise=self.noise,
            survey=survey or Survey(),
        )

    def is_of_another(self, effect: Effect, own: str) -> bool:
        """Whether an action led to another route of the map, which answers for its own bugs."""
        after = effect.after
        if after is None or after.document == effect.before.document or not effect.before.document:
            return False
        return self.knows(after.url) and not self.inside(after.url, own)

    def knows(self, url: str) -> bool:
        """Whether a page is in the map."""
        route = plain(places.route_of(url))
        return route in self.routes or route == plain(self.route)


class Landing(msgspec.Struct, frozen=True):
    """Where a route led to: `own` is the route that the page answers for."""

    own: str
    note: str = ""


def plain(route: str) -> str:
    """A route as the map is searched by: identifiers masked, without query."""
    return places.bare(places.mask_path(route))


def unreachable(error: str) -> Elsewhere:
    """The app did not answer; `error` is Chromium's word for why."""
    if error == "timeout":
        return Elsewhere(FailureReason.TIMEOUT, "the route did not answer within 15 s")
    return Elsewhere(FailureReason.APP_UNREACHABLE, f"the app does not answer ({error})")


def land(brief: Brief, after: Sight, effect: Effect) -> Landing:
    """Judge where the route led to; raises `Elsewhere` when that is out of the app."""
    if after.url.startswith("chrome-error:"):
        return Landing(brief.route, "the route gives no answer")
    if not places.same_origin(after.url, brief.base_url):
        where = places.origin_of(after.url) or after.url
        raise Elsewhere(FailureReason.REDIRECTED_OUT, f"the route leads out of the app, to {where}")
    landed = places.route_of(after.url)
    if effect.traffic.downloads:
        return Landing(brief.route, "the route is a download")
    if places.bare(landed) == places.bare(brief.route.split("?")[0]):
        return Landing(brief.route)
    if after.health.asks_password:
        raise Elsewhere(
            FailureReason.AUTH_LOST,
            f"the route leads to {landed}, which asks for a password; give --login or "
            "--storage-state",
        )
    own = brief.route if plain(landed) in brief.routes else landed
    return Landing(own, f"the route leads to {landed}")


async def opened(port: PagePort) -> Effect:
    """The route, loaded; again in a fresh context when it hung or the session was new.

    Raises `Elsewhere` when nothing answers.
    """
    effect = Effect(before=port.sight)
    for _ in range(3):
        try:
            effect = await port.open()
        except SessionRenewed:
            continue
        if effect.unreachable:
            raise unreachable(effect.unreachable)
        if effect.after is not None:
            return effect
        await port.renew()
    return effect
