"""The folder while a run holds it, and the diagrams that are drawn from the machines."""

from pathlib import Path

import pytest

from coordinator.driver.workspace import Workspace, holder_of
from coordinator.errors import HostError, RequestError
from coordinator.machines import exploration, suite
from coordinator.machines.diagram import drawn


def test_the_folder_is_made_private_and_out_of_version_control(tmp_path: Path) -> None:
    with Workspace(tmp_path / "new") as held:
        assert held.ours.stat().st_mode & 0o777 == 0o700
        assert (held.ours / ".gitignore").read_text() == "*\n"


def test_a_second_holder_is_told_who_holds_it(tmp_path: Path) -> None:
    with Workspace(tmp_path) as held:
        found = holder_of(tmp_path)
        assert found is not None
        assert found.name == held.name
        with pytest.raises(RequestError, match=f"process {found.pid} since"), Workspace(tmp_path):
            pass
    assert holder_of(tmp_path) is None
    with Workspace(tmp_path) as again:
        assert again.predecessors == (held.name,)


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(RequestError, match="is a file"), Workspace(path):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(HostError, match=r"file/project/\.mazewave"),
        Workspace(tmp_path / "file" / "project"),
    ):
        pass


MARKED = "<!-- diagram:{} -->\nold\n<!-- /diagram -->\n"
MACHINES = ("exploration", "suite")


def test_the_diagrams_show_every_move_and_nothing_else_changes() -> None:
    new = drawn("# A\n" + "between\n".join(map(MARKED.format, MACHINES)) + "end\n")
    assert new.startswith("# A\n<!-- diagram:exploration -->\n```mermaid")
    assert new.endswith("```\n<!-- /diagram -->\nend\n")
    assert new.count("\nbetween\n") == 1
    moves = [*exploration.TABLE.items(), *suite.TABLE.items()]
    for (before, signal), after in moves:
        assert f"    {before} --> {after}: {signal}" in new
    assert drawn(new) == new
