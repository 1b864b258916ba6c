"""Writing the walk down: effects become entries of the atlas, and checkpoints of the job.

Invariant: the entries of one action are written together, in one checkpoint, so that a walk that is
cut off never knows of a state that it cannot go on from.
"""

import re
from collections.abc import Awaitable, Callable

import msgspec

from contract.action_tree import Step
from contract.vocabulary import ActionResult, NodeState, NodeType, Outcome
from workers.browser import forms, places
from workers.browser.atlas import (
    Arrived,
    Atlas,
    Draft,
    Entry,
    Hop,
    Suspect,
    Tried,
    sort_of,
)
from workers.browser.brief import Brief
from workers.browser.classify import Verdict
from workers.browser.detect import suspicions
from workers.browser.fill import Fills
from workers.browser.page_port import Control, Effect, PagePort, Sight
from workers.browser.policy import Rules
from workers.browser.survey import Survey
from workers.browser.trials import BUGS, trials_of

_FILTER = re.compile(r"filter|search|such|recherch|busca|搜索|筛选|検索", re.IGNORECASE)

Journal = Callable[[tuple[Entry, ...]], Awaitable[None]]


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was done: a control used in a state, with what was filled before."""

    state: Arrived
    control: Control
    effect: Effect
    verdict: Verdict
    fills: Fills = ()
    value: str | None = None
    says_yes: bool = False

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps from the route to the control."""
        filled = tuple(step("fill", field, value) for field, value in self.fills)
        return self.state.path + filled

    @property
    def done(self) -> tuple[Step, ...]:
        """The path with the deed itself."""
        action = "fill" if self.value is not None else "press"
        last = step(action, self.control, self.value, accepts=self.says_yes)
        return (*self.path, last)

    @property
    def hops(self) -> tuple[Hop, ...]:
        """How to do it again, up to and with the deed."""
        after = self.effect.after
        hop = Hop(
            key=forms.plain_key(self.control.key),
            label=self.control.label,
            leads=after.name if after else "",
            fills=tuple((field.key, value) for field, value in self.fills),
            value=self.value,
            says_yes=self.says_yes,
        )
        return (*self.state.hops, hop)


class Scribe:
    """Writes entries. `own` is the route that the walk answers for."""

    def __init__(
        self, port: PagePort, brief: Brief, rules: Rules, atlas: Atlas, journal: Journal
    ) -> None:
        self.own = brief.route
        self._port = port
        self._brief = brief
        self._rules = rules
        self._atlas = atlas
        self._journal = journal

    async def write(self, *entries: Entry) -> None:
        for entry in entries:
            self._atlas.apply(entry)
        await self._journal(entries)

    async def landed(self, effect: Effect) -> None:
        """The first state of the route."""
        if effect.after is not None:
            shot = await self._port.picture()
            survey = await self._look(effect)
            await self.write(await self._arrived(effect.after, effect, shot, survey=survey))
            self._port.keep()

    async def did(self, deed: Deed) -> None:
        """A control was used."""
        after = deed.effect.after
        name = _state_after(deed.effect)
        new = name is not None and name != deed.state.state and not self._atlas.knows(name)
        shot = await self._picture_of(deed, new=new)
        survey = await self._look(deed.effect) if new else None
        tried = self._tried(deed, name, new=new, shot=shot, survey=survey)
        if not new or after is None or not self._brief.inside(after.url, self.own):
            await self.write(tried)
            return
        arrived = await self._arrived(after, deed.effect, shot or "", deed)
        await self.write(tried, arrived)
        self._port.keep()

    async def skipped(self, state: Arrived, control: Control, note: str, outcome: Outcome) -> None:
        draft = plain_draft(state, control, ActionResult.SKIPPED, note=note, outcome=outcome)
        tried = Tried(state=state.state, control=control.key, draft=draft, pressed=False)
        await self.write(tried)

    async def disabled(self, state: Arrived, control: Control) -> None:
        draft = plain_draft(state, control, ActionResult.NOT_CLICKABLE)
        draft = msgspec.structs.replace(draft, state=NodeState.DISABLED)
        tried = Tried(
            state=state.state, control=control.key, draft=draft, shot=state.shot, pressed=False
        )
        await self.write(tried)

    async def diverged(self, state: Arrived, control: Control) -> None:
        draft = plain_draft(
            state,
            control,
            ActionResult.ERROR,
            outcome=Outcome.REPLAY_DIVERGED,
            error="the way to this state does not lead there any more",
        )
        tried = Tried(state=state.state, control=control.key, draft=draft, shot=state.shot)
        await self.write(tried)

    # How entries are made

    async def _look(self, effect: Effect) -> Survey | None:
        """A closer look at a new state of this route; what other routes show is their business."""
        after = effect.after
        if after is None or self._brief.is_of_another(effect, self.own):
            return None
        inside = places.same_origin(after.url, self._brief.base_url)
        return await self._port.survey() if inside else None

    def _tried(
        self,
        deed: Deed,
        name: str | None,
        *,
        new: bool,
        shot: str | None,
        survey: Survey | None = None,
    ) -> Tried:
        state, control, effect, verdict = deed.state, deed.control, deed.effect, deed.verdict
        known = name is not None and not new and name != state.state
        draft = Draft(
            key=control.key,
            label=control.label or control.role,
            type=self._type(deed, new=new),
            state=NodeState.ENABLED,
            action_result=verdict.result,
            outcome=verdict.outcome,
            note=_note(verdict, effect),
            error=verdict.error,
            locator=control.locator,
            path=deed.path,
            duration_ms=effect.duration_ms,
            leads_to=name if new else None,
            same_as=name if known else None,
        )
        return Tried(
            state=state.state,
            control=control.key,
            draft=draft,
            shot=shot,
            suspects=self._suspects(effect, shot or state.shot, deed, survey),
            found_routes=self._found(effect),
        )

    async def _arrived(
        self,
        sight: Sight,
        effect: Effect,
        shot: str,
        deed: Deed | None = None,
        survey: Survey | None = None,
    ) -> Arrived:
        name = sight.name
        template = places.template_of(sight.url)
        return Arrived(
            state=name,
            url=sight.url,
            title=sight.title,
            template=template,
            depth=len(deed.hops) if deed else 0,
            hops=deed.hops if deed else (),
            path=deed.done if deed else (),
            controls=await self._to_try(sight, name, template, deed),
            shot=shot,
            left_out=sight.inventory.left_out if sight.inventory is not None else 0,
            health=sight.health,
            dialogs=tuple(dialog.name for dialog in sight.dialogs),
            suspects=() if deed else self._suspects(effect, shot, survey=survey),
        )

    async def _to_try(
        self, sight: Sight, name: str, template: str, deed: Deed | None
    ) -> tuple[Control, ...]:
        """The controls that are new in a state; none beyond the limits of depth and number."""
        limits = self._brief.limits
        hops = deed.hops if deed else ()
        steps = sum(self._rules.advances(hop.label) for hop in hops)
        deep = len(hops) - steps > limits.depth or steps > limits.wizard_steps
        full = self._atlas.states_like(template) >= limits.states_per_template
        if deep or full or not self._brief.inside(sight.url, self.own):
            return ()
        inventory = sight.inventory
        controls = inventory.controls if inventory is not None else await self._port.controls()
        fresh = self._atlas.fresh([self._with_words(control) for control in controls], name)
        due = self._atlas.fresh(trials_of(fresh, controls, self._rules), name)
        return (*sorted(fresh, key=lambda c: self._last(c, name)), *due)

    def _last(self, control: Control, state: str) -> tuple[bool, bool]:
        """What waits longest: the disabled, then what an earlier run found in order."""
        return control.disabled, not self._brief.promising(control.key, state)

    def _with_words(self, control: Control) -> Control:
        goes_on = control.role == "button" and self._rules.advances(control.label)
        return msgspec.structs.replace(control, goes_on=True) if goes_on else control

    async def _picture_of(self, deed: Deed, *, new: bool) -> str | None:
        """A new state and a failure get a picture of their own."""
        if not new and deed.verdict.result is not ActionResult.ERROR:
            return None
        effect = deed.effect
        if effect.after is None or effect.crashed or effect.hung:
            return deed.state.shot
        return await self._port.picture()

    def _type(self, deed: Deed, *, new: bool) -> NodeType:
        control = deed.control
        if new and self._rules.advances(control.label) and control.role == "button":
            return NodeType.WIZARD_STEP
        if deed.verdict.result is ActionResult.DROPDOWN_OPENED:
            return NodeType.SUBMENU_TRIGGER if control.menu else NodeType.DROPDOWN_TRIGGER
        return node_type(control)

    def _suspects(
        self, effect: Effect, shot: str, deed: Deed | None = None, survey: Survey | None = None
    ) -> tuple[Suspect, ...]:
        if self._brief.is_of_another(effect, self.own):
            return ()
        case = self._brief.case(
            effect, deed.control if deed else None, deed.verdict if deed else None, survey
        )
        where = f"{deed.control.area.value}: {deed.control.label}" if deed else "page load"
        return tuple(
            Suspect(
                suspicion=suspicion,
                location=where,
                path=deed.done if deed else (Step(action="open", label=self._brief.route),),
                state=deed.state.state if deed else "",
                key=deed.control.key if deed else "",
                shot=shot,
            )
            for suspicion in suspicions(case)
            if suspicion.signature not in self._atlas.suspects
            and not (deed and deed.control.trial and suspicion.kind not in BUGS)
        )

    def _found(self, effect: Effect) -> tuple[str, ...]:
        """The route of a page outside the map."""
        after = effect.after
        if after is None or not places.same_origin(after.url, self._brief.base_url):
            return ()
        return () if self._brief.knows(after.url) else (places.bare(places.route_of(after.url)),)


def _state_after(effect: Effect) -> str | None:
    if effect.after is None or effect.crashed:
        return None
    return effect.after.name


def _note(verdict: Verdict, effect: Effect) -> str | None:
    if verdict.note is None and verdict.result is ActionResult.PAGE_NAVIGATED and effect.after:
        return f"to {places.route_of(effect.after.url)}"
    return verdict.note


def step(action: str, control: Control, value: str | None = None, *, accepts: bool = False) -> Step:
    """One step of a path, for people and for a replay by locator."""
    return Step(
        action=action,
        label=control.label or control.role,
        locator=control.locator,
        value=value or "",
        key=control.key,
        accepts=accepts,
    )


def plain_draft(
    state: Arrived,
    control: Control,
    result: ActionResult,
    *,
    note: str | None = None,
    outcome: Outcome | None = None,
    error: str | None = None,
) -> Draft:
    """The draft of a control that was not used."""
    return Draft(
        key=control.key,
        label=control.label or control.role,
        type=node_type(control),
        state=NodeState.DISABLED if control.disabled else NodeState.ENABLED,
        action_result=result,
        outcome=outcome,
        note=note,
        error=error,
        locator=control.locator,
        path=state.path,
    )


def node_type(control: Control) -> NodeType:
    """The type of a node, from what the control is before it is used."""
    if control.field is not None:
        return NodeType.FILTER if _filters(control) else NodeType.FIELD
    if sort_of(control) == "tab":
        return NodeType.TAB
    if control.menu or control.role.startswith("menuitem") or control.role == "option":
        nested = control.popup not in {"", "false"}
        return NodeType.SUBMENU_TRIGGER if nested else NodeType.DROPDOWN_ITEM
    if sort_of(control) == "toggle":
        return NodeType.TOGGLE
    if control.popup not in {"", "false", "dialog"}:
        return NodeType.DROPDOWN_TRIGGER
    return NodeType.LINK if control.href and control.role == "link" else NodeType.BUTTON


def _filters(control: Control) -> bool:
    """Whether a field narrows what the page shows, rather than being sent."""
    if control.field is None or control.dialog:
        return False
    if control.field.kind == "search" or _FILTER.search(f"{control.label} {control.field.name}"):
        return True
    return control.field.kind == "select" and not control.in_form
