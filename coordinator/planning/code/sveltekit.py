"""SvelteKit: the file routes of `src/routes`.

A folder is a page if it holds `+page.svelte`; one with `+server` alone answers programs, one with a
`+page` script alone redirects or takes a form. Leaves out another folder set in `svelte.config.js`.
"""

from collections import defaultdict

from coordinator.planning.code import paths
from coordinator.planning.code.brackets import in_brackets
from coordinator.planning.code.model import Project

_ROOT = "src/routes/"


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    held: dict[str, dict[str, str]] = defaultdict(dict)
    for name in project.names:
        inside = project.inside(name)
        if inside.startswith(_ROOT):
            folder, _, file = inside.removeprefix(_ROOT).rpartition("/")
            if file.startswith("+") and (kind := _kind(file)):
                held[folder].setdefault(kind, name)
    for folder, kinds in held.items():
        kind = next(kind for kind in ("page", "script", "server") if kind in kinds)
        project.ledger.add(_path(folder), kinds[kind], reason=_REASONS[kind])


_REASONS = {"page": "", "script": "Redirect or form action only", "server": paths.API}


def _kind(file: str) -> str:
    if file.startswith("+page") and file.endswith(".svelte"):
        return "page"
    if file.startswith("+server."):
        return "server"
    return "script" if file.startswith(("+page.server.", "+page.ts", "+page.js")) else ""


def _path(folder: str) -> str:
    """Groups `(x)` do not show in the address; a rest parameter may be empty."""
    shown = [
        in_brackets(part).replace("+", "*")
        for part in folder.split("/")
        if not (part.startswith("(") and part.endswith(")"))
    ]
    return paths.join("", "/".join(shown))
