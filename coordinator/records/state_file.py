"""Reading and writing `.monkey-test-state.json`, the single source of truth of a run.

Invariant: what is on disk obeys the eight rules; `save` refuses anything else, and `load` mends
what others changed by hand and says so. The report of a completed route must exist and parse
(rule 4). To parse 100,000 reports at each write would make the cost of a result grow with the map:
so a write checks the entries it adds, and a load lists the folder once and parses only up to
`PARSE_ALL` reports, beyond that only those changed after the state was written, because a report is
replaced whole and can be half written only by another hand. Leaves out rebuilding (`rebuild`).
"""

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from contract import wire
from contract.action_tree import RouteReport
from contract.identity import RunId, plain_slug
from contract.vocabulary import ReviewStatus, RunStatus
from coordinator.errors import InternalError, RequestError
from coordinator.records.atomic import host_error, write_atomic
from coordinator.records.state import (
    VERSION,
    Extras,
    Failed,
    Ours,
    Part,
    State,
    violations,
    whole_seconds,
)

FILE_NAME = ".monkey-test-state.json"
PARSE_ALL = 2_000

_COUNTERS = (
    *("total_routes", "tested", "pending", "failed"),
    *("review_pending", "review_complete", "review_failed"),
)
_Raws = dict[str, msgspec.Raw]


class CorruptError(Exception):
    """The file is not what it should be; the argument says where."""


class Meta(Part, frozen=True, kw_only=True):
    """The known fields of `meta`; all but the first two may be missing in other tools' files."""

    project: str
    base_url: str
    created_at: datetime
    last_updated: datetime
    status: RunStatus = RunStatus.RUNNING
    blocked_reason: str | None = None


class Loaded(Part, frozen=True, kw_only=True):
    """A state that obeys the rules, and what had to be mended for that."""

    state: State
    notes: tuple[str, ...] = ()


def load(folder: Path) -> Loaded | None:
    """The state of the project in `folder`, or None if there is none. Raises `CorruptError`."""
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise host_error(error, path) from error
    try:
        state, counters = _decode(data)
    except (wire.WireError, KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise CorruptError(str(error)) from error
    derived = state.counters()
    notes = _mend(state, folder)
    if any(derived[name] != value for name, value in counters.items()):
        notes.append("its counters did not match its lists; the lists were believed")
    return Loaded(state=state, notes=tuple(notes))


def save(state: State, folder: Path, now: datetime) -> None:
    """Write the state whole; a state that breaks a rule is never written."""
    state.touch(now)
    if broken := check(state, folder):
        raise InternalError(
            f"the state would break its own rules ({'; '.join(broken[:3])}); it was not written",
            f"{folder / FILE_NAME} still holds the last good state; please report this",
        )
    write_atomic(folder / FILE_NAME, encode(state))
    state.touched.clear()


def check(state: State, folder: Path) -> list[str]:
    """The rules that are broken, in words, looking on disk at the entries touched since the
    last write only."""
    broken = violations(state)
    for entry in state.touched.values():
        if not _parses(folder / entry.report_file):
            broken.append(f"rule 4: {entry.report_file} is missing or does not parse")
        if entry.bug_report_file and not (folder / entry.bug_report_file).is_file():
            broken.append(f"rule 7: {entry.bug_report_file} is missing")
    return broken


def encode(state: State) -> bytes:
    """The bytes of the file, keys in the order of the format."""
    ours = _plain(state.ours) | state.extras.ours
    meta: dict[str, Any] = {
        "project": state.project,
        "base_url": state.base_url,
        "created_at": state.created_at,
        "last_updated": state.last_updated,
        "status": state.status,
        "blocked_reason": state.blocked_reason,
        **state.counters(),
        "mazewave": ours,
    }
    return wire.pretty(
        {
            "meta": meta | state.extras.meta,
            "completed": list(state.completed.values()),
            "failed": list(state.failed.values()),
            "pending": list(state.pending),
            **state.extras.top,
        }
    )


def _plain(part: Part) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__struct_fields__}


def _decode(data: bytes) -> tuple[State, dict[str, int]]:
    top = wire.loads(data, _Raws)
    meta_raws = wire.loads(bytes(top.pop("meta")), _Raws)
    ours, more = _read_ours(meta_raws.pop("mazewave", None))
    counters = {
        name: wire.loads(bytes(meta_raws.pop(name)), int) for name in _COUNTERS if name in meta_raws
    }
    known = {name: meta_raws.pop(name) for name in Meta.__struct_fields__ if name in meta_raws}
    meta = wire.loads(wire.dumps(known), Meta)
    state = State(
        project=meta.project, base_url=meta.base_url, created_at=meta.created_at, ours=ours
    )
    state.last_updated = meta.last_updated
    state.status, state.blocked_reason = meta.status, meta.blocked_reason
    _read_arrays(state, top)
    state.extras = Extras(top=top, meta=meta_raws, ours=more)
    return state, counters


def _read_ours(raw: msgspec.Raw | None) -> tuple[Ours, _Raws]:
    if raw is None:
        return Ours(run_id=RunId("")), {}
    version = wire.loads(bytes(raw), _Version).version
    if version > VERSION:
        raise RequestError(
            f"{FILE_NAME} was written by a newer mazewave (format {version}, this one knows "
            f"{VERSION})",
            "install that version: pip install --upgrade mazewave",
        )
    raws = wire.loads(bytes(raw), _Raws)
    more = {name: value for name, value in raws.items() if name not in Ours.__struct_fields__}
    return wire.loads(bytes(raw), Ours), more


class _Version(Part, frozen=True, kw_only=True):
    version: int = VERSION


class _Index(Part, frozen=True, kw_only=True):
    """What a load needs of a completed entry."""

    route: str
    tested_at: datetime
    report_file: str
    review_status: ReviewStatus = ReviewStatus.PENDING
    bug_report_file: str | None = None


def _read_arrays(state: State, top: _Raws) -> None:
    completed = bytes(top.pop("completed"))
    raws = wire.loads(completed, list[msgspec.Raw])
    index = wire.loads(completed, list[_Index])
    for raw, entry in zip(raws, index, strict=True):
        state.completed[entry.route] = raw
        state.reviews[entry.route] = entry.review_status
        state.slugs[entry.route] = _slug_in(entry.report_file)
    state.last_updated = max([state.last_updated, *(entry.tested_at for entry in index)])
    for item in wire.loads(bytes(top.pop("failed")), list[Failed | str]):
        failed = item if isinstance(item, Failed) else _from_string(item, state.last_updated)
        state.failed[failed.route] = failed
    state.pending = dict.fromkeys(wire.loads(bytes(top.pop("pending")), list[str]))
    odd = state.ours.slugs
    for route in (*state.failed, *state.pending):
        state.slugs[route] = odd.get(route) or plain_slug(route)


def _slug_in(report_file: str) -> str:
    return report_file.rpartition("/")[2].removesuffix(".json")


def _from_string(route: str, when: datetime) -> Failed:
    return Failed(route=route, failed_at=when)


def _mend(state: State, folder: Path) -> list[str]:
    """Make every rule true again, believing completed over failed over pending."""
    notes: list[str] = []
    twice = (state.failed.keys() | state.pending.keys()) & state.completed.keys()
    twice |= state.failed.keys() & state.pending.keys()
    for route in twice:
        state.pending.pop(route, None)
        if route in state.completed:
            state.failed.pop(route, None)
    if twice:
        notes.append(f"{len(twice)} routes stood in two lists; each stands in one now")
    there = _listed(folder / "monkey-test-reports")
    if lost := _without_report(state, there):
        for route in lost:
            state.reopen(route)
        notes.append(f"{len(lost)} completed routes have no valid report; they are pending again")
    if lost := _without_bug_report(state, there):
        for route in lost:
            state.review(route, ReviewStatus.PENDING, bug_report_file=None)
        notes.append(f"{len(lost)} reviewed routes have no bug report; they are reviewed again")
    latest = [entry.failed_at for entry in state.failed.values()]
    state.last_updated = max([state.last_updated, *latest])
    return notes


def _listed(folder: Path) -> dict[str, os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return {entry.name: entry for entry in listing}
    except OSError:
        return {}


def _without_bug_report(state: State, there: Mapping[str, os.DirEntry[str]]) -> list[str]:
    """Reviewed routes whose `{slug}-bugs.md` is missing."""
    complete = [r for r, status in state.reviews.items() if status is ReviewStatus.COMPLETE]
    return [route for route in complete if f"{state.slugs[route]}-bugs.md" not in there]


def _without_report(state: State, there: Mapping[str, os.DirEntry[str]]) -> list[str]:
    """Routes whose report is missing or, as far as was looked, does not parse."""
    names = {route: f"{slug}.json" for route, slug in state.slugs.items()}
    since = state.last_updated.timestamp()
    thorough = len(state.completed) <= PARSE_ALL
    lost = []
    for route in state.completed:
        entry = there.get(names[route])
        suspect = entry is not None and (thorough or entry.stat().st_mtime > since + 1)
        if entry is None or (suspect and not _parses(Path(entry.path))):
            lost.append(route)
    return lost


def _parses(path: Path) -> bool:
    try:
        wire.loads(path.read_bytes(), RouteReport)
    except (OSError, wire.WireError):
        return False
    return True


def set_aside(folder: Path, now: datetime) -> Path:
    """Rename a corrupt state file; says where it is now."""
    path = folder / FILE_NAME
    aside = path.with_name(f"{FILE_NAME}.corrupt-{whole_seconds(now):%Y%m%dT%H%M%SZ}")
    try:
        path.replace(aside)
    except OSError as error:
        raise host_error(error, path) from error
    return aside
