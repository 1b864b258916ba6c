"""Claims spelled on one line, so that a corpus of them can be read."""

from workers.writer.criteria.calls import shown
from workers.writer.criteria.claims import (
    Bound,
    CallRaises,
    CallReturns,
    Case,
    Cases,
    Claim,
    GivenWhenThen,
    HttpExchange,
    Invariant,
    Op,
    Outcome,
    Predicate,
    UiStep,
    Value,
)


def spell(claim: Claim) -> str:
    """What a claim says."""
    if isinstance(claim, CallReturns):
        return f"{claim.call.source} -> {claim.expected.source}"
    if isinstance(claim, CallRaises):
        sign = "~" if claim.is_pattern else ""
        said = f" {sign}{claim.message!r}" if claim.message else ""
        return f"{claim.call.source} raises {claim.error}".strip() + said
    if isinstance(claim, Predicate | Invariant):
        return _general(claim)
    return _of_many(claim)


def _general(claim: Predicate | Invariant) -> str:
    if isinstance(claim, Predicate):
        said = f"{claim.call.source} {claim.op} {_sources(claim.operands)}".strip()
        bounds = _bounds(claim.domain) or ", ".join(claim.call.free)
        return f"{said} for {bounds}" if claim.call.free else said
    bounds = _bounds(claim.domain) or ", ".join(claim.free)
    return f"{claim.left} {claim.op} {claim.right} for all {bounds}"


def _of_many(claim: Cases | GivenWhenThen | HttpExchange | UiStep) -> str:
    if isinstance(claim, Cases):
        rows = " | ".join(_row(row) for row in claim.rows)
        return f"{claim.target}({', '.join(claim.parameters)}): {rows}"
    if isinstance(claim, GivenWhenThen):
        return _given(claim)
    if isinstance(claim, HttpExchange):
        return _exchange(claim)
    role = f" {claim.role}" if claim.role else ""
    return f"{claim.act}{role} {claim.name!r}" + (f" {claim.value!r}" if claim.value else "")


def _sources(values: tuple[Value, ...]) -> str:
    return ", ".join(value.source for value in values)


def _bounds(domain: tuple[Bound, ...]) -> str:
    return ", ".join(f"{bound.name} {bound.op} {bound.value}".strip() for bound in domain)


def _row(row: Case) -> str:
    came = row.expected.source if row.expected is not None else row.error
    return f"{shown(row.arguments)} -> {came}"


def _given(claim: GivenWhenThen) -> str:
    given = [f"given {clause.text} [{_sources(clause.values)}]" for clause in claim.given]
    then = [f"then {_outcome(outcome)}" for outcome in claim.then]
    return " ".join([*given, f"when {claim.when.text}", *then])


def _outcome(outcome: Outcome) -> str:
    word = "raises" if outcome.op is Op.RAISES else outcome.op.value
    return f"{outcome.subject} {word} {_sources(outcome.operands)}".rstrip()


def _exchange(claim: HttpExchange) -> str:
    parts = [claim.method, claim.path]
    parts += [claim.body.source] if claim.body is not None else []
    parts += ["without", claim.without] if claim.without else []
    parts += ["->", str(claim.status)]
    parts += ["contains", claim.contains.source] if claim.contains is not None else []
    return " ".join(parts)
