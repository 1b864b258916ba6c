"""issues.jsonl: one issue for each code defect that the tests found.

The file belongs to others as well: what stands in it stays byte for byte, lines that are no JSON
included, and ours are added at the end. A defect is the same if an issue that is not resolved has
its title and its place; then it is not filed again. Invariant: a number is used once, over the
file and its history.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path

from contract import wire
from contract.vocabulary import Layer, Priority
from coordinator.records.atomic import write_atomic
from coordinator.records.suite.json_file import Object, Part, read_bytes

FILE_NAME = "issues.jsonl"
HISTORY = "issue-history.jsonl"
_ID = re.compile(rb'"id"\s*:\s*"ISS-(\d{8})-(\d+)"')
_RANK = {Priority.CRITICAL: 1, Priority.HIGH: 2, Priority.MEDIUM: 3}


class Defect(Part, frozen=True, kw_only=True):
    """What a red test with the classification `code_defect` says."""

    req_ref: str
    description: str
    layer: Layer
    severity: Priority
    expected: str
    actual: str
    file: str
    line: int | None = None
    direction: str = ""
    suggested_fix: str = ""
    notes: str = ""
    phase: int | None = None
    gap: str | None = None
    components: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        about = self.req_ref or self.file or "without a requirement"
        return f"Auto-Test: {about} - {' '.join(self.description.split())[:200]}"

    @property
    def location(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same defect: lines move, files rarely."""
        return (self.title, self.file)


def file_defects(folder: Path, defects: Iterable[Defect], now: datetime) -> tuple[str, ...]:
    """File what is new; the ids of the issues, those that were there already included."""
    path = folder / FILE_NAME
    before = read_bytes(path) or b""
    known = dict(_open_defects(before))
    number = next_number((before, read_bytes(folder / HISTORY) or b""), now.date())
    ids: list[str] = []
    lines: list[bytes] = []
    for defect in defects:
        if defect.key not in known:
            known[defect.key] = f"ISS-{now:%Y%m%d}-{number:03d}"
            lines.append(wire.dumps(issue(known[defect.key], defect, now)) + b"\n")
            number += 1
        ids.append(known[defect.key])
    if lines:
        seam = b"" if before.endswith(b"\n") or not before else b"\n"
        write_atomic(path, before + seam + b"".join(lines))
    return tuple(dict.fromkeys(ids))


def next_number(files: Iterable[bytes], day: date) -> int:
    """The first free number of a day."""
    wanted = f"{day:%Y%m%d}".encode()
    numbers = [int(n) for data in files for found, n in _ID.findall(data) if found == wanted]
    return max(numbers, default=0) + 1


def _open_defects(data: bytes) -> Iterator[tuple[tuple[str, str], str]]:
    for line in data.split(b"\n"):
        try:
            record = wire.loads(line, Object)
        except wire.WireError:
            continue
        if record.get("resolved_at") or not isinstance(record.get("context"), dict):
            continue
        location = str(record["context"].get("location") or "")
        file = re.sub(r":\d+$", "", location)
        yield (str(record.get("title")), file), str(record.get("id"))


def issue(number: str, defect: Defect, now: datetime) -> Object:
    """The record, keys in the order of the format."""
    return {
        "id": number,
        "title": defect.title,
        "status": "registered",
        "priority": _RANK[defect.severity],
        "severity": defect.severity,
        "source": "auto-test",
        "phase_ref": defect.phase,
        "gap_ref": defect.gap,
        "description": f"Expected: {defect.expected} Actual: {defect.actual}",
        "fix_direction": defect.direction,
        "context": {
            "location": defect.location,
            "suggested_fix": defect.suggested_fix,
            "notes": defect.notes,
        },
        "tags": ["auto-test", defect.layer],
        "affected_components": list(defect.components),
        "feedback": [],
        "issue_history": [],
        "created_at": now,
        "updated_at": now,
        "resolved_at": None,
        "resolution": None,
    }
