"""What using a control did, as a verdict: the pure heart of the action tree.

The judges below are asked in order; the first that has an opinion wins. They go from what is
certain and loud (a crash) to what is quiet (a changed attribute), and silence comes last.
"""

from collections.abc import Callable

import msgspec

from contract.vocabulary import ActionResult as Result
from contract.vocabulary import Outcome
from workers.browser.page_port import Control, Counts, Effect, Sight
from workers.browser.places import bare, route_of

_CONFIRM_MAX_BUTTONS = 3
SURE = frozenset({"native", "role", "label", "listener"})
"""Signs of a control that has to respond; a pointer cursor or a tab stop is only a hint."""


class Verdict(msgspec.Struct, frozen=True):
    """`silent` means nothing at all was noticed: a second look is due before it is called dead."""

    result: Result
    outcome: Outcome | None = None
    note: str | None = None
    error: str | None = None
    silent: bool = False


Judge = Callable[[Effect, Sight, Control], Verdict | None]


def classify(effect: Effect, control: Control) -> Verdict:
    """The verdict on an effect."""
    if effect.crashed:
        return Verdict(Result.ERROR, Outcome.PAGE_CRASH, error="the page crashed")
    if effect.hung or effect.after is None:
        return Verdict(Result.ERROR, Outcome.PAGE_HANG, error="the page stopped answering")
    if effect.covered_by:
        return Verdict(Result.ERROR, Outcome.OBSCURED, error=f"covered by {effect.covered_by}")
    for judge in _JUDGES:
        if verdict := judge(effect, effect.after, control):
            return verdict
    return Verdict(Result.NO_RESPONSE, silent=True)


def delta(sight: Sight) -> Counts:
    """How far each counter moved since the kit was armed."""
    return Counts(
        **{
            name: getattr(sight.counts, name) - getattr(sight.at_arm, name)
            for name in Counts.__struct_fields__
        }
    )


def blocked(effect: Effect) -> tuple[str, ...]:
    """The rules by which requests of this action were refused, by the guard or the kit."""
    kit = (
        ()
        if effect.after is None
        else tuple(
            f"read-only: {note.text}" for note in effect.after.notes if note.what == "blocked"
        )
    )
    return effect.traffic.blocked + kit


def changed_document(effect: Effect) -> bool:
    return effect.after is not None and effect.after.document != effect.before.document


def asks(effect: Effect) -> bool:
    """Whether the page asked something in a native dialog."""
    notes = effect.after.notes if effect.after is not None else ()
    return any(note.what in {"confirm", "prompt"} for note in notes)


def without_questions(effect: Effect) -> Effect:
    """An effect as if no native dialog had come up: what it led to."""
    if effect.after is None:
        return effect
    notes = tuple(note for note in effect.after.notes if note.what == "blocked")
    after = msgspec.structs.replace(effect.after, notes=notes)
    return msgspec.structs.replace(effect, after=after)


def _native_dialog(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    said = [note for note in after.notes if note.what in {"alert", "confirm", "prompt", "cut"}]
    if not said:
        return None
    lines = "; ".join(f"{note.what}: {note.text}" for note in said[:6])
    return Verdict(Result.NATIVE_DIALOG, note=lines)


def _download(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if effect.traffic.downloads:
        return Verdict(Result.DOWNLOAD_STARTED, note=", ".join(effect.traffic.downloads[:5]))
    return None


def _popup(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if effect.traffic.popups:
        return Verdict(Result.POPUP_OPENED, note=", ".join(effect.traffic.popups[:5]))
    return None


def _chooser(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if effect.traffic.choosers or delta(after).pickers:
        return Verdict(Result.DIALOG_OPENED, Outcome.FILE_CHOOSER)
    return None


def _held(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if effect.traffic.held_leaves:
        return Verdict(
            Result.NATIVE_DIALOG, Outcome.LEAVE_HELD, "beforeunload asked; the page was held"
        )
    return None


def _unanswered(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if after.url.startswith("chrome-error:"):
        errors = [failed.error for failed in effect.traffic.failed]
        return Verdict(
            Result.ERROR, error=f"the page could not be loaded: {(errors or ['no answer'])[-1]}"
        )
    return None


def _navigated(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    here, there = effect.before.url, after.url
    if route_of(here) == route_of(there) and here == there:
        if changed_document(effect) and not blocked(effect):
            return Verdict(Result.PAGE_NAVIGATED, Outcome.CURRENT_PAGE, "the page loaded anew")
        return None
    only_fragment = here.split("#")[0] == there.split("#")[0] and "/" not in there.partition("#")[2]
    if not changed_document(effect) and only_fragment:
        return None
    return Verdict(Result.PAGE_NAVIGATED)


def _layers(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    before = {dialog.name for dialog in effect.before.dialogs}
    new = [dialog for dialog in after.dialogs if dialog.name not in before]
    if new or len(after.dialogs) > len(effect.before.dialogs):
        top = (new or list(after.dialogs))[-1]
        asks = top.alert or (top.fields == 0 and 2 <= top.buttons <= _CONFIRM_MAX_BUTTONS)
        kind = Result.CONFIRMATION_DIALOG if asks and top.alert else Result.DIALOG_OPENED
        return Verdict(kind, note=top.name or None)
    expands = effect.flags.expanded is False and after.flags is not None and after.flags.expanded
    if after.menus > effect.before.menus or (expands and control.popup not in {"", "false"}):
        return Verdict(Result.DROPDOWN_OPENED)
    return None


def _toast(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    new = [text for text in after.toasts if text not in effect.before.toasts]
    if new and not blocked(effect):
        return Verdict(Result.TOAST_NOTIFICATION, note=new[0])
    return None


def _blocked(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    rules = blocked(effect)
    if not rules:
        return None
    kind = Outcome.EXTERNAL_BLOCKED if rules[0].startswith("other origin") else Outcome.POLICY
    return Verdict(Result.SKIPPED, kind, f"request not let through: {rules[0]}")


def _validation(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if after.invalid > effect.before.invalid:
        return Verdict(Result.CONTENT_CHANGED, Outcome.VALIDATION_SHOWN)
    return None


def _toggled(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if after.flags is None or control.field is not None:
        return None
    if effect.flags.checked is not None and effect.flags.checked != after.flags.checked:
        return Verdict(Result.CONTENT_CHANGED, Outcome.TOGGLED)
    if control.role == "radio" and effect.flags.checked:
        return Verdict(Result.NO_RESPONSE, Outcome.ALREADY_SELECTED)
    return None


def _visible_change(effect: Effect, after: Sight) -> bool:
    moved = delta(after)
    return bool(moved.mutations or moved.history) or after.state != effect.before.state


def failed_quietly(effect: Effect) -> str | None:
    """What went wrong during an action to which the page showed nothing."""
    traffic = effect.traffic
    if effect.after is None or _visible_change(effect, effect.after):
        return None
    for lines in (traffic.exceptions, traffic.rejections):
        if lines:
            return lines[0]
    for answer in traffic.bad_answers:
        return f"{answer.method} {route_of(answer.url)} answered {answer.status}"
    if traffic.failed:
        return traffic.failed[0].error
    return f"console: {traffic.console[0]}" if traffic.console else None


def _failed(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    error = failed_quietly(effect)
    return Verdict(Result.ERROR, error=error) if error else None


def _filled(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if control.field is not None:
        return Verdict(Result.CONTENT_CHANGED, Outcome.FILLED)
    return None


def _changed(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    moved = delta(after)
    if _visible_change(effect, after) or moved.inputs:
        return Verdict(Result.CONTENT_CHANGED)
    for count, outcome in (
        (moved.printed, Outcome.PRINTED),
        (moved.copied, Outcome.COPIED),
        (moved.scroll, Outcome.SCROLLED),
        (moved.focus, Outcome.FOCUSED),
        (moved.requests or effect.traffic.requests, Outcome.REQUEST_SENT),
    ):
        if count:
            return Verdict(Result.CONTENT_CHANGED, outcome)
    return None


def _expected_silence(effect: Effect, after: Sight, control: Control) -> Verdict | None:
    if effect.flags.selected or control.selected:
        return Verdict(Result.NO_RESPONSE, Outcome.ALREADY_SELECTED)
    if control.drags:
        return Verdict(Result.NO_RESPONSE, Outcome.FOR_DRAGGING)
    if control.href and bare(route_of(control.href)) == bare(route_of(after.url)):
        fragment = control.href.partition("#")[2]
        if fragment or not control.href.endswith("#"):
            return Verdict(Result.NO_RESPONSE, Outcome.CURRENT_PAGE)
    return None


_JUDGES: tuple[Judge, ...] = (
    _native_dialog,
    _download,
    _popup,
    _chooser,
    _held,
    _unanswered,
    _navigated,
    _layers,
    _toast,
    _blocked,
    _validation,
    _toggled,
    _failed,
    _filled,
    _changed,
    _expected_silence,
)
