"""Starlette: `Route`, `Mount` and the methods that add them.

A route is a page unless all that its endpoint returns is JSON, a redirect or a file. An endpoint
out of sight is a page.
"""

import ast

from coordinator.planning.code import paths
from coordinator.planning.code.model import Project
from coordinator.planning.code.pyrouters import Kind, Owner, Routers, Rule, answers
from coordinator.planning.code.pysource import called

_KINDS = {
    "JSONResponse": paths.API,
    "RedirectResponse": paths.REDIRECT,
    "FileResponse": "File, not a page",
    "StreamingResponse": "File, not a page",
    "PlainTextResponse": "File, not a page",
}


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    Routers(project, _KIND).read()


def braced(path: str) -> str:
    """`/users/{id:int}` as `/users/:id`; `{rest:path}` takes the rest."""
    told = ""
    rest = path
    while "{" in rest:
        before, _, rest = rest.partition("{")
        inner, closing, rest = rest.partition("}")
        if not closing:
            return told + before + "{" + inner
        name, _, converter = inner.partition(":")
        told += f"{before}:{paths.word(name)}{'+' if converter == 'path' else ''}"
    return told + rest


def _judge(rule: Rule, owner: Owner) -> str:
    del owner
    kinds = {_kind(answer) for answer in answers(rule.view)}
    return kinds.pop() if len(kinds) == 1 else ""


def _kind(answer: ast.expr) -> str:
    return _KINDS.get(called(answer), "")


_KIND = Kind(
    package="starlette",
    apps=frozenset(("Starlette",)),
    parts=frozenset(("Router",)),
    prefix="prefix",
    path=braced,
    judge=_judge,
)
