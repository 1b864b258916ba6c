"""The session of a run: who logs in, with what, and what to do when it is lost.

One worker of the run follows the recipe and shares the storage state by blob key; the others take
it. Secrets are read here, from the environment or a file, and go nowhere but into the form. The
recipe's own requests are not guarded: its context is closed before the walk begins.
"""

import asyncio
import contextlib
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from contract import wire
from contract.jobs import Limits, Site
from contract.login import FieldValue, LoginRecipe
from workers.browser import places, snippets
from workers.browser.lifecycle import Host
from workers.browser.page_port import Sight, Standing, Traffic
from workers.kit.duty import Duty, LoginFailed

_STEP_MS = 15_000
_POLL_S = 0.1
_RENEWALS = 3
_REFUSED_S = 4.0
_OPENS_MS = 500
_LOGIN_WORDS = re.compile(
    r"\blog[ _-]?in\b|\bsign[ _-]?in\b|\banmeld|\bconnexion\b|\biniciar sesi|登录|ログイン",
    re.IGNORECASE,
)
_LOGIN_PATHS = frozenset({"login", "log-in", "log_in", "signin", "sign-in", "sign_in", "sso"})


class Unreachable(Exception):
    """The app does not answer."""


class Session:
    """The storage state of the run, as this job sees it."""

    def __init__(
        self, duty: Duty, host: Host, site: Site, *, limits: Limits | None = None, route: str = ""
    ) -> None:
        self._duty = duty
        self._host = host
        self._site = site
        self._limits = limits or Limits()
        self._route = route
        self._login_path = ""
        self._refused: set[str] = set()
        self._generation = 0
        self._renewals = 0
        self._held: dict[str, Any] = {}
        self.configured = False

    async def begin(self) -> None:
        """Take the run's storage state, or log in if there is a recipe and nobody has."""
        generation, blob = self._duty.login.current()
        self.configured = self._site.recipe_key is not None or blob is not None
        if self._site.recipe_key is not None:
            recipe = wire.loads(self._duty.blobs.get(self._site.recipe_key), LoginRecipe)
            self._login_path = _path(urljoin(self._site.base_url, recipe.url))
        if blob is not None:
            self._take(generation, blob)
        elif self._site.recipe_key is not None:
            await self._renew()

    async def context(self) -> BrowserContext:
        """A fresh context that is logged in as far as the run is."""
        return await logged_in(self._host, self._held, self._limits)

    async def lost(self, sight: Sight, traffic: Traffic) -> Standing:
        """Whether the session is gone; if so a new one has been made when this returns.

        What looks lost is tried in a context of its own: a session with which the route opens is
        good, and no login is spent on it. Raises `LoginFailed` when a session is lost and there is
        no recipe to make a new one with.
        """
        at_login, refused = self._is_login(sight), self._refused_now(traffic)
        if not self.configured or not (at_login or refused):
            return Standing.FINE
        recipe = self._site.recipe_key is not None
        if (refused and not at_login and refused <= self._refused) or await self._opens():
            self._refused |= refused
            return Standing.GOOD
        if self._renewals >= _RENEWALS or not (at_login or recipe):
            return Standing.FINE
        if not recipe:
            raise LoginFailed("the storage state is not logged in, or not any more; make a new one")
        self._refused |= refused
        self._renewals += 1
        await self._renew()
        return Standing.RENEWED

    async def _opens(self) -> bool:
        """Whether the route can be opened with the session as it is."""
        url = urljoin(self._site.base_url, self._route)
        return await opens(await self.context(), url)

    def _is_login(self, sight: Sight) -> bool:
        """Whether a page is the login rather than a form that changes a password."""
        if not sight.health.asks_password or places.bare(self._route) == _path(sight.url):
            return False
        path = _path(sight.url)
        named = _LOGIN_PATHS & {part.lower() for part in path.split("/")}
        titled = _LOGIN_WORDS.search(f"{sight.title} {sight.health.heading}")
        return path == self._login_path or bool(named) or titled is not None

    def _refused_now(self, traffic: Traffic) -> set[str]:
        """What was refused; an address refused again after a new login has another reason."""
        return {
            places.route_of(answer.url)
            for answer in traffic.bad_answers
            if answer.status == 401 and places.same_origin(answer.url, self._site.base_url)
        }

    def _take(self, generation: int, blob: str) -> None:
        self._generation = generation
        self._held = wire.loads(self._duty.blobs.get(blob), dict[str, Any])

    async def _renew(self) -> None:
        login = self._duty.login
        while True:
            if found := login.renewed(self._generation):
                self._take(*found)
                return
            if login.try_acquire():
                break
            await asyncio.sleep(_POLL_S)
        try:
            self._take(*(login.renewed(self._generation) or login.publish(await self._log_in())))
        except LoginFailed as error:
            login.publish_failure(error.sentence)
            raise
        finally:
            login.release()

    async def _log_in(self) -> bytes:
        key = self._site.recipe_key or ""
        recipe = wire.loads(self._duty.blobs.get(key), LoginRecipe)
        self._held = {}
        context = await self.context()
        try:
            return wire.dumps(await follow(context, recipe, self._site.base_url))
        finally:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(context.close(), 5.0)


async def logged_in(host: Host, held: dict[str, Any], limits: Limits) -> BrowserContext:
    """A fresh context with a storage state (and session storage) in it, before any page code."""
    state = {key: held[key] for key in ("cookies", "origins") if key in held}
    context = await host.context(
        storage_state=state or None,
        viewport={"width": limits.viewport_width, "height": limits.viewport_height},
        service_workers="block",
        reduced_motion="reduce",
        accept_downloads=True,
        ignore_https_errors=True,
    )
    context.set_default_timeout(_STEP_MS)
    if session_storage := held.get("session_storage"):
        await context.add_init_script(snippets.seed_script(session_storage))
    return context


async def opens(context: BrowserContext, url: str) -> bool:
    """Whether an address of the app opens without asking for a login, in a context of its own."""
    try:
        page = await context.new_page()
        refused: list[int] = []
        page.on("response", lambda answer: refused.append(answer.status))
        await page.goto(url, wait_until="load")
        await page.wait_for_timeout(_OPENS_MS)
        asks = await page.locator("input[type=password]").first.is_visible()
        return not asks and 401 not in refused and _path(page.url) == _path(url)
    except PlaywrightError:
        return False
    finally:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(context.close(), 5.0)


def _path(url: str) -> str:
    return places.bare(places.route_of(url))


def secret(name: str, field: FieldValue) -> str:
    """The text for a field; raises `LoginFailed` naming what is missing, never the value."""
    if field.env is not None:
        value = os.environ.get(field.env)
        if value is None:
            raise LoginFailed(f"the login recipe needs the environment variable {field.env}")
        return value
    if field.file is not None:
        try:
            return Path(field.file).read_text("utf-8").rstrip("\n")
        except OSError as error:
            raise LoginFailed(
                f"the login recipe needs the file {field.file}: {error.strerror}"
            ) from error
    if field.value is None:
        raise LoginFailed(f"the login recipe gives no value for {name}")
    return field.value


async def follow(context: BrowserContext, recipe: LoginRecipe, base_url: str) -> dict[str, Any]:
    """Log in by a recipe; the storage state with the session storage of each origin.

    Raises `LoginFailed` with the step that did not work, `Unreachable` when nothing answers.
    """
    values = {name: secret(name, field) for name, field in recipe.fields.items()}
    page = await context.new_page()
    try:
        await page.goto(urljoin(base_url, recipe.url), wait_until="domcontentloaded")
    except PlaywrightError as error:
        raise Unreachable(error.message.splitlines()[0]) from error
    for name, value in values.items():
        await _step(
            page.locator(name).first.fill(value, timeout=_STEP_MS), f"no field {name}", recipe
        )
    await _step(
        page.locator(recipe.submit).first.click(timeout=_STEP_MS),
        f"no button {recipe.submit}",
        recipe,
    )
    await _succeeded(page, recipe)
    return await storage_state(context, page)


async def _step(action: Any, problem: str, recipe: LoginRecipe) -> None:
    try:
        await action
    except PlaywrightError as error:
        raise LoginFailed(f"the login page {recipe.url} has {problem}") from error


async def _succeeded(page: Page, recipe: LoginRecipe) -> None:
    began = asyncio.get_running_loop().time()
    while (waited := asyncio.get_running_loop().time() - began) < _STEP_MS / 1000:
        with contextlib.suppress(PlaywrightError):
            if await _holds(page, recipe):
                return
            if (
                waited > _REFUSED_S
                and await page.locator("input[type=password]").first.is_visible()
            ):
                break  # the form is back: it was refused
        await asyncio.sleep(_POLL_S)
    wanted = ", ".join(f"{n} {v}" for n, v in msgspec.to_builtins(recipe.success).items())
    raise LoginFailed(
        f"the login at {recipe.url} did not succeed: its test ({wanted}) did not hold; "
        "check the user name, the password and the recipe"
    )


async def _holds(page: Page, recipe: LoginRecipe) -> bool:
    test = recipe.success
    if test.selector and not await page.locator(test.selector).first.is_visible():
        return False
    if test.url and not _is_at(page.url, test.url, recipe.url):
        return False
    if test.cookie:
        cookies = await page.context.cookies()
        return any(cookie.get("name") == test.cookie for cookie in cookies)
    return True


def _is_at(url: str, wanted: str, login: str) -> bool:
    """Whether a page is where the login should lead; the login page itself never is."""
    path = urlsplit(url).path
    if path == urlsplit(login).path:
        return False
    return url.startswith(wanted) or path.startswith(wanted)


async def storage_state(context: BrowserContext, page: Page) -> dict[str, Any]:
    """Cookies, local storage, IndexedDB and, for the page's origin, the session storage."""
    state: dict[str, Any] = dict(await context.storage_state(indexed_db=True))
    held = await page.evaluate("() => Object.fromEntries(Object.entries(sessionStorage))")
    parts = urlsplit(page.url)
    if held:
        state["session_storage"] = {f"{parts.scheme}://{parts.netloc}": held}
    return state
