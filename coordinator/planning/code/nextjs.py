"""Next: the file routes of `pages/` and `app/`, also below `src/`.

Names alone tell the routes. Groups `(x)` and slots `@x` do not show in the address; intercepted
routes show another route's page and have no address of their own. Leaves out `basePath` and
rewrites.
"""

from coordinator.planning.code import paths
from coordinator.planning.code.model import Project

_SUFFIXES = (".tsx", ".ts", ".jsx", ".js", ".mdx", ".md")
_ERRORS = frozenset(("404", "500", "_error"))
_FRAMES = frozenset(("_app", "_document", "_middleware", "middleware"))
_ROOTS = ("src/app/", "app/", "src/pages/", "pages/")


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    for name in project.names:
        inside = project.inside(name)
        root = next((root for root in _ROOTS if inside.startswith(root)), None)
        if (
            root is None
            or not name.endswith(_SUFFIXES)
            or ".test." in name
            or name.endswith(".d.ts")
        ):
            continue
        *folders, file = inside.removeprefix(root).split("/")
        stem = file.rpartition(".")[0]
        if root.endswith("app/"):
            _app_file(project, name, folders, stem)
        else:
            _page_file(project, name, [*folders, stem])


def _page_file(project: Project, name: str, parts: list[str]) -> None:
    last = parts[-1]
    if last in _FRAMES or last.endswith((".module", ".stories", ".spec")):
        return
    if last == "index":
        parts = parts[:-1]
    path = paths.join("", "/".join(map(_segment, parts)))
    reason = paths.API if parts[:1] == ["api"] else "Error page" if last in _ERRORS else ""
    project.ledger.add(path, name, reason=reason)


def _app_file(project: Project, name: str, folders: list[str], stem: str) -> None:
    if stem not in {"page", "route"} or any(_is_private(folder) for folder in folders):
        return
    shown = [_segment(folder) for folder in folders if not _is_group(folder)]
    reason = paths.API if stem == "route" else ""
    project.ledger.add(paths.join("", "/".join(shown)), name, reason=reason)


def _is_group(folder: str) -> bool:
    return folder.startswith("@") or (folder.startswith("(") and folder.endswith(")"))


def _is_private(folder: str) -> bool:
    """`_x`, and `(.)x`, which shows another route's page in place of it."""
    return folder.startswith("_") or (folder.startswith("(.") and not folder.endswith(")"))


def _segment(part: str) -> str:
    """`[id]` as `:id`, `[...rest]` as `:rest+`, `[[...rest]]` as `:rest*`."""
    if part.startswith("[[...") and part.endswith("]]"):
        return f":{paths.word(part[5:-2])}*"
    if part.startswith("[...") and part.endswith("]"):
        return f":{paths.word(part[4:-1])}+"
    if part.startswith("[") and part.endswith("]"):
        return f":{paths.word(part[1:-1])}"
    return part.replace("%5F", "_")
