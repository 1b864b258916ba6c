"""Filling what a button waits for: a wizard's `Next`, a form's `Save`.

A button that goes on is pressed only after the empty fields around it got valid values, as a person
would do. What those values are is `forms.py`'s business.
"""

from collections.abc import Iterator

import msgspec

from workers.browser import forms
from workers.browser.page_port import Control, Effect, PagePort, Trial
from workers.browser.policy import Rules

Fills = tuple[tuple[Control, str], ...]


class Filler:
    """Finds and fills the fields around a button."""

    def __init__(self, port: PagePort, rules: Rules) -> None:
        self._port = port
        self._rules = rules

    async def around(self, control: Control) -> Fills:
        """Fill the empty fields around a button that goes on; what was filled, with the values."""
        if not self._goes_on(control):
            return ()
        controls = await self._port.controls()
        # As it stands now: what its form holds may have changed since it was seen first.
        key = forms.plain_key(control.key)
        now = next((c for c in controls if c.key == key), control)
        near = tuple(c for c in controls if together(c, now))
        fills = tuple(_wrong(near, control.trial) if control.trial else _right(near))
        for field, value in fills:
            await self._port.fill(field, value)
        return fills

    async def before(self, control: Control) -> Fills | None:
        """Fill what a control waits for; None when it stays disabled all the same."""
        if not control.disabled:
            return await self.around(control)
        now = await self._find(control)
        if now is None:
            return None
        fills = await self.around(now)
        now = await self._find(control) if fills else now
        return None if now is None or now.disabled else fills

    async def waits_for_a_choice(self, control: Control) -> bool:
        """Whether a silent control stands beside a list in which nothing is chosen."""
        controls = await self._port.controls()
        return any(
            field.field is not None and field.field.kind == "multiple" and together(field, control)
            for field in controls
        )

    def _goes_on(self, control: Control) -> bool:
        if control.role != "button" or self._rules.closes(control):
            return False
        return control.submits or control.disabled or self._rules.advances(control.label)

    async def finds(self, control: Control) -> bool:
        """Whether a control is on the page as it is."""
        return await self._find(control) is not None

    async def _find(self, control: Control) -> Control | None:
        controls = await self._port.controls()
        found = next((c for c in controls if c.key == forms.plain_key(control.key)), None)
        if found is None or control.trial is None:
            return found
        return msgspec.structs.replace(found, key=control.key, trial=control.trial)


def _right(near: tuple[Control, ...]) -> Iterator[tuple[Control, str]]:
    """Valid values for what is empty, a tick where one is needed, the first of choices."""
    chosen = {c.group for c in near if c.group and c.checked}
    for control in near:
        if control.field is not None:
            value = forms.value_for(control) if control.field.empty else None
            if value is not None:
                yield control, value
        elif control.disabled:
            continue
        elif control.group and control.group not in chosen:
            chosen.add(control.group)
            yield control, forms.ON
        elif forms.agrees(control):
            yield control, forms.ON


def _wrong(near: tuple[Control, ...], trial: Trial) -> Iterator[tuple[Control, str]]:
    """Nothing in any field, or what a field should not take beside what is right."""
    if trial is Trial.EMPTY:
        for control in near:
            field = control.field
            if field is None or field.empty or forms.value_for(control) is None:
                continue
            if field.kind != "range" and (field.kind != "select" or "" in field.options):
                yield control, ""
        return
    wrong = {c.key: value for c in near if (value := forms.invalid_for(c)) is not None}
    yield from ((control, value) for control, value in _right(near) if control.key not in wrong)
    yield from ((control, wrong[control.key]) for control in near if control.key in wrong)


async def use(port: PagePort, control: Control, value: str | None) -> Effect:
    """Type a value into a field, or press what takes none."""
    if control.trial is not None:
        control = msgspec.structs.replace(control, key=forms.plain_key(control.key))
    return await (port.press(control) if value is None else port.fill(control, value))


def together(field: Control, button: Control) -> bool:
    """Whether a field belongs to a button: the same dialog, else the same form, else the page."""
    if button.dialog or field.dialog:
        return button.dialog == field.dialog
    return button.in_form == field.in_form and (not button.in_form or button.scope == field.scope)


def refusal(control: Control) -> str | None:
    """Why a field is left alone, or None."""
    if control.field is None or control.disabled:
        return None
    if control.field.kind == "file":
        return None  # it is pressed; what the chooser gets is the policy's business
    if forms.is_secret(control):
        return "a password, card or code is never typed"
    return None if forms.value_for(control) is not None else "no value to choose"
