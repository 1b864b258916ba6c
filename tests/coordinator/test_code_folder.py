"""A project that means harm: it is read with bounds, by name, and nothing of it runs."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from coordinator.cli.main import main
from coordinator.driver.code_folder import LARGEST, CodeFolder, is_skipped
from coordinator.driver.code_map import CodeMap, map_of_code
from coordinator.errors import ExitCode, RequestError
from coordinator.planning.code.model import Unreadable

PAGE = "from flask import Flask\napp = Flask(__name__)\n@app.route('/a')\ndef a():\n    return ''\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A Flask app of one page, with room for worse beside it."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "requirements.txt").write_text("flask\n")
    (root / "app.py").write_text(PAGE)
    return root


def read(folder: Path) -> CodeMap:
    return map_of_code(folder, "", (), datetime(2026, 1, 1, tzinfo=UTC))


def test_a_link_that_leaves_the_project_is_not_followed(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "views.py"
    secret.write_text("SECRET = 1\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "routes.py").write_text(PAGE.replace("/a", "/outside"))
    (project / "views.py").symlink_to(secret)
    (project / "blueprints").symlink_to(outside)
    (project / "routes.py").symlink_to("nowhere.py")
    made = read(project)
    assert made.found.names() == ("/a",)
    assert "views.py: left out: it is a link that leaves the project" in made.notes
    assert "routes.py: left out: it is a link to nothing" in made.notes
    assert not any("blueprints" in name for name in CodeFolder(project).names)


def test_a_link_inside_of_the_project_is_a_file(project: Path) -> None:
    (project / "web.py").symlink_to("app.py")
    assert CodeFolder(project).text("web.py") == PAGE


def test_a_folder_that_links_to_itself_ends(project: Path) -> None:
    (project / "routes").symlink_to(project)
    assert CodeFolder(project).names == ("app.py", "requirements.txt")


def test_a_huge_file_is_refused_unread(project: Path) -> None:
    with (project / "views.py").open("wb") as file:
        file.truncate(100_000_000)
    made = read(project)
    assert made.found.names() == ("/a",)
    assert made.notes == (
        f"views.py: left out: it has 100,000,000 bytes; a route file has {LARGEST:,} at most",
    )


def test_what_is_no_plain_file_is_refused(project: Path) -> None:
    os.mkfifo(project / "views.py")
    assert read(project).notes == ("views.py: left out: it is no plain file",)


def test_what_is_no_text_is_refused(project: Path) -> None:
    (project / "views.py").write_bytes(b"x = '\xff'\n")
    (project / "routes.py").write_bytes(b"x = 1\0\n")
    notes = read(project).notes
    assert any("views.py: left out: it is not UTF-8 text" in note for note in notes)
    assert any(note.startswith("routes.py") and "null byte" in note for note in notes)


def test_only_the_files_that_may_declare_routes_are_opened(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "models.py").write_text("raise SystemExit\n")
    (project / ".env").write_text("PASSWORD=1\n")
    opened: list[str] = []
    text = CodeFolder.text

    def spy(folder: CodeFolder, name: str) -> str:
        opened.append(name)
        return text(folder, name)

    monkeypatch.setattr(CodeFolder, "text", spy)
    read(project)
    assert set(opened) == {"requirements.txt", "app.py"}


def test_nothing_of_the_project_runs(project: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    harm = f"open({str(mark)!r}, 'w').close()\n"
    (project / "app.py").write_text(harm + PAGE)
    (project / "setup.py").write_text(harm)
    (project / "manage.py").write_text(harm)
    assert read(project).found.names() == ("/a",)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("folder", "skipped"),
    [
        ("node_modules", True),
        ("src/node_modules", True),
        ("web/.venv", True),
        ("dist", True),
        ("packages/ui/build", True),
        ("src/routes/build", False),
        ("app/out", False),
        ("src", False),
    ],
)
def test_other_peoples_code_and_output_are_skipped_but_no_route_of_that_name(
    folder: str, skipped: bool
) -> None:
    assert is_skipped(folder) == skipped


def test_names_that_would_move_a_terminals_cursor_are_not_seen(project: Path) -> None:
    (project / "routes\x1b[2J.py").write_text(PAGE)
    assert CodeFolder(project).names == ("app.py", "requirements.txt")


def test_a_file_that_is_gone_when_it_is_asked_for_is_refused(project: Path) -> None:
    files = CodeFolder(project)
    (project / "app.py").unlink()
    with pytest.raises(Unreadable):
        files.text("app.py")


@pytest.mark.parametrize("name", ["nowhere", "requirements.txt"])
def test_a_folder_that_is_none_is_an_error(name: str, project: Path) -> None:
    with pytest.raises(RequestError, match="is no folder"):
        CodeFolder(project / name)


def test_the_command_needs_no_address_and_says_what_it_did(
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["discover", "--from-code", str(project)]) == ExitCode.OK
    out, err = capsys.readouterr()
    assert "ROUTE_MAP.md: 1 route, 0 left out" in out
    assert "Flask in .: 1 path declared" in err
    assert "> Source: code" in (tmp_path / "ROUTE_MAP.md").read_text()


def test_an_empty_folder_is_an_error_with_a_next_step_and_writes_no_map(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["discover", "--from-code", "."]) == ExitCode.REQUEST
    err = capsys.readouterr().err
    assert "no web framework was recognised" in err
    assert "\n  → " in err
    assert not (tmp_path / "ROUTE_MAP.md").exists()


def test_the_routes_of_the_map_before_and_of_a_list_are_samples(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    more = "".join(
        f"@app.route('/{name}/<int:id>')\ndef {name}(id):\n    return ''\n"
        for name in ("u", "p", "q")
    )
    (project / "app.py").write_text(PAGE + more)
    (tmp_path / "ROUTE_MAP.md").write_text("- /u/7\n")
    (tmp_path / "list.txt").write_text("# mine\nhttp://shop.test/p/8?x=1\n")
    arguments = ["discover", "http://shop.test", "--from-code", str(project)]
    assert main([*arguments, "--from-list", "list.txt"]) == ExitCode.OK
    text = (tmp_path / "ROUTE_MAP.md").read_text()
    assert "| /u/7 | detail |" in text
    assert "| /p/8 | detail |" in text
    assert "| /q/:id | needs a sample value |" in text
