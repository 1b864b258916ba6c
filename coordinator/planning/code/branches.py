"""From nested routes to paths: the rules that React, Vue and Angular have in common.

A route with children of which one stands at its own path shows that child: what the child is (a
page, a redirect) is what the path is. One that has children and nothing to show is no page.
"""

from collections.abc import Iterable

from coordinator.planning.code import paths
from coordinator.planning.code.model import DEEPEST, Branch, Ledger


def lay_out(
    branches: Iterable[Branch], ledger: Ledger, base: str = "", hashed: bool = False
) -> None:
    """Write the paths of a tree of routes into the ledger, each below the base of its router."""
    before = paths.join(base, "").rstrip("/") + ("/#" if hashed else "")
    _lay_out(branches, ledger, "", before, 0)


def _lay_out(
    branches: Iterable[Branch], ledger: Ledger, prefix: str, before: str, depth: int
) -> None:
    for branch in branches:
        if depth > DEEPEST:
            ledger.note(branch.file, branch.line, f"routes deeper than {DEEPEST} are left out")
            return
        path = _path(prefix, branch.path, bool(branch.children))
        if _stands(branch):
            reason = branch.reason or (paths.WILDCARD if paths.wildcard(path) else "")
            bare = path == "/" and before and not before.endswith("#")
            ledger.add(before if bare else before + path, branch.file, branch.line, reason)
        _lay_out(branch.children, ledger, path, before, depth + 1)


def _path(prefix: str, path: str | None, holds: bool) -> str:
    """A child's path below its parent's; an absolute one stands for itself.

    `files/*` opens at `files`. A bare `*` takes what nothing else took, unless it `holds` routes:
    then it only hands on the address.
    """
    if not path:
        return prefix or "/"
    path = paths.plain(path)
    if path.endswith("*") and path.rpartition("/")[2] not in {"*", "**"}:
        path = path if paths.is_parameter(path.rpartition("/")[2]) else path.rstrip("*")
    if path.endswith("/*") and (path != "/*" or holds):
        path = path.removesuffix("/*")
    if path == "*" and holds:
        return prefix or "/"
    return paths.join("" if path.startswith("/") else prefix, path)


def _stands(branch: Branch) -> bool:
    """Whether a route is one itself, and not only what wraps others."""
    if branch.reason and not branch.children:
        return True
    if _has_index(branch.children, 0):
        return False
    if branch.path is None and not branch.index:
        return False
    return branch.page or bool(branch.reason)


def _has_index(children: list[Branch], depth: int) -> bool:
    """Whether one of the children stands at its parent's own path, also inside of a wrapper."""
    return depth <= DEEPEST and any(
        child.index
        or child.path in {"", "/"}
        or (child.path is None and _has_index(child.children, depth + 1))
        for child in children
    )
