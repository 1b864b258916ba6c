"""How things are called in everything that people read: areas, kinds, steps, outcomes, verdicts.

Pure. One place, so that Markdown, HTML and scripts never differ. Leaves out escaping, which is each
format's own business.
"""

from contract.action_tree import Bug, Node, Step
from contract.vocabulary import ActionResult, Area, BugKind, NodeState, Outcome, Verdict


def clean(text: str) -> str:
    """One line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def counted(number: int, what: str) -> str:
    """`1 bug`, `2 bugs`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


AREAS = {
    Area.TOOLBAR: "Toolbar",
    Area.ROW_ACTIONS: "Row actions",
    Area.DETAIL_HEADER: "Detail header",
    Area.DETAIL_TABS: "Detail tabs",
    Area.OTHER: "Other",
}
RESULTS = {
    ActionResult.ERROR: "Error",
    ActionResult.NO_RESPONSE: "No response",
    ActionResult.NOT_CLICKABLE: "Disabled",
    ActionResult.PAGE_NAVIGATED: "Opens a page",
    ActionResult.DIALOG_OPENED: "Opens a dialog",
    ActionResult.CONFIRMATION_DIALOG: "Asks to confirm",
    ActionResult.DROPDOWN_OPENED: "Opens a menu",
    ActionResult.POPUP_OPENED: "Opens a window",
    ActionResult.CONTENT_CHANGED: "Changes the page",
    ActionResult.TOAST_NOTIFICATION: "Shows a message",
    ActionResult.NATIVE_DIALOG: "Browser dialog",
    ActionResult.DOWNLOAD_STARTED: "Downloads",
    ActionResult.SKIPPED: "Skipped",
}
_SPELLED = {BugKind.HTTP_5XX: "HTTP 5xx", BugKind.HTTP_4XX: "HTTP 4xx", BugKind.A11Y: "A11y"}


def plain(text: str, most: int = 2_000) -> str:
    """Text from a page on one line, without control characters, cut where it never ends."""
    line = clean(text)
    return line if len(line) <= most else f"{line[:most]}…"


def of_kind(kind: BugKind) -> str:
    """`dead_control` as people write it."""
    return _SPELLED.get(kind) or kind.value.replace("_", " ").capitalize()


def title(bug: Bug) -> str:
    """A bug on one short line."""
    return plain(bug.description, 160) or of_kind(bug.kind)


def step(one: Step) -> str:
    """A step for people: `press “Save”`."""
    words = f"{one.action} “{one.label}”"
    return plain(f"{words} with “{one.value}”" if one.value else words)


def steps(bug: Bug, route: str) -> list[str]:
    """What to do, from the opening of the page on."""
    first = bug.path[:1]
    opening = [] if first and first[0].action == "open" else [f"open “{route}”"]
    return [plain(words) for words in (*opening, *(step(one) for one in bug.path))]


def location(bug: Bug) -> str:
    """Area and element: `Detail header: Packing slip`."""
    area, colon, element = bug.location.partition(":")
    known = next((name for key, name in AREAS.items() if key.value == area), area)
    return plain(f"{known}{colon}{element}")


def reproduced(bug: Bug) -> str:
    """`3 of 3 fresh runs`, and what is to be known beside the numbers."""
    runs = f"{bug.seen} of {bug.runs} fresh runs"
    if bug.verdict is Verdict.FLAKY:
        return f"{runs} (flaky)"
    if bug.verdict is None or bug.verdict is Verdict.UNCHECKED:
        return f"{runs} (not checked; {_TESTER[bug.confirmed]})"
    return runs


_TESTER = {
    True: "the tester saw it twice",
    False: "the tester did not see it again",
    None: "the tester saw it once",
}


def verdict(bug: Bug) -> str:
    """One word for how sure it is."""
    if bug.verdict is not None:
        return bug.verdict.value
    return {True: "seen twice", False: "not seen again", None: "seen once"}[bug.confirmed]


def failed(node: Node) -> bool:
    """Whether a control's trial counts as an error: it went wrong, or nothing happened at all."""
    if node.state is NodeState.DISABLED:
        return False
    dead = node.action_result is ActionResult.NO_RESPONSE and node.outcome is None
    return dead or node.action_result is ActionResult.ERROR


def result(node: Node) -> str:
    """What using a control did, with what the outcome adds."""
    words = RESULTS[node.action_result]
    return words if node.outcome is None else f"{words}, {outcome(node.outcome)}"


def outcome(found: Outcome) -> str:
    return found.value.replace("_", " ")
