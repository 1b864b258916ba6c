"""FastAPI: routes of apps and routers.

It answers with JSON unless told otherwise, so a route is a page only if it says so: an HTML
`response_class` of its own, of its router or of its app, an HTML return annotation, or a template
or HTML response that it returns.
"""

import ast

from coordinator.planning.code import paths
from coordinator.planning.code.model import Project
from coordinator.planning.code.pyrouters import Function, Kind, Owner, Routers, Rule, answers
from coordinator.planning.code.pysource import called, keyword, last_name
from coordinator.planning.code.starlette import braced


def read(project: Project) -> None:
    """Write the routes of a project into its ledger."""
    Routers(project, _KIND).read()


def _judge(rule: Rule, owner: Owner) -> str:
    told = [
        keyword(rule.call, "response_class"),
        keyword(owner.made, "default_response_class"),
        rule.view.returns if isinstance(rule.view, Function) else None,
    ]
    returned = [_kind(answer) for answer in answers(rule.view)]
    if returned and all(kind == paths.REDIRECT for kind in returned):
        return paths.REDIRECT
    says_html = any(node is not None and _is_html(last_name(node)) for node in told)
    return "" if says_html or "html" in returned else paths.API


def _kind(answer: ast.expr) -> str:
    name = called(answer)
    if name == "RedirectResponse":
        return paths.REDIRECT
    return "html" if _is_html(name) else ""


def _is_html(name: str) -> bool:
    return "HTML" in name or "Template" in name or name.startswith("render")


_KIND = Kind(
    package="fastapi",
    apps=frozenset(("FastAPI",)),
    parts=frozenset(("APIRouter",)),
    prefix="prefix",
    path=braced,
    judge=_judge,
)
