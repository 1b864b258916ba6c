"""REQ, NFR and EPIC documents: what a specification asks for, criterion by criterion.

A criterion is a checkbox or a numbered line under `## Acceptance Criteria`; AC-N is its ordinal in
the section, whatever the author's own numbers say. An NFR has its targets in the table under
`## Metric & Target`; an epic has stories, each with criteria of its own. Invariant: a document
gives what it says or an error that names its line; nothing is dropped in silence. Leaves out what
is to be tested (`from_spec`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from coordinator.planning.suite import outline
from coordinator.planning.suite.outline import Document, Item, Line, Section

_NAME = re.compile(r"(REQ-\d{3,}|NFR-(?:P|S|SC|U)-\d{3,}|EPIC-\d{3,})(?![\d])", re.IGNORECASE)
_STORY = re.compile(r"(STORY-[\w.-]*\w)\s*[:—–-]*\s*(.*)", re.IGNORECASE)
_CRITERIA = r"acceptance criteria:?"
_LABEL = re.compile(r"\*{0,2}AC[- ]?\d+\*{0,2}\s*[:.)—–-]*\s*\*{0,2}\s*", re.IGNORECASE)


class Kind(StrEnum):
    REQ = "REQ"
    NFR = "NFR"
    EPIC = "EPIC"


class Moscow(StrEnum):
    MUST = "Must"
    SHOULD = "Should"
    COULD = "Could"
    WONT = "Won't"


_MOSCOW: Mapping[str, Moscow] = {
    "must": Moscow.MUST,
    "must have": Moscow.MUST,
    "should": Moscow.SHOULD,
    "should have": Moscow.SHOULD,
    "could": Moscow.COULD,
    "could have": Moscow.COULD,
    "won't": Moscow.WONT,
    "wont": Moscow.WONT,
    "won't have": Moscow.WONT,
}


@dataclass(frozen=True, slots=True)
class Criterion:
    """`detail`: what hangs below it, line by line. `story`: the story of an epic."""

    ac_id: str
    text: str
    line: int
    detail: tuple[str, ...] = ()
    story: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A document. `file` is where it stands, for evidence."""

    id: str
    kind: Kind
    title: str
    priority: Moscow
    file: str
    criteria: tuple[Criterion, ...]
    traces_to: tuple[str, ...] = ()
    status: str = ""
    context: str = ""
    """Its prose, where a target may be named."""

    @property
    def counts(self) -> bool:
        """Whether it is to be tested at all."""
        gone = {"deprecated", "rejected", "superseded", "withdrawn"}
        return self.priority is not Moscow.WONT and self.status.lower() not in gone


def is_requirement(file_name: str) -> bool:
    """Whether a file's name is that of a REQ, an NFR or an epic."""
    return file_name.endswith(".md") and _NAME.match(file_name) is not None


def parse(text: str, file: str) -> Requirement:
    """The requirement that `text` holds; `file` is its path, as errors name it."""
    document = outline.read(text, file)
    name = _id(document, file)
    kind = Kind(name.partition("-")[0])
    priority = _priority(document)
    criteria = {Kind.REQ: _criteria, Kind.NFR: _targets, Kind.EPIC: _stories}[kind](document)
    return Requirement(
        id=name,
        kind=kind,
        title=_title(document, name),
        priority=priority,
        file=file,
        criteria=criteria,
        traces_to=document.words("traces_to"),
        status=document.word("status"),
        context="\n".join(_prose(document)),
    )


def _id(document: Document, file: str) -> str:
    """The front matter's id; the file's name where that has none."""
    written = document.word("id")
    found = _NAME.fullmatch(written) if written else _NAME.match(file.rpartition("/")[2])
    if found is None:
        line = document.lines.get("id", 1)
        shown = repr(written) if written else "a document without an id"
        document.fail(line, f"{shown} is no REQ-NNN, NFR-X-NNN or EPIC-NNN", "give it such an id")
    return found[1].upper()


def _title(document: Document, name: str) -> str:
    title = document.word("title") or document.title
    return re.sub(rf"^{re.escape(name)}\s*[:—–-]*\s*", "", title, flags=re.IGNORECASE) or name


def _priority(document: Document) -> Moscow:
    written = document.word("priority")
    found = _MOSCOW.get(written.lower().replace("’", "'"))
    if found is None and written:
        document.fail(
            document.lines["priority"],
            f"the priority {written!r} is not known",
            f"write one of: {', '.join(Moscow)}",
        )
    return found or Moscow.SHOULD


def _criteria(document: Document) -> tuple[Criterion, ...]:
    section = document.titled(_CRITERIA)
    if section is None:
        document.fail(1, "there are no acceptance criteria", "add `## Acceptance Criteria`")
    return _listed(document, section)


def _listed(
    document: Document, section: Section, story: str = "", first: int = 1
) -> tuple[Criterion, ...]:
    found = outline.items(section.body)
    if not found:
        document.fail(section.line, "there is no criterion here", "begin each with `- [ ]` or `1.`")
    for item in found:
        if item.kind == "bullet":
            document.fail(
                item.line,
                "this acceptance criterion is neither a checkbox nor numbered",
                "begin it with `- [ ]` or `1.`, or indent what belongs to the one before",
            )
        if not _LABEL.sub("", item.text, count=1).strip():
            document.fail(item.line, "this criterion says nothing", "write what must hold")
    return tuple(_criterion(item, number, story) for number, item in enumerate(found, first))


def _criterion(item: Item, number: int, story: str) -> Criterion:
    text = _LABEL.sub("", item.text, count=1).strip() if _LABEL.match(item.text) else item.text
    return Criterion(
        ac_id=f"AC-{number}",
        text=text,
        line=item.line,
        detail=tuple(line.text.strip() for line in item.below),
        story=story,
    )


def _targets(document: Document) -> tuple[Criterion, ...]:
    """An NFR's metrics; each row is a criterion. Criteria that it lists besides come after."""
    section = document.titled(r"metrics? (?:&|and) targets?")
    rows = outline.table(section.body) if section else ()
    if section is not None and len(rows) < 2:
        document.fail(section.line, "there is no table of targets", "add | Metric | Target | rows")
    listed = document.titled(_CRITERIA)
    if section is None and listed is None:
        document.fail(1, "it names no target", "add a table under `## Metric & Target`")
    found = [_target(document, rows[0][1], row, n) for n, row in enumerate(rows[1:], 1)]
    if listed is not None:
        found += _listed(document, listed, first=len(found) + 1)
    return tuple(found)


def _target(
    document: Document, header: tuple[str, ...], row: tuple[Line, tuple[str, ...]], number: int
) -> Criterion:
    line, cells = row
    if len(cells) != len(header):
        document.fail(
            line.number, f"{len(cells)} cells where {len(header)} are needed", "correct that row"
        )
    named = [f"{name}: {cell}" for name, cell in zip(header[1:], cells[1:], strict=True) if cell]
    text = f"{cells[0]} ({'; '.join(named)})" if named else cells[0]
    return Criterion(ac_id=f"AC-{number}", text=text, line=line.number)


def _stories(document: Document) -> tuple[Criterion, ...]:
    """The criteria of an epic's stories; each story counts from 1."""
    found: list[Criterion] = []
    story, listed = "", True
    begun: Section | None = None
    for section in document.sections:
        if title := _STORY.match(section.title):
            _told(document, begun, listed=listed)
            story, listed, begun = title[1].upper(), False, section
            if any(item.kind != "bullet" for item in outline.items(section.body)):
                found += _listed(document, section, story)
                listed = True
        elif story and re.fullmatch(_CRITERIA, section.title.strip(), re.IGNORECASE):
            found += _listed(document, section, story)
            listed = True
    _told(document, begun, listed=listed)
    if begun is None:
        document.fail(1, "the epic has no story", "add `### STORY-…` with acceptance criteria")
    return tuple(found)


def _told(document: Document, story: Section | None, *, listed: bool) -> None:
    if story is not None and not listed:
        document.fail(
            story.line, "the story has no acceptance criteria", "list them below as `- [ ]` or `1.`"
        )


def _prose(document: Document) -> Iterable[str]:
    for section in document.sections:
        if not re.fullmatch(_CRITERIA, section.title.strip(), re.IGNORECASE):
            yield from (line.text for line in section.body)


def each_once(documents: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements in the order of their ids; the same id twice is an error."""
    known: dict[str, Requirement] = {}
    for each in documents:
        if each.id in known:
            Document(each.file).fail(
                1, f"{each.id} is also that of {known[each.id].file}", "give one another id"
            )
        known[each.id] = each
    return tuple(known[name] for name in sorted(known))
