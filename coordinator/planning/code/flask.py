"""Flask: routes of apps and blueprints.

A view is a page unless all that it returns is something else: `jsonify`, a dict or list, a
redirect, a file. A view out of sight is a page.
"""

import ast

from coordinator.planning.code import paths
from coordinator.planning.code.django import angled
from coordinator.planning.code.model import Project
from coordinator.planning.code.pyrouters import Kind, Owner, Routers, Rule, answers
from coordinator.planning.code.pysource import called

_JSON = frozenset(("jsonify", "dumps", "to_dict", "model_dump", "dict", "list"))
_FILES = frozenset(("send_file", "send_from_directory"))


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    Routers(project, _KIND).read()


def _judge(rule: Rule, owner: Owner) -> str:
    del owner
    kinds = {_kind(answer) for answer in answers(rule.view)}
    return kinds.pop() if len(kinds) == 1 else ""


def _kind(answer: ast.expr) -> str:
    if isinstance(answer, ast.Tuple) and answer.elts:
        answer = answer.elts[0]  # with a status
    name = called(answer)
    if isinstance(answer, ast.Dict | ast.List | ast.ListComp | ast.DictComp) or name in _JSON:
        return paths.API
    if name == "redirect":
        return paths.REDIRECT
    return "File, not a page" if name in _FILES else ""


_KIND = Kind(
    package="flask",
    apps=frozenset(("Flask", "Quart")),
    parts=frozenset(("Blueprint",)),
    prefix="url_prefix",
    path=angled,
    judge=_judge,
)
