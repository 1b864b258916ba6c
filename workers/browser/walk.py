"""The walk: every control of a route, depth first, and what each one did.

`explore` is the algorithm; it reads the next control from the atlas, gets the page to its state,
uses it, judges the effect, and writes an entry. Its invariant: an entry is written after each action
and before the next, and the atlas is nothing but the fold of the entries, so a walk that is cut off at
any point goes on from its entries and repeats at most one action.

Left out: pages (`page_port.py`), how to get back (`reach.py`), what is a bug (`detect/`).
"""

import time
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from contract.action_tree import Step
from contract.jobs import Limits
from contract.vocabulary import ActionResult, NodeState, NodeType, Outcome
from workers.browser import forms, places
from workers.browser.atlas import (
    Arrived,
    Atlas,
    Draft,
    Entry,
    Hop,
    Rewalked,
    Suspect,
    Suspicion,
    Tried,
    sort_of,
)
from workers.browser.classify import Verdict, classify
from workers.browser.detect import suspicions
from workers.browser.detect.case import Case
from workers.browser.page_port import Control, Effect, PagePort, Sight
from workers.browser.policy import Rules
from workers.browser.reach import Reach

Journal = Callable[[Entry], Awaitable[None]]


class SessionRenewed(Exception):
    """The session was lost and a new login made; the action has to be done again."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What the walk is asked to do. `routes` holds the bare templates of the map's routes."""

    route: str
    base_url: str
    limits: Limits = Limits()
    routes: frozenset[str] = frozenset()
    shared: Mapping[str, str] = {}
    noise: tuple[str, ...] = ()


class Walk:
    """One route being explored. `stop` ends it between two actions; `clock` gives seconds."""

    def __init__(
        self,
        port: PagePort,
        brief: Brief,
        rules: Rules,
        atlas: Atlas,
        journal: Journal,
        *,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.port = port
        self.brief = brief
        self.rules = rules
        self.atlas = atlas
        self.reach = Reach(port, rules, atlas.states)
        self.stopped = False
        self._journal = journal
        self._stop = stop
        self._clock = clock
        self._ends = clock() + brief.limits.seconds
        self._renewals: dict[str, int] = {}

    async def explore(self) -> None:
        """Open the route, use every control, look again at every suspicion."""
        await self._begin()
        while not self._spent():
            item = self.atlas.next()
            if item is None:
                break
            await self._deal_with(*item)
        if not self.stopped:
            await self._skip_rest()
            await self._rewalk()

    async def _begin(self) -> None:
        effect = await self.port.open()
        for _ in range(2):
            if effect.after is not None:
                break
            await self.port.renew()
            effect = await self.port.open()
        self.port.expect(set(self.atlas.states))
        if self.atlas.root is None:
            await self._arrive(effect, hops=(), path=(), depth=0, landing=True)

    def _spent(self) -> bool:
        self.stopped = self.stopped or self._stop()
        return self.stopped or self._budget() is not None

    def _budget(self) -> str | None:
        limits = self.brief.limits
        if self.atlas.actions >= limits.actions:
            return f"the budget of {limits.actions} actions ended"
        if self._clock() >= self._ends:
            return f"the budget of {limits.seconds:g} s ended"
        return None

    async def write(self, entry: Entry) -> None:
        self.atlas.apply(entry)
        await self._journal(entry)

    # One control

    async def _deal_with(self, state: Arrived, control: Control) -> None:
        try:
            if note := self._untouchable(control):
                await self._skip(state, control, *note)
            elif not await self.reach.to(state):
                await self._diverged(state, control)
            elif control.disabled and not await self._enabled_now(control):
                await self._disabled(state, control)
            else:
                await self._use(state, control)
        except SessionRenewed:
            self._renewals[control.key] = self._renewals.get(control.key, 0) + 1

    def _untouchable(self, control: Control) -> tuple[str, Outcome] | None:
        if self._renewals.get(control.key, 0) > 1:
            return "the session is lost each time this is used", Outcome.AUTH_LOST
        if control.site and control.key in self.brief.shared:
            return f"shared with {self.brief.shared[control.key]}", Outcome.SHARED
        if rule := self.rules.forbids(control):
            external = rule.startswith("leads to another origin")
            return rule, Outcome.EXTERNAL_BLOCKED if external else Outcome.POLICY
        if control.field is not None and not control.disabled:
            return self._unfillable(control)
        return None

    def _unfillable(self, control: Control) -> tuple[str, Outcome] | None:
        if forms.is_secret(control):
            return "a password, card or code is never typed", Outcome.POLICY
        if forms.value_for(control) is None:
            return "no value to choose", Outcome.POLICY
        return None

    async def _enabled_now(self, control: Control) -> bool:
        """Whether a control that was disabled is usable by now, after filling what it waits for."""
        now = await self._find(control)
        if now is None or not now.disabled:
            return now is not None
        fills = await self._fills_for(now)
        if not fills:
            return False
        await self._fill_all(fills)
        now = await self._find(control)
        return now is not None and not now.disabled

    async def _find(self, control: Control) -> Control | None:
        controls = await self.port.controls()
        return next((c for c in controls if c.key == control.key), None)

    async def _fills_for(self, control: Control) -> list[tuple[Control, str]]:
        """The empty fields around a button that goes on, with a value for each."""
        if control.role != "button" or self.rules.closes(control):
            return []
        if not (control.submits or control.disabled or self.rules.advances(control.label)):
            return []
        controls = await self.port.controls()
        return [
            (field, value)
            for field in controls
            if field.field is not None
            and field.field.empty
            and _together(field, control)
            and (value := forms.value_for(field)) is not None
        ]

    async def _fill_all(self, fills: list[tuple[Control, str]]) -> None:
        for field, value in fills:
            await self.port.fill(field, value)

    async def _use(self, state: Arrived, control: Control) -> None:
        fills = await self._fills_for(control)
        await self._fill_all(fills)
        await self._note_tab(control)
        value = forms.value_for(control) if control.field is not None else None
        effect = await self._act(control, value)
        if effect.missing:
            await self._gone(state, control)
            return
        verdict = classify(effect, control)
        if verdict.silent or verdict.outcome is Outcome.OBSCURED:
            effect, verdict = await self._look_again(state, control, effect)
        self.reach.pressed(control, verdict, effect)
        await self._record(state, control, effect, verdict, fills=fills, value=value)
        if value is not None and self.reach.here == state.state:
            await self.port.unfill()

    async def _act(self, control: Control, value: str | None) -> Effect:
        if value is not None:
            return await self.port.fill(control, value)
        return await self.port.press(control)

    async def _note_tab(self, control: Control) -> None:
        if sort_of(control) != "tab":
            self.reach.selected(None)
            return
        controls = await self.port.controls()
        peers = (c for c in controls if c.selected and c.path == control.path and c.tabs)
        before = next((c for c in peers if c.key != control.key), None)
        self.reach.selected(before)

    async def _look_again(
        self, state: Arrived, control: Control, effect: Effect
    ) -> tuple[Effect, Verdict]:
        """Nothing moved, or it was covered: wait longer, then once more on a fresh load."""
        effect = await self.port.linger(effect)
        verdict = classify(effect, control)
        doubtful = verdict.silent or verdict.outcome is Outcome.OBSCURED
        if not doubtful or not await self.reach.anew(state):
            return effect, verdict
        again = await self.port.press(control)
        if again.missing:
            return effect, verdict
        again = await self.port.linger(again) if classify(again, control).silent else again
        return again, classify(again, control)

    # Entries

    async def _record(
        self,
        state: Arrived,
        control: Control,
        effect: Effect,
        verdict: Verdict,
        *,
        fills: list[tuple[Control, str]],
        value: str | None,
    ) -> None:
        path = state.path + tuple(_step("fill", field, given) for field, given in fills)
        here = self._place(effect)
        new = here is not None and here != state.state and here not in self.atlas.states
        inside = new and effect.after is not None and self._inside(effect.after)
        draft = Draft(
            key=control.key,
            label=control.label or control.role,
            type=self._type(control, effect, verdict, new=new),
            state=NodeState.ENABLED,
            action_result=verdict.result,
            outcome=verdict.outcome,
            note=self._note(verdict, effect),
            error=verdict.error,
            locator=control.locator,
            path=path,
            duration_ms=effect.duration_ms,
            leads_to=here if new else None,
            same_as=here if not new and here not in {None, state.state} else None,
        )
        shot = None
        if new or verdict.result is ActionResult.ERROR:
            shot = await self._shot(state, effect)
        done = (*path, _step("fill" if value is not None else "press", control, value))
        suspects = self._suspects(effect, control, verdict, state, done, shot or state.shot)
        tried = Tried(
            state=state.state,
            control=control.key,
            draft=draft,
            shot=shot,
            suspects=suspects,
            found_routes=self._found(effect),
        )
        await self.write(tried)
        if inside:
            hop = Hop(
                key=control.key,
                label=control.label,
                leads=here or "",
                fills=tuple((field.key, given) for field, given in fills),
                value=value,
            )
            await self._arrive(
                effect,
                hops=(*state.hops, hop),
                path=done,
                depth=state.depth + 1,
                shot=shot,
                landing=verdict.result is ActionResult.PAGE_NAVIGATED,
            )

    async def _arrive(
        self,
        effect: Effect,
        *,
        hops: tuple[Hop, ...],
        path: tuple[Step, ...],
        depth: int,
        shot: str | None = None,
        landing: bool = False,
    ) -> None:
        """Write a state down, with the controls that are new in it."""
        sight = effect.after
        if sight is None:
            return
        name = places.state_id(sight.url, sight.state)
        template = places.template_of(sight.url)
        limits = self.brief.limits
        inventory = sight.inventory
        controls = inventory.controls if inventory is not None else await self.port.controls()
        full = self.atlas.states_like(template) >= limits.states_per_template
        controls = tuple(self._with_words(control) for control in controls)
        fresh = () if depth > limits.depth or full else self.atlas.fresh(controls, name)
        shot = shot or await self.port.picture()
        load = () if hops else self._suspects(effect, None, None, None, path, shot)
        arrived = Arrived(
            state=name,
            url=sight.url,
            title=sight.title,
            template=template,
            depth=depth,
            hops=hops,
            path=path,
            controls=fresh,
            shot=shot,
            left_out=inventory.left_out if inventory is not None else 0,
            detail=landing and bool(hops),
            health=sight.health,
            suspects=load,
        )
        await self.write(arrived)
        self.port.expect(set(self.atlas.states))

    def _with_words(self, control: Control) -> Control:
        goes_on = control.role == "button" and self.rules.advances(control.label)
        return msgspec.structs.replace(control, goes_on=True) if goes_on else control

    async def _skip(self, state: Arrived, control: Control, note: str, outcome: Outcome) -> None:
        draft = self._plain(state, control, ActionResult.SKIPPED, note=note, outcome=outcome)
        await self.write(Tried(state=state.state, control=control.key, draft=draft, pressed=False))

    async def _skip_rest(self) -> None:
        """What the budget left over is written down as skipped, never dropped."""
        note = self._budget()
        for state, control in self.atlas.untried():
            await self._skip(state, control, note or "not tried", Outcome.BUDGET)

    async def _disabled(self, state: Arrived, control: Control) -> None:
        draft = self._plain(state, control, ActionResult.NOT_CLICKABLE)
        draft = msgspec.structs.replace(draft, state=NodeState.DISABLED)
        tried = Tried(
            state=state.state, control=control.key, draft=draft, shot=state.shot, pressed=False
        )
        await self.write(tried)

    async def _diverged(self, state: Arrived, control: Control) -> None:
        error = "the way to this state does not lead there any more"
        draft = self._plain(
            state, control, ActionResult.ERROR, outcome=Outcome.REPLAY_DIVERGED, error=error
        )
        await self.write(
            Tried(state=state.state, control=control.key, draft=draft, shot=state.shot)
        )

    async def _gone(self, state: Arrived, control: Control) -> None:
        """The control is not there: once more on a fresh load, then it diverged."""
        count = self.reach.diverged.get(control.key, 0)
        self.reach.diverged[control.key] = count + 1
        if count == 0 and await self.reach.anew(state):
            return
        await self._diverged(state, control)

    def _plain(
        self,
        state: Arrived,
        control: Control,
        result: ActionResult,
        *,
        note: str | None = None,
        outcome: Outcome | None = None,
        error: str | None = None,
    ) -> Draft:
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

    # Judgements

    def _place(self, effect: Effect) -> str | None:
        if effect.after is None or effect.crashed:
            return None
        return places.state_id(effect.after.url, effect.after.state)

    def _inside(self, sight: Sight) -> bool:
        """Whether a page belongs to this route: the same one, or below it and not in the map."""
        route = places.bare(places.mask_path(places.route_of(sight.url)))
        own = places.bare(places.mask_path(self.brief.route))
        if not places.same_origin(sight.url, self.brief.base_url):
            return False
        if route == own:
            return True
        return places.below(route, own) and route not in self.brief.routes

    def _found(self, effect: Effect) -> tuple[str, ...]:
        after = effect.after
        if after is None or not places.same_origin(after.url, self.brief.base_url):
            return ()
        route = places.bare(places.route_of(after.url))
        known = self.brief.routes | {places.bare(places.mask_path(self.brief.route))}
        return () if places.bare(places.mask_path(route)) in known else (route,)

    def _type(self, control: Control, effect: Effect, verdict: Verdict, *, new: bool) -> NodeType:
        if new and self.rules.advances(control.label) and control.role == "button":
            return NodeType.WIZARD_STEP
        if verdict.result is ActionResult.DROPDOWN_OPENED:
            return NodeType.SUBMENU_TRIGGER if control.menu else NodeType.DROPDOWN_TRIGGER
        return node_type(control)

    def _note(self, verdict: Verdict, effect: Effect) -> str | None:
        if verdict.note is None and verdict.result is ActionResult.PAGE_NAVIGATED and effect.after:
            return f"to {places.route_of(effect.after.url)}"
        return verdict.note

    async def _shot(self, state: Arrived, effect: Effect) -> str:
        if effect.after is None or effect.crashed or effect.hung:
            return state.shot
        return await self.port.picture()

    def _suspects(
        self,
        effect: Effect,
        control: Control | None,
        verdict: Verdict | None,
        state: Arrived | None,
        path: tuple[Step, ...],
        shot: str,
    ) -> tuple[Suspect, ...]:
        case = Case(
            effect=effect,
            base_url=self.brief.base_url,
            control=control,
            verdict=verdict,
            noise=self.brief.noise,
            landed=control is None or verdict is None or _landed(effect),
        )
        location = "page load" if control is None else f"{control.area.value}: {control.label}"
        return tuple(
            Suspect(
                suspicion=suspicion,
                location=location,
                path=path or (Step(action="open", label=self.brief.route),),
                state=state.state if state else "",
                key=control.key if control else "",
                shot=shot,
            )
            for suspicion in suspicions(case)
            if suspicion.signature not in self.atlas.suspects
        )

    # The second look at every suspicion

    async def _rewalk(self) -> None:
        for signature, suspect in list(self.atlas.suspects.items()):
            if signature in self.atlas.rewalked:
                continue
            if self._clock() >= self._ends + self.brief.limits.seconds / 10 or self._stop():
                self.stopped = self.stopped or self._stop()
                return
            try:
                seen = await self._shows_again(suspect)
            except SessionRenewed:
                seen = False
            await self.write(Rewalked(signature=signature, seen=seen))

    async def _shows_again(self, suspect: Suspect) -> bool:
        await self.port.renew()
        opened = await self.port.open()
        if not suspect.key:
            found = self._suspicions_again(opened, None)
            return suspect.suspicion.signature in {s.signature for s in found}
        state = self.atlas.states[suspect.state]
        if not await self.reach.to(state):
            return False
        control = next((c for c in state.controls if c.key == suspect.key), None)
        if control is None:
            return False
        fills = await self._fills_for(control)
        await self._fill_all(fills)
        value = forms.value_for(control) if control.field is not None else None
        effect = await self._act(control, value)
        if not effect.missing and classify(effect, control).silent:
            effect = await self.port.linger(effect)
        found = self._suspicions_again(effect, control)
        return suspect.suspicion.signature in {s.signature for s in found}

    def _suspicions_again(self, effect: Effect, control: Control | None) -> tuple[Suspicion, ...]:
        verdict = classify(effect, control) if control is not None else None
        case = Case(
            effect=effect,
            base_url=self.brief.base_url,
            control=control,
            verdict=verdict,
            noise=self.brief.noise,
            landed=True,
        )
        return suspicions(case)


def _step(action: str, control: Control, value: str | None = None) -> Step:
    return Step(
        action=action,
        label=control.label or control.role,
        locator=control.locator,
        value=value or "",
    )


def _together(field: Control, button: Control) -> bool:
    """Whether a field belongs to a button: the same dialog, else the same form, else the page."""
    if button.dialog or field.dialog:
        return button.dialog == field.dialog
    return button.in_form == field.in_form and (not button.in_form or button.scope == field.scope)


def _landed(effect: Effect) -> bool:
    return effect.after is not None and effect.after.document != effect.before.document


def node_type(control: Control) -> NodeType:
    """The type of a node, from what the control is before it is used."""
    if control.field is not None:
        kind = control.field.kind
        filter_like = kind in {"search", "select"} and not control.dialog and not control.in_form
        return NodeType.FILTER if filter_like or control.area == "toolbar" else NodeType.FIELD
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
