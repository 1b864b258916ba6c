"""Examples that people wrote: doctests, and code in fences of Markdown with its results beside it.

`f(2)  # => 4`, `# -> 4`, `# returns 4`, `# raises ValueError`, `// 4`, prompts, `assert f(2) == 4`.
Invariant: both the call and its result are literals. What needs names that were set before, what
is printed as a text, and fences about what was are left out.
"""

import re
from collections.abc import Iterable, Iterator

from workers.writer.analyse.python.docs import examples
from workers.writer.analyse.python.facts import Example, Module
from workers.writer.criteria.calls import call_at
from workers.writer.criteria.claims import CallRaises, CallReturns, Claim, Value, ValueKind
from workers.writer.criteria.dispatch import read_sentence
from workers.writer.criteria.literals import whole_value
from workers.writer.oracles.ladder import Expectation, Rank

_FENCE = re.compile(r"\s*(```+|~~~+)\s*([\w+-]*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)")
_CODE = frozenset({"", "python", "py", "pycon", "python3", "js", "javascript", "ts", "typescript"})
_PAST = re.compile(
    r"\b(?:before|old|was|deprecated|removed|legacy|migrat\w+|previously|wrong|bad|don'?t|known)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"^(?P<code>.*?\S)\s*(?:#|//)\s*(?P<mark>=>|->|→|⇒|==|returns?:?|gives|yields|=)?\s*(?P<rest>.+)$"
)
_RAISES = re.compile(
    r"(?:raises|throws)\s+(?:an?\s+)?(?P<error>[\w.]+(?:Error|Exception))(?:\s*:\s*(.*))?$"
)
_RAISED = re.compile(r"^(?P<error>[\w.]+)(?::\s*(?P<message>.*))?$", re.DOTALL)
_DEFINES = re.compile(r"^\s*(?:async )?def ", re.MULTILINE)
_ASSIGNS = re.compile(
    r"(?:^\s*(?:>>>\s*)?|\bas\s+|\bfor\s+|\b(?:const|let|var)\s+)(\w+)\s*(?:=(?!=)|:|\bin\b)"
)
_PRINT = re.compile(r"^(?:print|console\.log)\((?P<inside>.+)\);?$")


def from_docstrings(module: Module) -> tuple[Expectation, ...]:
    """The doctests of a module, its classes and its functions."""
    found = [*module.examples]
    found += [example for cls in module.classes for example in cls.examples]
    found += [example for function in module.callables() for example in function.examples]
    return tuple(_made(found, module.path, _assigned(one.source for one in found)))


def from_markdown(text: str, path: str) -> tuple[Expectation, ...]:
    """The examples in the fences of a README, a changelog or a guide."""
    found: list[Expectation] = []
    bound: set[str] = set()
    for first, language, body, heading in _fences(text):
        if language not in _CODE or _PAST.search(heading) or _DEFINES.search(body):
            continue
        bound |= _assigned(body.splitlines())
        found += _made(examples(body, first), path, bound)
        for number, line in enumerate(body.splitlines(), first):
            if not line.lstrip().startswith((">>>", "...", "#", "//")):
                claims = _line(line.strip(), number)
                found += [_expectation(one, path) for one in claims if not _hangs_on(one, bound)]
    return tuple(found)


def _fences(text: str) -> Iterator[tuple[int, str, str, str]]:
    """First line, language, text and heading of each fence."""
    heading, mark, language = "", "", ""
    first, body = 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if mark and fence is not None and fence[1].startswith(mark):
            yield first, language.lower(), "\n".join(body), heading
            mark = ""
        elif mark:
            body.append(line)
        elif fence is not None:
            mark, language, first, body = fence[1], fence[2], number + 1, []
        elif (found := _HEADING.match(line)) is not None:
            heading = found[1]


def _assigned(lines: Iterable[str]) -> set[str]:
    """Names that examples set, so that what hangs on them is known only to who runs them all."""
    return {found[1] for line in lines for found in _ASSIGNS.finditer(line)}


def _hangs_on(claim: Claim, bound: set[str]) -> bool:
    source = claim.call.source if isinstance(claim, CallReturns | CallRaises) else ""
    return re.split(r"\W", source, maxsplit=1)[0] in bound


def _made(found: Iterable[Example], path: str, bound: set[str]) -> Iterator[Expectation]:
    for example in found:
        claim = _of_prompt(example)
        if claim is not None and not _hangs_on(claim, bound):
            yield _expectation(claim, path)


def _expectation(claim: Claim, path: str) -> Expectation:
    target = claim.call.target if isinstance(claim, CallReturns | CallRaises) else ""
    return Expectation(
        rank=Rank.EXAMPLE, target=target, what=claim, path=path, line=claim.line, sure=claim.sure
    )


def _of_prompt(example: Example) -> Claim | None:
    if example.error:
        raised = _RAISED.match(example.error)
        return _raises(example.source, raised, example.line) if raised is not None else None
    value = whole_value(example.want)
    return _returns(example.source, value, example.line, 1.0) if value is not None else None


def _returns(code: str, value: Value, line: int, sure: float) -> Claim | None:
    """A call with its value. What is printed shows no difference between a text and a number."""
    printed = _PRINT.match(code)
    if printed is not None:
        if value.kind not in {ValueKind.INT, ValueKind.FLOAT, ValueKind.BOOL}:
            return None
        code, sure = printed["inside"], min(sure, 0.8)
    head = call_at(code)
    if head is None or head[0].free or code[head[1] :].strip(" ;"):
        return None
    return CallReturns(call=head[0], expected=value, line=line, text=code, sure=sure)


def _raises(code: str, raised: re.Match[str], line: int) -> Claim | None:
    head = call_at(code)
    if head is None or head[0].free or code[head[1] :].strip(" ;"):
        return None
    message = (raised.groupdict().get("message") or "").strip()
    return CallRaises(call=head[0], error=raised["error"], message=message, line=line, text=code)


def _line(text: str, line: int) -> list[Claim]:
    """What a line of code says of its own result."""
    if text.startswith("assert "):
        claims, _ = read_sentence(text.partition("  #")[0], line, text)
        return [claim for claim in claims if isinstance(claim, CallReturns)]
    found = _RESULT.match(text)
    if found is None:
        return []
    rest = found["rest"].strip()
    raised = _RAISES.match(rest)
    if raised is not None and not found["mark"]:
        claim = _raises(found["code"], raised, line)
    else:
        value = whole_value(rest.rstrip(".;"))
        sure = 1.0 if found["mark"] else 0.8
        claim = _returns(found["code"], value, line, sure) if value is not None else None
    return [claim] if claim is not None else []
