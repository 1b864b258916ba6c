"""Nuxt: the file routes of `pages/`, also below `app/` and `src/`, in both notations.

`[id].vue` and the older `_id.vue` are parameters; a page that has a folder of its name wraps the
pages in it. Leaves out `definePageMeta`, layers and routes that modules add.
"""

from coordinator.planning.code import paths
from coordinator.planning.code.brackets import in_brackets
from coordinator.planning.code.model import Project

_ROOTS = ("app/pages/", "src/pages/", "pages/")
_SERVER = ("server/api/", "server/routes/")
_METHODS = frozenset(("get", "post", "put", "patch", "delete", "head", "options"))


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    for name in project.names:
        inside = project.inside(name)
        root = next((root for root in _ROOTS if inside.startswith(root)), None)
        if root is not None and name.endswith((".vue", ".tsx", ".jsx")):
            _page(project, name, inside.removeprefix(root).rpartition(".")[0].split("/"))
        elif inside.startswith(_SERVER) and name.endswith((".ts", ".js", ".mjs")):
            _handler(project, name, inside.removeprefix("server/").removeprefix("routes/"))


def _page(project: Project, name: str, parts: list[str]) -> None:
    shown = [_segment(part) for part in parts if not (part.startswith("(") and part.endswith(")"))]
    if shown and shown[-1] == "index":
        shown.pop()
    if len(shown) == 1 and shown[0].endswith("*"):
        shown = ["*"]
    reason = paths.WILDCARD if shown == ["*"] else ""
    project.ledger.add(paths.join("", "/".join(shown)), name, reason=reason)


def _handler(project: Project, name: str, path: str) -> None:
    """What a file of the server answers: `users.get.ts` one method, `users.ts` all."""
    stem = path.rpartition(".")[0]
    before, _, method = stem.rpartition(".")
    stem = before if before and method in _METHODS else stem
    segments = [in_brackets(part) for part in stem.split("/") if part != "index"]
    project.ledger.add(paths.join("", "/".join(segments)), name, reason=paths.API)


def _segment(part: str) -> str:
    if part == "_":
        return "*"
    if part.startswith("_"):
        return f":{paths.word(part[1:])}"
    return in_brackets(part).replace("+", "*")  # a rest may be empty
