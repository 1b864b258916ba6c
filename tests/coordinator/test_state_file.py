"""The state file: its eight rules, other tools' variants, and what becomes of a broken one."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from contract.identity import RunId
from coordinator.errors import HostError, InternalError, RequestError
from coordinator.records import rebuild, reports, route_map, state_file
from coordinator.records.atomic import write_atomic
from coordinator.records.state import (
    Attempt,
    Completed,
    Operations,
    Ours,
    Shared,
    State,
    violations,
)
from coordinator.records.state_file import FILE_NAME, CorruptError, load, save
from tests.support.fake_browser import SHOTS, png, report_of

NOW = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
PNGS = {name: png(1) for name in SHOTS}


def state_of(*routes: str) -> State:
    state = State(
        project="shop", base_url="http://shop.test", created_at=NOW, ours=Ours(run_id=RunId("r"))
    )
    state.add_routes(routes)
    return state


def complete(state: State, folder: Path, route: str) -> None:
    slug = state.slugs[route]
    report = report_of(route)
    reports.write(folder, slug, report, PNGS)
    state.complete(reports.entry_for(slug, report))


def saved(folder: Path, *routes: str) -> State:
    """A saved state whose first route is completed and whose second one failed."""
    state = state_of(*routes)
    complete(state, folder, routes[0])
    state.fail(routes[1], "first", "last", NOW)
    save(state, folder, NOW)
    return state


def document(folder: Path) -> Any:
    return json.loads((folder / FILE_NAME).read_text())


def rewrite(folder: Path, value: Any) -> None:
    (folder / FILE_NAME).write_text(json.dumps(value))


def reloaded(folder: Path) -> State:
    loaded = load(folder)
    assert loaded is not None
    return loaded.state


def test_the_keys_stand_in_the_order_of_the_format(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    found = document(tmp_path)
    assert list(found) == ["meta", "completed", "failed", "pending"]
    assert list(found["meta"])[:-1] == [
        *("project", "base_url", "created_at", "last_updated", "status", "blocked_reason"),
        *("total_routes", "tested", "pending", "failed"),
        *("review_pending", "review_complete", "review_failed"),
    ]
    assert list(found["completed"][0]) == [
        *("route", "tested_at", "status", "bugs_count", "operations_count", "screenshots_dir"),
        *("report_file", "summary", "review_status", "bug_report_file"),
    ]
    assert list(found["failed"][0]) == ["route", "failed_at", "error", "retry_count", "last_error"]
    assert (tmp_path / FILE_NAME).read_text().startswith('{\n  "meta": {\n    "project"')
    assert found["meta"]["created_at"].endswith("Z")


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    state = saved(tmp_path, "/a", "/b", "/c")
    state.update(
        cursor="5-1",
        attempts={"/c": Attempt(attempt=2, epoch=1, tries=1, error="e")},
        shared=Shared(route="/a", keys=("k",)),
    )
    save(state, tmp_path, NOW)
    again = reloaded(tmp_path)
    assert again.ours == state.ours
    assert again.slugs == state.slugs
    assert state_file.encode(again) == state_file.encode(state)


def test_counters_are_derived_from_the_arrays(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c", "/d")
    meta = document(tmp_path)["meta"]
    assert (meta["total_routes"], meta["tested"], meta["failed"], meta["pending"]) == (4, 1, 1, 2)
    assert meta["review_pending"] + meta["review_complete"] + meta["review_failed"] == 1


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    found = document(tmp_path)
    found["x"] = {"y": [1]}
    found["meta"]["owner"] = "me"
    found["meta"]["mazewave"]["later"] = True
    found["completed"][0]["tags"] = ["t"]
    rewrite(tmp_path, found)
    state = reloaded(tmp_path)
    save(state, tmp_path, NOW)
    again = document(tmp_path)
    assert again["x"] == {"y": [1]}
    assert again["meta"]["owner"] == "me"
    assert again["meta"]["mazewave"]["later"] is True
    assert again["completed"][0]["tags"] == ["t"]


def test_the_variants_of_other_tools_are_read(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    found = document(tmp_path)
    for name in ("review_failed", "status", "blocked_reason", "mazewave"):
        del found["meta"][name]
    found["failed"] = ["/b"]
    rewrite(tmp_path, found)
    state = reloaded(tmp_path)
    assert state.failed["/b"].last_error == ""
    assert state.status == "running"


def test_a_route_in_two_arrays_is_put_into_one_and_said(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    found = document(tmp_path)
    found["pending"] += ["/a", "/b"]
    rewrite(tmp_path, found)
    loaded = load(tmp_path)
    assert loaded is not None
    assert set(loaded.state.pending) | set(loaded.state.failed) == {"/b", "/c"}
    assert set(loaded.state.completed) == {"/a"}
    assert any("two lists" in note for note in loaded.notes)


@pytest.mark.parametrize("damage", ["missing", "empty", "half"])
def test_a_completed_route_without_a_valid_report_is_pending_again(
    tmp_path: Path, damage: str
) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    report = tmp_path / "monkey-test-reports/a.json"
    if damage == "missing":
        report.unlink()
    else:
        report.write_bytes(b"" if damage == "empty" else report.read_bytes()[:100])
    loaded = load(tmp_path)
    assert loaded is not None
    assert set(loaded.state.pending) == {"/a", "/c"}
    assert any("no valid report" in note for note in loaded.notes)


def test_wrong_counters_are_mended_and_said(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    found = document(tmp_path)
    found["meta"]["tested"] = 7
    rewrite(tmp_path, found)
    loaded = load(tmp_path)
    assert loaded is not None
    assert any("counters" in note for note in loaded.notes)


def entry(**changes: Any) -> Completed:
    fields: dict[str, Any] = {
        "route": "/a",
        "tested_at": NOW.replace(microsecond=0),
        "status": "pass",
        "report_file": "monkey-test-reports/a.json",
    }
    return Completed(**(fields | changes))


def test_each_rule_that_is_broken_is_said_in_words(tmp_path: Path) -> None:
    state = state_of("/a", "/b")
    state.complete(entry(bug_report_file="x.md"))
    state.pending["/a"] = None
    state.fail("/b", "e", "e", NOW)
    state.pending["/b"] = None
    state.reviews.pop("/a")
    state.touched["/c"] = entry(
        route="/c", review_status="review_complete", tested_at=NOW + timedelta(days=1)
    )
    text = "\n".join(violations(state)) + "\n".join(state_file.check(state, tmp_path))
    for rule in (1, 4, 5, 6, 7, 8):
        assert f"rule {rule}:" in text


def test_a_state_that_breaks_a_rule_is_never_written(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    before = (tmp_path / FILE_NAME).read_bytes()
    state = reloaded(tmp_path)
    state.complete(entry(route="/c", report_file="monkey-test-reports/c.json"))
    with pytest.raises(InternalError, match="rule 4"):
        save(state, tmp_path, NOW)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_worker_with_a_fast_clock_does_not_break_rule_5(tmp_path: Path) -> None:
    state = state_of("/a")
    complete(state, tmp_path, "/a")
    save(state, tmp_path, datetime(2000, 1, 1, tzinfo=UTC))
    assert state.last_updated >= next(iter(state.entries())).tested_at


def test_failed_routes_go_back_to_pending_and_count_the_retry(tmp_path: Path) -> None:
    state = saved(tmp_path, "/a", "/b", "/c")
    assert state.retry_failed() == 1
    state.fail("/b", "e", "e", NOW)
    save(state, tmp_path, NOW)
    assert reloaded(tmp_path).failed["/b"].retry_count == 1


def test_slugs_of_an_earlier_selection_never_change(tmp_path: Path) -> None:
    state = state_of("/b/c")
    state.add_routes(["/b_c"])
    save(state, tmp_path, NOW)
    again = reloaded(tmp_path)
    assert again.slugs["/b/c"] == "b_c"
    assert again.slugs["/b_c"].startswith("b_c-")


def test_a_state_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    saved(tmp_path, "/a", "/b")
    found = document(tmp_path)
    found["meta"]["mazewave"]["version"] = 99
    rewrite(tmp_path, found)
    with pytest.raises(RequestError, match="newer"):
        load(tmp_path)


def test_a_state_of_another_app_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"belongs to http://shop\.test"):
        rebuild.same_project(state_of("/a"), "http://other.test", tmp_path)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"meta": {}}', b'{"meta": 1, "completed": []}']
)
def test_a_corrupt_file_is_rebuilt_from_map_and_reports(tmp_path: Path, data: bytes) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    entries = tuple(route_map.MapRoute(route=route) for route in ("/a", "/b", "/c"))
    route_map.save(tmp_path / route_map.FILE_NAME, route_map.RouteMap(routes=entries))
    (tmp_path / FILE_NAME).write_bytes(data)
    with pytest.raises(CorruptError):
        load(tmp_path)
    loaded = rebuild.open_state(tmp_path, "http://shop.test", NOW)
    assert loaded is not None
    assert set(loaded.state.completed) == {"/a"}
    assert set(loaded.state.pending) == {"/b", "/c"}
    assert list(tmp_path.glob(f"{FILE_NAME}.corrupt-*"))
    assert "rebuilt" in loaded.notes[0]


def test_every_prefix_of_a_state_file_is_corrupt_or_absent_but_never_a_crash(
    tmp_path: Path,
) -> None:
    saved(tmp_path, "/a", "/b", "/c")
    data = (tmp_path / FILE_NAME).read_bytes()
    for length in range(0, len(data) - 2, 7):
        (tmp_path / FILE_NAME).write_bytes(data[:length])
        with pytest.raises(CorruptError):
            load(tmp_path)


def test_many_old_reports_are_not_parsed_but_a_changed_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_file, "PARSE_ALL", 1)
    state = state_of("/a", "/b", "/c")
    for route in ("/a", "/b"):
        complete(state, tmp_path, route)
    save(state, tmp_path, datetime.now(UTC))
    reports_dir = tmp_path / "monkey-test-reports"
    for name in ("a", "b"):
        (reports_dir / f"{name}.json").write_text("{")
    os.utime(reports_dir / "a.json", (1.0e9, 1.0e9))
    os.utime(reports_dir / "b.json", (4.0e9, 4.0e9))
    assert set(reloaded(tmp_path).pending) == {"/b", "/c"}


def test_a_folder_that_cannot_be_written_is_named_with_a_remedy(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(HostError) as caught:
        write_atomic(blocked / "x.json", b"")
    assert str(blocked) in caught.value.sentence
    assert caught.value.hint


def test_a_full_disk_leaves_the_old_file_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    write_atomic(path, b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(HostError, match="no room left"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["x"]


def test_operations_have_defaults() -> None:
    assert Operations().total == 0
