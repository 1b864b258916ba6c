"""A scenario as a writer gets it: the input columns of the master and `prev_context`.

Invariant, kept by the type: a job cannot carry a lifecycle column. What became of a scenario comes
back only in the result, which has the fields of `Answer`. Leaves out the files that hold scenarios
and how the lifecycle goes on; both are the coordinator's.
"""

import msgspec

from contract.identity import ScenarioId
from contract.vocabulary import (
    Category,
    Classification,
    Layer,
    Priority,
    RedResult,
    ResultStatus,
)

MAX_FINDINGS = 500


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a message about a scenario."""


class Scenario(Part, frozen=True, kw_only=True):
    """One thing to be tested, its fields in the order of the file's columns.

    `test_cases` and `fixtures` are lists. `req_ref` names what the scenario is derived from, such
    as `REQ-001:AC-2`. `prev_context` holds the findings of the layers before.
    """

    id: ScenarioId
    name: str
    layer: Layer
    priority: Priority
    category: Category
    target_file: str = ""
    test_file: str = ""
    description: str = ""
    test_cases: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    req_ref: str = ""
    infrastructure_hints: str = ""
    prev_context: str = ""


class Answer(Part, frozen=True, kw_only=True):
    """What a writer or a diagnostician says. `id` is `AT-NNN` for the one, `DX-NNN` for the other.

    `fix_code` is `old → new` or a whole replacement, only for a `test_defect`. `findings` are cut
    at `MAX_FINDINGS` by whoever merges them, since an agent cannot count.
    """

    id: str
    result_status: ResultStatus
    findings: str
    red_result: RedResult | None = None
    classification: Classification | None = None
    fix_code: str = ""
    evidence: str = ""
    files_modified: tuple[str, ...] = ()
    error: str = ""
