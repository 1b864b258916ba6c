"""What a walk is asked to do, and how it says that a route cannot be explored."""

from collections.abc import Mapping

import msgspec

from contract.jobs import Limits
from contract.vocabulary import FailureReason
from workers.browser import places
from workers.browser.classify import Verdict
from workers.browser.detect.case import Case
from workers.browser.page_port import Control, Effect, Sight


class Elsewhere(Exception):
    """The route cannot be explored; `reason` is for the coordinator, the text for people."""

    def __init__(self, reason: FailureReason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """`routes` holds the bare templates of the map's routes, `shared` the keys of controls that
    another route explored, with that route. `noise` holds patterns of what is no bug.
    """

    route: str
    base_url: str
    limits: Limits = Limits()
    routes: frozenset[str] = frozenset()
    shared: Mapping[str, str] = {}
    noise: tuple[str, ...] = ()

    def inside(self, url: str, own: str) -> bool:
        """Whether a page belongs to the route `own`: itself, or below it and not in the map."""
        if not places.same_origin(url, self.base_url):
            return False
        route = plain(places.route_of(url))
        if route == plain(own):
            return True
        return places.below(route, plain(own)) and route not in self.routes

    def case(self, effect: Effect, control: Control | None, verdict: Verdict | None) -> Case:
        """An effect as the detectors see it."""
        return Case(
            effect=effect,
            base_url=self.base_url,
            control=control,
            verdict=verdict,
            noise=self.noise,
        )

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
