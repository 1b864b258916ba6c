"""What a form does with nothing, and with what it should not take.

Where a form may be sent, its button is pressed twice more after the valid pass: once with the
fields empty, once with values that contradict what the fields say of themselves. Both are controls
of their own (`Control.trial`), so that budget, checkpoints and second looks treat them like any
other. That a form refuses is what is hoped for and never a bug; that it breaks is one. Leaves out
typing (`fill`).
"""

from collections.abc import Iterable

import msgspec

from contract.vocabulary import ActionResult, BugKind, Outcome
from workers.browser import forms
from workers.browser.classify import Verdict, changed_document, delta
from workers.browser.fill import together
from workers.browser.page_port import Control, Effect, Trial
from workers.browser.policy import Rules

BUGS = frozenset(
    {
        BugKind.PAGE_ERROR,
        BugKind.UNHANDLED_REJECTION,
        BugKind.HTTP_5XX,
        BugKind.PAGE_CRASH,
        BugKind.PAGE_HANG,
        BugKind.BLANK_PAGE,
    }
)
"""What is a bug whatever was sent."""
_SEARCHES = frozenset({"q", "query", "search", "s", "filter"})
_TAKEN = frozenset(
    {
        ActionResult.PAGE_NAVIGATED,
        ActionResult.TOAST_NOTIFICATION,
        ActionResult.CONTENT_CHANGED,
        ActionResult.DIALOG_OPENED,
    }
)


def trials_of(
    fresh: Iterable[Control], controls: tuple[Control, ...], rules: Rules
) -> tuple[Control, ...]:
    """The passes that are due for the forms whose buttons are new: one of each kind per form."""
    found: list[Control] = []
    met: set[tuple[str, str]] = set()
    for control in fresh if not rules.reads_only else ():
        place = (control.dialog, control.scope)
        if place in met or not _sends(control, rules):
            continue
        fields = [c for c in controls if c.field is not None and together(c, control)]
        typed = [c for c in fields if forms.value_for(c) is not None]
        if not typed or all(_searches(c) for c in typed):
            continue
        met.add(place)
        required = any(c.field is not None and c.field.required for c in fields)
        found.append(_trial(control, Trial.EMPTY, required=required))
        if any(forms.invalid_for(c) is not None for c in typed):
            found.append(_trial(control, Trial.INVALID, required=True))
    return tuple(found)


def _trial(control: Control, trial: Trial, *, required: bool) -> Control:
    key = f"{control.key}{forms.MARK}{trial.value}"
    return msgspec.structs.replace(control, key=key, trial=trial, required=required)


def _sends(control: Control, rules: Rules) -> bool:
    """Whether a button sends a form and may: nothing risky is sent for a try."""
    if control.disabled or control.role != "button" or control.trial is not None:
        return False
    in_a_dialog = control.dialog != "" and bool(rules.words.confirm.search(control.label))
    if not (control.submits or in_a_dialog) or rules.closes(control):
        return False
    return not rules.risk_of(control) and rules.forbids(control) is None


def _searches(control: Control) -> bool:
    field = control.field
    return field is not None and (field.kind == "search" or field.name.lower() in _SEARCHES)


def judged(verdict: Verdict, effect: Effect, control: Control) -> Verdict:
    """The verdict on a pass: refused, taken, or without an answer."""
    name = f"{control.trial} pass"
    after = effect.after
    if after is None or verdict.result is ActionResult.ERROR:
        return msgspec.structs.replace(verdict, note=_with(name, verdict.note))
    refused = [a.status for a in effect.traffic.bad_answers if 400 <= a.status < 500]
    if refused:
        note = f"{name}: refused with {refused[0]}"
        return msgspec.structs.replace(verdict, note=note, silent=False)
    return _answered(verdict, effect, control, name, invalid=after.invalid > 0)


def _answered(
    verdict: Verdict, effect: Effect, control: Control, name: str, *, invalid: bool
) -> Verdict:
    if invalid:
        shown = Outcome.VALIDATION_SHOWN
        return Verdict(ActionResult.CONTENT_CHANGED, shown, note=f"{name}: validation shown")
    if verdict.outcome is Outcome.CURRENT_PAGE:
        return msgspec.structs.replace(verdict, note=f"{name}: the page came back")
    if verdict.silent:
        note = f"{name}: nothing happened"
        return Verdict(ActionResult.NO_RESPONSE, Outcome.NOTHING_TO_DO, note=note)
    if control.required and verdict.result in _TAKEN and _was_sent(effect):
        return msgspec.structs.replace(verdict, note=f"{name}: taken without validation")
    return msgspec.structs.replace(verdict, note=_with(name, verdict.note))


def _with(name: str, note: str | None) -> str:
    return f"{name}: {note}" if note else name


def _was_sent(effect: Effect) -> bool:
    if changed_document(effect):
        return True
    asked = effect.after is not None and delta(effect.after).requests
    return bool(asked or effect.traffic.requests)
