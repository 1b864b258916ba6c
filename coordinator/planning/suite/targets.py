"""Which file of the project a text is about, and where its test goes.

A file, a function or an endpoint that is named in the text decides; the criterion is asked before
its document. Invariant: a target is a file of the project, or empty, never a guess. Leaves out
reading the project: what there is comes in as values.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from contract.identity import ScenarioId

_PATH = re.compile(r"(?<![\w/])(?:[\w.-]+/)*[\w.-]+\.(?:py|[cm]?[jt]sx?|vue|svelte)(?!\w)")
_CALL = re.compile(r"([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*\(")
_SPAN = re.compile(r"`([A-Za-z_$][\w$.]*)`")
_ENDPOINT = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+[`\"']?(/[^\s`\"',;)]*)")
_WORD = re.compile(r"[a-z0-9]+")
_LONGEST = 48


@dataclass(frozen=True, slots=True)
class Project:
    """What is known of the project's source: its files, and where names and endpoints are.

    `symbols` maps `name` and `Class.method` to a file, `endpoints` `GET /users` to one.
    """

    files: frozenset[str] = frozenset()
    symbols: Mapping[str, str] = field(default_factory=dict)
    endpoints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Naming:
    """How the project names its tests: `{}` stands for the scenario's own name."""

    pattern: str = "tests/test_{}.py"
    joint: str = "_"


def target_of(texts: Iterable[str], project: Project) -> str:
    """The file that the first telling text is about; empty if none tells."""
    for text in texts:
        if found := _named(text, project):
            return found
    return ""


def _named(text: str, project: Project) -> str:
    for path in _PATH.findall(text):
        ending = [file for file in project.files if file == path or file.endswith(f"/{path}")]
        if len(ending) == 1:
            return ending[0]
    for method, path in _ENDPOINT.findall(text):
        if file := project.endpoints.get(f"{method} {path.partition('?')[0]}"):
            return file
    for name in (*_CALL.findall(text), *_SPAN.findall(text)):
        if file := project.symbols.get(name) or project.symbols.get(name.rpartition(".")[2]):
            return file
    return ""


def path_of_test(scenario: ScenarioId, name: str, naming: Naming) -> str:
    """The file that a scenario's test is written to; the id makes its name the only one."""
    words = [*_WORD.findall(scenario.lower()), *_WORD.findall(name.lower())]
    kept = words[:2]
    for word in words[2:]:
        if len(naming.joint.join([*kept, word])) > _LONGEST:
            break
        kept.append(word)
    return naming.pattern.replace("{}", naming.joint.join(kept))
