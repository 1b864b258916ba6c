"""The job `discover_routes`: collect the pages of an app by following its navigation.

Breadth first from the start: on each page every link is read, and every menu that hides links is
opened. Nothing else is pressed. Routes that differ only in an identifier are one; the first met is
the sample.
"""

import re
from urllib.parse import urljoin, urlsplit

from contract.jobs import DiscoverRoutes, Limits
from contract.results import ExcludedRoute, FoundRoute, RoutesDiscovered, Tally
from contract.vocabulary import FailureReason, PageType
from workers.browser import places
from workers.browser.brief import Elsewhere
from workers.browser.lifecycle import Host
from workers.browser.page import ChromiumPage
from workers.browser.page_port import Control, SessionRenewed, Sight
from workers.browser.policy import Rules
from workers.browser.session import Session, Unreachable
from workers.kit.duty import Duty, HandBack

_FILE = re.compile(
    r"\.(pdf|zip|gz|csv|xlsx?|png|jpe?g|gif|svg|webp|ico|css|m?js|map|json|xml|txt|woff2?)$"
)
_CREATE = re.compile(r"(^|/)(new|create|add)(/|$)")
_MENUS_PER_PAGE = 25
_ACTIONS_SHOWN = 8


class Discovery:
    """What is known so far: the queue, the routes by template, what was left out and why."""

    def __init__(self, base_url: str, rules: Rules, start: str) -> None:
        self.base_url = base_url
        self.rules = rules
        self.queue: list[tuple[str, str, int]] = [(start, "", 0)]
        self.seen = {places.bare(places.mask_path(start))}
        self.routes: list[FoundRoute] = []
        self.excluded: dict[str, str] = {}
        self.truncated = False
        self.opened: set[str] = set()
        """Menus of the site's navigation: each is opened once, on the page that has it first."""

    def offer(self, url: str, parent: str, depth: int) -> None:
        """A link: queue it, or note why not."""
        if urlsplit(url).scheme not in {"http", "https"}:
            return
        if not places.same_origin(url, self.base_url):
            self.excluded.setdefault(places.origin_of(url), "external origin")
            return
        route = places.route_of(url)
        template = places.bare(places.mask_path(route))
        if template in self.seen or _FILE.search(urlsplit(url).path):
            return
        self.seen.add(template)
        if rule := self.rules.judge_request("GET", url, "Document"):
            self.excluded[route] = rule
        else:
            self.queue.append((route, parent, depth))


async def discover_routes(job: DiscoverRoutes, duty: Duty, host: Host) -> None:
    """Follow the links of an app, and report its routes."""
    session = Session(duty, host, job.site)
    rules = Rules(job.site.safety, job.site.base_url)
    found = Discovery(job.site.base_url, rules, job.start)
    try:
        await session.begin()
        while found.queue:
            if duty.stopping.is_set():
                raise HandBack
            if len(found.routes) >= job.max_routes or duty.remaining_s < 15:
                found.truncated = True
                break
            await _visit(job, duty, session, found, *found.queue.pop(0))
    except (Unreachable, Elsewhere) as error:
        reason = error.reason if isinstance(error, Elsewhere) else FailureReason.APP_UNREACHABLE
        duty.fail(reason, retryable=False, detail=str(error)[:300])
        return
    duty.report(
        RoutesDiscovered(
            **duty.stamp(),
            routes=tuple(found.routes),
            excluded=tuple(
                ExcludedRoute(route=route, reason=reason)
                for route, reason in found.excluded.items()
            ),
            truncated=found.truncated,
        )
    )


async def _visit(
    job: DiscoverRoutes,
    duty: Duty,
    session: Session,
    found: Discovery,
    route: str,
    parent: str,
    depth: int,
) -> None:
    page = ChromiumPage(
        url=urljoin(job.site.base_url, route),
        new_context=session.context,
        rules=found.rules,
        limits=Limits(rows=1),
        waits=job.waits,
        store=_no_pictures,
        session_lost=session.lost,
    )
    duty.tell(Tally(states=len(found.routes)), route)
    try:
        sight = await _open(page, first=not found.routes)
        if sight is None:
            found.excluded[route] = "does not load"
            return
        controls = await page.controls()
        landed = places.route_of(sight.url)
        if _stands_for_itself(found, route, landed, sight):
            found.routes.append(_described(route, parent, sight, controls))
        if depth < job.depth:
            for link in await _links(page, controls, found):
                found.offer(link, route, depth + 1)
    finally:
        await page.close()


async def _no_pictures(_: bytes) -> str:
    return ""


async def _open(page: ChromiumPage, *, first: bool) -> Sight | None:
    for _ in range(3):
        try:
            effect = await page.open()
        except SessionRenewed:
            continue
        if effect.unreachable and first:
            raise Unreachable(f"the app does not answer ({effect.unreachable})")
        return effect.after
    return None


def _stands_for_itself(found: Discovery, route: str, landed: str, sight: Sight) -> bool:
    """Whether the page is worth a line in the map; notes the reason when it is not."""
    if not places.same_origin(sight.url, found.base_url):
        found.excluded[route] = f"leads out of the app, to {places.origin_of(sight.url)}"
        return False
    moved = places.bare(landed) != places.bare(route)
    if sight.health.asks_password and (moved or "login" in route or "signin" in route):
        found.excluded[route if not moved else landed] = "auth flow"
        return False
    if moved:
        found.excluded[route] = f"leads to {landed}"
        found.offer(urljoin(found.base_url, landed), "", 0)
        return False
    return True


async def _links(page: ChromiumPage, controls: tuple[Control, ...], found: Discovery) -> list[str]:
    """The addresses of a page's links, those in closed menus too."""
    links = _addresses(controls, found)
    menus = [c for c in controls if _hides_links(c) and found.rules.forbids(c) is None]
    menus = [c for c in menus if c.key not in found.opened][:_MENUS_PER_PAGE]
    found.opened.update(c.key for c in menus if c.site)
    for number, menu in enumerate(menus):
        try:
            links += await _behind(menu, menus[number + 1 :], page, found)
        except SessionRenewed:
            break
    return list(dict.fromkeys(links))


async def _behind(
    menu: Control, later: list[Control], page: ChromiumPage, found: Discovery
) -> list[str]:
    """The addresses that show when a menu is opened. The page is loaded anew where it was left, or
    where opening one menu took others away.
    """
    effect = await page.press(menu)
    if effect.after is None:
        await page.open()
        return []
    if places.template_of(effect.after.url) != places.template_of(effect.before.url):
        await page.open()
        return [effect.after.url]
    now = await page.controls()
    await page.escape()
    if not {c.key for c in later} <= {c.key for c in now}:
        await page.open()
    return _addresses(now, found)


def _addresses(controls: tuple[Control, ...], found: Discovery) -> list[str]:
    """Where links lead; one that ends the session is noted as left out, and not followed."""
    links = []
    for control in controls:
        if not control.href or control.download:
            continue
        if found.rules.words.leave.search(f"{control.label} {control.hints}"):
            found.excluded.setdefault(places.route_of(control.href), "ends the session")
        else:
            links.append(control.href)
    return links


def _hides_links(control: Control) -> bool:
    """A closed menu, or an entry of the navigation that leads nowhere by itself."""
    if control.disabled or (control.href and "#" not in control.href):
        return False
    closed = control.expanded is False or control.popup in {"menu", "true"}
    return closed or control.tag == "summary" or control.site in {"nav", "aside"}


def _described(route: str, parent: str, sight: Sight, controls: tuple[Control, ...]) -> FoundRoute:
    return FoundRoute(
        route=route,
        page_type=page_type(route, sight, controls),
        parent=parent if places.bare(parent or "/") != "/" else "",
        category=_category(route),
        actions=_actions(controls),
    )


def page_type(route: str, sight: Sight, controls: tuple[Control, ...]) -> PageType:
    """A guess at what a page is, from its address and what stands on it."""
    fields = [c for c in controls if c.field is not None and not c.site and c.in_form]
    if _CREATE.search(route):
        return PageType.CREATE
    if "{id}" in places.mask_path(route):
        return PageType.DETAIL
    if "setting" in route or "preference" in route or "config" in route:
        return PageType.SETTINGS
    if places.bare(route) == "/" or "dashboard" in route:
        return PageType.DASHBOARD
    if sight.health.has_table:
        linked = any(
            c.row and c.href and places.below(places.route_of(c.href), route) for c in controls
        )
        return PageType.LIST_DETAIL if linked else PageType.LIST
    return PageType.SETTINGS if len(fields) > 3 else PageType.TOOL


def _category(route: str) -> str:
    first = re.sub(r"\.\w+$", "", places.bare(route).lstrip("/#!").split("/")[0])
    return first.replace("-", " ").replace("_", " ").title() or "Home"


def _actions(controls: tuple[Control, ...]) -> tuple[str, ...]:
    labels = (
        re.sub(r"[|,\s]+", " ", c.label).strip().lower()
        for c in controls
        if not c.site and c.field is None and c.role in {"button", "menuitem"} and not c.row
    )
    return tuple(label for label in dict.fromkeys(labels) if 0 < len(label) <= 24)[:_ACTIONS_SHOWN]
