"""Filling what a button waits for: a wizard's `Next`, a form's `Save`.

A button that goes on is pressed only after the empty fields around it got valid values, as a person
would do. What those values are is `forms.py`'s business.
"""

from workers.browser import forms
from workers.browser.page_port import Control, Effect, PagePort
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
        fills = tuple(
            (field, value)
            for field in controls
            if field.field is not None
            and field.field.empty
            and together(field, control)
            and (value := forms.value_for(field)) is not None
        )
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
        return next((c for c in controls if c.key == control.key), None)


async def use(port: PagePort, control: Control, value: str | None) -> Effect:
    """Type a value into a field, or press what takes none."""
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
    if forms.is_secret(control):
        return "a password, card or code is never typed"
    return None if forms.value_for(control) is not None else "no value to choose"
