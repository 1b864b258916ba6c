"""From the atlas to the report: the tree with its areas, screenshots with their names, bugs with
ids.

Pure. Names follow from the tree alone, so two runs that found the same tree write the same files.
Every screenshot is named by a node, a bug, page load or final state, and every name has a picture.
"""

import re
from collections.abc import Iterable
from datetime import datetime

import msgspec

from contract.action_tree import ActionTree, Bug, Node, PageInfo, RouteReport, walk
from contract.results import Screenshot
from contract.vocabulary import (
    ActionResult,
    Area,
    BugKind,
    BugSource,
    NodeState,
    NodeType,
    Outcome,
    RouteStatus,
    Severity,
)
from workers.browser.atlas import Arrived, Atlas, Suspect, Tried
from workers.browser.page_port import Health

_PREFIX = {
    Area.TOOLBAR: ("02", "toolbar"),
    Area.ROW_ACTIONS: ("03", "row-action"),
    Area.DETAIL_HEADER: ("05", "detail-header"),
    Area.DETAIL_TABS: ("06", "detail-tab"),
    Area.OTHER: ("09", "other"),
}
_NESTED = ("08", "nested")
_WORD_MAX = 40
_CHAIN_MAX = 80
PAGE_LOAD = "01-page-load.png"
FINAL_STATE = "07-final-state.png"
_INITIAL = {Severity.CRITICAL: "C", Severity.MAJOR: "M", Severity.MINOR: "m"}
_RANK = {Severity.CRITICAL: 0, Severity.MAJOR: 1, Severity.MINOR: 2}


class Harvest(msgspec.Struct, frozen=True):
    """A route's report and its pictures (file name and blob digest)."""

    report: RouteReport
    screenshots: tuple[Screenshot, ...]


class Album:
    """The pictures of a route: a name for each, never the same one twice."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def add(self, name: str, blob: str) -> str:
        """The file name under which a picture is kept; a clash gets `-2`."""
        stem, count = name, 1
        while f"{stem}.png" in self.names:
            count += 1
            stem = f"{name}-{count}"
        self.names[f"{stem}.png"] = blob
        return f"{stem}.png"


def words(label: str) -> str:
    """A label as lowercase words joined by hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")
    return plain[:_WORD_MAX].strip("-") or "control"


class _Gatherer:
    """Builds nodes top down, naming pictures in the order of the tree."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.album = Album()
        self.state_shots: dict[str, str] = {}

    def tree(self) -> ActionTree:
        root = self.atlas.root
        if root is None:
            return ActionTree()
        self.state_shots[root.state] = self.album.add(PAGE_LOAD.removesuffix(".png"), root.shot)
        by_area: dict[Area, list[Node]] = {area: [] for area in Area}
        areas = {control.key: control.area for control in root.controls}
        for tried in self.atlas.tried[root.state]:
            area = areas[tried.control]
            by_area[area].append(self._node((tried,), area))
        nodes = {area.value: tuple(found) for area, found in by_area.items()}
        return ActionTree(**nodes)

    def _node(self, chain: tuple[Tried, ...], area: Area) -> Node:
        """The node at the end of a chain of what was tried, with all below it."""
        tried, draft = chain[-1], chain[-1].draft
        screenshot = self._picture(chain, area)
        children: tuple[Node, ...] = ()
        into = self.atlas.states.get(draft.leads_to or "")
        if into is not None and into.state not in self.state_shots:
            self.state_shots[into.state] = screenshot
            children = tuple(
                self._node((*chain, below), area) for below in self.atlas.tried[into.state]
            )
        return Node(
            label=draft.label,
            type=draft.type,
            state=draft.state,
            action_result=draft.action_result,
            screenshot=screenshot,
            note=draft.note,
            children=children,
            outcome=draft.outcome,
            error=draft.error,
            locator=draft.locator,
            path=draft.path,
            duration_ms=draft.duration_ms,
            key=draft.key,
            in_state=tried.state,
            leads_to=draft.leads_to,
            same_as=draft.same_as,
        )

    def _picture(self, chain: tuple[Tried, ...], area: Area) -> str:
        tried = chain[-1]
        if not tried.shot:
            return self.state_shots[tried.state]
        return self.album.add(_name(chain, area), tried.shot)


def _name(chain: tuple[Tried, ...], area: Area) -> str:
    draft = chain[-1].draft
    number, place = _NESTED if len(chain) > 1 else _PREFIX[area]
    loads = draft.leads_to and draft.action_result is ActionResult.PAGE_NAVIGATED
    if loads and area is Area.ROW_ACTIONS and len(chain) == 1:
        number, place = "04", "detail-load"
    suffix = ""
    if draft.type is NodeType.WIZARD_STEP:
        suffix = f"-step{sum(tried.draft.type is NodeType.WIZARD_STEP for tried in chain)}"
    elif draft.state is NodeState.DISABLED:
        suffix = "-disabled"
    elif draft.action_result is ActionResult.ERROR:
        suffix = "-error"
    elif draft.leads_to:
        suffix = "-result"
    joined = "-".join(words(tried.draft.label) for tried in chain)[:_CHAIN_MAX].strip("-")
    return f"{number}-{place}-{joined}{suffix}"


def _bugs(atlas: Atlas, slug: str, album: Album) -> tuple[Bug, ...]:
    counts: dict[Severity, int] = {}
    by_blob: dict[str, str] = {}
    for name, blob in album.names.items():
        by_blob.setdefault(blob, name)
    found = []
    order = sorted(atlas.suspects.values(), key=lambda s: _RANK[s.suspicion.severity])
    for suspect in order:
        severity = suspect.suspicion.severity
        counts[severity] = counts.get(severity, 0) + 1
        number = f"{_INITIAL[severity]}{counts[severity]}"
        found.append(
            _bug(atlas, suspect, f"BUG-{slug}-{number}", by_blob.get(suspect.shot, PAGE_LOAD))
        )
    return tuple(found)


def _bug(atlas: Atlas, suspect: Suspect, name: str, screenshot: str) -> Bug:
    suspicion = suspect.suspicion
    return Bug(
        id=name,
        severity=suspicion.severity,
        kind=suspicion.kind,
        description=suspicion.description,
        location=suspect.location,
        expected=suspicion.expected,
        actual=suspicion.actual,
        screenshot=screenshot,
        path=suspect.path,
        confirmed=atlas.rewalked.get(suspicion.signature),
        source=BugSource.TESTER,
        evidence=suspicion.evidence,
        signature=suspicion.signature,
    )


def _page_info(root: Arrived | None, load_errors: Iterable[str]) -> PageInfo:
    health = root.health if root else Health()
    return PageInfo(
        title=root.title if root else "",
        has_table=health.has_table,
        row_count=health.row_count,
        column_headers=health.column_headers,
        tabs=health.tabs,
        console_errors=tuple(load_errors),
    )


def _status(atlas: Atlas, tree: ActionTree) -> RouteStatus:
    if atlas.root is None:
        return RouteStatus.FAIL
    cut = any(node.outcome is Outcome.BUDGET for node in walk(tree))
    return RouteStatus.PARTIAL if cut or atlas.suspects else RouteStatus.PASS


def summarise(tree: ActionTree, bugs: tuple[Bug, ...], atlas: Atlas, note: str = "") -> str:
    """One sentence for people."""
    nodes = walk(tree)
    used = sum(node.action_result is not ActionResult.SKIPPED for node in nodes)
    skipped = len(nodes) - used
    left_out = sum(state.left_out for state in atlas.states.values())
    counts = (
        f"{_counted(len(nodes), 'control')}, {used} used, {skipped} skipped",
        _counted(len(atlas.states), "state"),
    )
    parts = [", ".join(counts), _counted(len(bugs), "bug") if bugs else "no bugs"]
    if left_out:
        parts.append(f"{left_out} more in rows like those tried")
    if note:
        parts.append(note)
    return "; ".join(parts)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _console(atlas: Atlas) -> tuple[str, ...]:
    kinds = {BugKind.CONSOLE_ERROR, BugKind.PAGE_ERROR, BugKind.UNHANDLED_REJECTION}
    return tuple(
        suspect.suspicion.actual
        for suspect in atlas.suspects.values()
        if suspect.suspicion.kind in kinds
    )


def gather(
    atlas: Atlas, *, route: str, slug: str, tested_at: datetime, final_shot: str, note: str = ""
) -> Harvest:
    """The report of a route and the pictures that it names."""
    gatherer = _Gatherer(atlas)
    tree = gatherer.tree()
    album = gatherer.album
    root = atlas.root
    if root is not None:
        album.names[FINAL_STATE] = final_shot or root.shot
    bugs = _bugs(atlas, slug, album)
    load = [
        s.suspicion.actual
        for s in atlas.suspects.values()
        if not s.key and s.suspicion.kind is BugKind.CONSOLE_ERROR
    ]
    report = RouteReport(
        route=route,
        tested_at=tested_at,
        status=_status(atlas, tree),
        page_info=_page_info(root, load),
        action_tree=tree,
        bugs=bugs,
        console_errors=_console(atlas),
        summary=summarise(tree, bugs, atlas, note),
    )
    shots = tuple(Screenshot(name=name, blob=blob) for name, blob in album.names.items() if blob)
    return Harvest(report, shots)
