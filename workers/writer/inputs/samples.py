"""One value for a parameter, and one list of arguments.

Invariant: a sample is a Python expression; free in it are only `tmp_path`, modules of the standard
library and names of the project. Its origin says how far to trust it: what a person wrote comes
before what was made up.
"""

from enum import StrEnum

import msgspec

from workers.writer.analyse.python.facts import Parameter


class Origin(StrEnum):
    """Where a value is from, the most real first."""

    SPEC = "spec"
    EXAMPLE = "example"
    CALL_SITE = "call_site"
    GUARD = "guard"
    BOUNDARY = "boundary"
    TYPE = "type"
    DEFAULT = "default"
    USE = "use"
    NAME = "name"
    LADDER = "ladder"


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    origin: Origin
    why: str = ""
    line: int = 0


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """By parameter; what is left out takes its default."""

    values: tuple[tuple[str, Sample], ...] = ()
    why: str = ""

    def get(self, name: str) -> Sample | None:
        return next((sample for given, sample in self.values if given == name), None)

    def spelled(self, parameters: tuple[Parameter, ...]) -> str:
        """As it stands between the brackets of a call."""
        parts: list[str] = []
        by_name = False
        for parameter in parameters:
            sample = self.get(parameter.name)
            if sample is None:
                by_name = by_name or not parameter.kind.startswith("var_")
            elif parameter.kind == "var_positional":
                parts.append(f"*{sample.source}")
            elif parameter.kind == "var_keyword":
                parts.append(f"**{sample.source}")
            elif by_name or parameter.kind == "keyword_only":
                parts.append(f"{parameter.name}={sample.source}")
            else:
                parts.append(sample.source)
        return ", ".join(parts)


def unique(samples: list[Sample]) -> tuple[Sample, ...]:
    """The first of each source."""
    found: dict[str, Sample] = {}
    for sample in samples:
        found.setdefault(sample.source, sample)
    return tuple(found.values())
