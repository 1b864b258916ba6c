"""Which frameworks a repository uses, and from which folder each counts its paths.

Told by what the manifests (package.json, requirements, pyproject.toml …) depend on and by files
that only one framework has. Where neither says anything, by what the files that are named like
route files import. A manifest that cannot be read is a note.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator

import msgspec

from coordinator.planning.code import angular, pyrouters, react, vue
from coordinator.planning.code.model import Ledger, Sources, Unreadable

SCRIPT = {
    "react-router": "React Router",
    "react-router-dom": "React Router",
    "@react-router/dev": "React Router",
    "vue-router": "Vue Router",
    "@angular/router": "Angular",
    "next": "Next",
    "nuxt": "Nuxt",
    "nuxt3": "Nuxt",
    "@sveltejs/kit": "SvelteKit",
}
PYTHON = {
    "django": "Django",
    "flask": "Flask",
    "quart": "Flask",
    "fastapi": "FastAPI",
    "starlette": "Starlette",
}
_MARKS = {
    "next.config": "Next",
    "nuxt.config": "Nuxt",
    "svelte.config": "SvelteKit",
}
_MARK_SUFFIXES = frozenset((".js", ".mjs", ".cjs", ".ts"))
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,80})")


def _is_urls(path: str) -> bool:
    return path.rpartition("/")[2] == "urls.py"


_IMPORTS = (
    ("react-router", "React Router", react.is_candidate),
    ("vue-router", "Vue Router", vue.is_candidate),
    ("@angular/router", "Angular", angular.is_candidate),
    ("from django.urls import", "Django", _is_urls),
    ("from flask import", "Flask", pyrouters.is_candidate),
    ("from fastapi import", "FastAPI", pyrouters.is_candidate),
    ("from starlette.applications import", "Starlette", pyrouters.is_candidate),
)


class Part(msgspec.Struct, frozen=True, order=True):
    """A framework and the folder that its paths are counted from; the repository's own is empty."""

    root: str
    framework: str

    @property
    def python(self) -> bool:
        return self.framework in PYTHON.values()


def parts_of(sources: Sources, ledger: Ledger) -> tuple[Part, ...]:
    """The parts of a repository, outermost first."""
    found: set[Part] = set()
    for name in sources.names:
        folder, _, file = name.rpartition("/")
        frameworks = set(_marked(file)) | set(_depended(sources, ledger, name, file))
        if "Nuxt" in frameworks:
            frameworks.discard("Vue Router")
        found |= {Part(folder, framework) for framework in frameworks}
    return tuple(sorted(found or _imported(sources)))


def names_of(part: Part, parts: Iterable[Part], names: Iterable[str]) -> Iterator[str]:
    """The files of a part: those below its folder and not below one of its kind inside of it."""
    inner = [
        f"{other.root}/"
        for other in parts
        if other.python == part.python
        and other.root != part.root
        and other.root.startswith(f"{part.root}/" if part.root else "")
    ]
    within = f"{part.root}/" if part.root else ""
    return (n for n in names if n.startswith(within) and not n.startswith(tuple(inner)))


def _marked(file: str) -> Iterator[str]:
    stem, dot, suffix = file.rpartition(".")
    if stem in _MARKS and dot + suffix in _MARK_SUFFIXES:
        yield _MARKS[stem]


def _depended(sources: Sources, ledger: Ledger, name: str, file: str) -> Iterator[str]:
    read = _READERS.get(file) or (_requirements if _is_requirements(file) else None)
    if read is None:
        return
    try:
        told = {dependency.lower() for dependency in read(sources.text(name))}
    except Unreadable as why:
        ledger.note(name, 0, f"left out: {why}")
        return
    except (ValueError, RecursionError) as error:
        ledger.note(name, 0, f"cannot be read: {str(error)[:120]}")
        return
    known = SCRIPT if file == "package.json" else PYTHON
    yield from (known[dependency] for dependency in sorted(told & known.keys()))


def _is_requirements(file: str) -> bool:
    return file.startswith("requirements") and file.endswith((".txt", ".in"))


def _package(text: str) -> Iterator[str]:
    manifest = json.loads(text)
    for group in ("dependencies", "devDependencies", "peerDependencies"):
        held = manifest.get(group) if isinstance(manifest, dict) else None
        yield from held if isinstance(held, dict) else ()


def _requirements(text: str) -> Iterator[str]:
    found = (_REQUIREMENT.match(line) for line in text.splitlines())
    return (match.group(1) for match in found if match)


def _toml(text: str) -> Iterator[str]:
    """Every name in a TOML manifest: keys of its tables and texts of its lists."""
    waiting: list[object] = [tomllib.loads(text)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield from (str(key) for key in node)
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, str):
            yield from _requirements(node)


def _setup(text: str) -> Iterator[str]:
    return _requirements("\n".join(text.replace('"', "\n").replace("'", "\n").splitlines()))


def _manage(text: str) -> Iterator[str]:
    """Other things are called manage.py too."""
    return iter(("django",) * ("DJANGO_SETTINGS_MODULE" in text))


_READERS = {
    "package.json": _package,
    "pyproject.toml": _toml,
    "Pipfile": _toml,
    "setup.cfg": _setup,
    "setup.py": _setup,
    "manage.py": _manage,
}


def _imported(sources: Sources) -> set[Part]:
    """Without a manifest: what the files named like route files import."""
    found: set[Part] = set()
    for name in sources.names:
        wanted = [
            (word, framework) for word, framework, is_candidate in _IMPORTS if is_candidate(name)
        ]
        if not wanted:
            continue
        try:
            text = sources.text(name)
        except Unreadable:
            continue  # the reading itself notes it, if there is one
        found |= {Part("", framework) for word, framework in wanted if word in text}
    for name in sources.names:
        found |= set(_near(sources, name))
    if any(n.startswith("src/routes/") and n.endswith("+page.svelte") for n in sources.names):
        found.add(Part("", "SvelteKit"))
    return found


def _near(sources: Sources, name: str) -> Iterator[Part]:
    """What a Python module near the top imports, whatever its name."""
    if not name.endswith(".py") or name.count("/") > 1:
        return
    try:
        text = sources.text(name)
    except Unreadable:
        return
    for word, framework, _ in _IMPORTS:
        if framework in PYTHON.values() and word in text:
            yield Part("", framework)
