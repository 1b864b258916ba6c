"""A closer look at a page in Chromium: the kit's survey, axe, and the Tab key in a modal dialog.

Made once per new state, never in the trip of an action. axe comes from its package and runs in an
isolated world of its own: the page's policies do not hold there, and the page cannot see it. A look
that fails, because the page goes or hangs, is an empty one: what was not seen is no bug.
"""

import asyncio
from functools import cache
from importlib.resources import files

import msgspec
from playwright.async_api import Error as PlaywrightError

from contract import wire
from workers.browser import press, snippets
from workers.browser.kit_talk import LOADING_MS, KitTalk
from workers.browser.survey import Spot, Survey, Violation
from workers.browser.tab import Crashed, Hung, Tab

_SURVEY_S = 5.0
_AUDIT_S = 10.0
_TAB_S = 0.03
_AUDIT = {
    "tags": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "many": 4000,
    "most": 20_000,
}
"""Only what WCAG A and AA ask for. A page of very many elements is looked at less closely."""

_FAILED = (Hung, Crashed, PlaywrightError, wire.WireError)


@cache
def axe() -> str:
    """axe-core, as its package carries it."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


class Audit(msgspec.Struct, frozen=True):
    """What axe found, and the numbers of what it was shown."""

    seen: tuple[int, ...] = ()
    violations: tuple[Violation, ...] = ()


async def inspect(tab: Tab, kit: KitTalk, audited: set[int] | None) -> Survey:
    """Everything that a closer look at the page finds.

    axe is not shown again what is in `audited`, which grows by what it was shown; without it axe
    is not asked.
    """
    try:
        said = await kit.ask("survey", *LOADING_MS, timeout_s=LOADING_MS[1] / 1000 + _SURVEY_S)
        survey = wire.loads(said, Survey)
    except _FAILED:
        return Survey()
    audit = await _audit(tab, audited) if audited is not None else Audit()
    if audited is not None:
        audited.update(audit.seen)
    behind = await _behind(tab, kit) if survey.modal else None
    return msgspec.structs.replace(survey, violations=audit.violations, behind=behind)


async def _audit(tab: Tab, audited: set[int]) -> Audit:
    try:
        tree = await tab.send("Page.getFrameTree", {}, _SURVEY_S)
        world = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": tab.kit_name}
        made = await tab.send("Page.createIsolatedWorld", world, _SURVEY_S)
        call = snippets.audit_call({**_AUDIT, "seen": sorted(audited)})
        said = await _evaluated(tab, call, made["executionContextId"])
        if said == "absent":
            await _evaluated(tab, axe() + ";0", made["executionContextId"])
            said = await _evaluated(tab, call, made["executionContextId"])
        return wire.loads(said, Audit)
    except _FAILED:
        return Audit()


async def _evaluated(tab: Tab, expression: str, world: int) -> str:
    given = {
        "expression": expression,
        "contextId": world,
        "awaitPromise": True,
        "returnByValue": True,
    }
    answer = await tab.send("Runtime.evaluate", given, _AUDIT_S)
    return str(answer["result"].get("value", "{}"))


async def _behind(tab: Tab, kit: KitTalk) -> Spot | None:
    """Where the Tab key leads from the last control of a modal dialog, if that is behind it."""
    try:
        if await kit.ask("focusLast") != "true":
            return None
        found = None
        for _ in range(2):  # the first may lead into the browser's own controls
            await press.tab(tab, kit)
            await asyncio.sleep(_TAB_S)
            at = await kit.ask("focusBehind")
            found = found or (None if at == "null" else wire.loads(at, Spot))
        await kit.ask("focusBack")
    except _FAILED:
        return None
    return found
