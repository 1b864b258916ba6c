"""A small project per framework, and the map that reading its code must give.

Each folder of `tests/fixtures/code` is a project; the file of the same name beside it is its map.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from coordinator.driver.code_map import CodeMap, map_of_code
from coordinator.errors import ExitCode, RequestError
from coordinator.records import route_map

PROJECTS = Path(__file__).parent.parent / "fixtures" / "code"
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def read(folder: Path, *known: str) -> CodeMap:
    return map_of_code(folder, "", known, NOW)


def write(root: Path, **files: str) -> Path:
    """A project of small files: `src__app_py` is `src/app.py`."""
    for name, text in files.items():
        path = root / ".".join(name.replace("__", "/").rsplit("_", 1))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize("name", sorted(path.name for path in PROJECTS.iterdir() if path.is_dir()))
def test_a_project_gives_its_map(name: str) -> None:
    made = read(PROJECTS / name)
    expected = (PROJECTS / f"{name}.md").read_text()
    assert route_map.render(made.found) == expected
    assert route_map.parse(expected) == made.found


def test_several_frameworks_in_one_repository_are_all_read_and_told() -> None:
    made = read(PROJECTS / "mixed")
    assert made.told == (
        "Flask in backend: 2 paths declared",
        "Vue Router in frontend: 2 paths declared",
    )
    assert {"/admin", "/#/reports"} <= set(made.found.names())


def test_a_known_route_is_the_sample_of_a_pattern() -> None:
    """The address of a page that is declared itself is no sample: `/issues/new` is not an issue."""
    made = read(
        PROJECTS / "react-router", "/issues/new", "/issues/readme", "/issues/17", "/nowhere"
    )
    assert "/issues/17" in made.found.names()
    assert not {"/issues/readme", "/nowhere"} & set(made.found.names())
    assert "/issues/:issueId" not in {item.route for item in made.found.excluded}


def test_what_the_code_does_not_write_down_is_a_note_with_file_and_line() -> None:
    made = read(PROJECTS / "react-router")
    assert made.notes == (
        "src/admin/AdminArea.tsx:13: its path is put together while the app runs",
    )
    django = read(PROJECTS / "django")
    assert "visits/urls.py:8: visits/urls.py includes itself; left out" in django.notes


def test_without_a_manifest_the_imports_of_route_files_tell(tmp_path: Path) -> None:
    made = read(
        write(
            tmp_path,
            app_py="from flask import Flask\n\napp = Flask(__name__)\n\n\n"
            "@app.route('/a')\ndef a():\n    return 'a'\n",
        )
    )
    assert made.found.names() == ("/a",)
    assert made.found.source == "code"


@pytest.mark.parametrize(
    ("files", "says", "next_step"),
    [
        ({}, "no web framework was recognised", "mazewave discover URL"),
        (
            {"package_json": '{"dependencies": {"express": "4"}}'},
            "no web framework",
            "package.json",
        ),
        (
            {"package_json": '{"dependencies": {"next": "14"}}'},
            "Next: the project's route files declare no route",
            "mazewave discover URL",
        ),
        (
            {
                "requirements_txt": "fastapi",
                "main_py": "from fastapi import FastAPI\napp = FastAPI()\n"
                "@app.get('/v')\ndef v():\n    return 1\n",
            },
            "FastAPI: none of 1 declared paths can be opened as a page",
            "the folder of the front end",
        ),
    ],
)
def test_a_project_without_pages_is_an_error_with_a_next_step(
    files: dict[str, str], says: str, next_step: str, tmp_path: Path
) -> None:
    with pytest.raises(RequestError) as caught:
        read(write(tmp_path, **files))
    assert says in caught.value.sentence
    assert next_step in caught.value.hint
    assert caught.value.exit_code is ExitCode.REQUEST


def test_a_mistake_costs_its_own_place_only(tmp_path: Path) -> None:
    """A file that does not parse is a note naming file and line; what stands around it is read."""
    write(
        tmp_path,
        package_json='{"dependencies": {"vue-router": "4"}}',
        requirements_txt="flask",
        src__router_js="createRouter({ routes: [\n  { path: '/a', component: A },\n"
        "  { path: '/b', component: },\n  { path: '/c', component: C },\n] })\n",
        app_py="from flask import Flask\napp = Flask(__name__)\n"
        "@app.route('/d')\ndef d():\n    return ''\n",
        views_py="def broken(:\n",
    )
    made = read(tmp_path)
    assert {"/a", "/c", "/d"} <= set(made.found.names())
    assert any(note.startswith("src/router.js:3: does not parse") for note in made.notes)
    assert any(note.startswith("views.py:1: does not parse") for note in made.notes)
