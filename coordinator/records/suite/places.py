"""Where the files of a suite run stand.

`base` is the project's root, or the folder of its phase. Invariant: a run writes here, into
`.workflow`, and new test files; nothing else. Leaves out reading and writing.
"""

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from contract.vocabulary import Layer

WORKFLOW = ".workflow"
REGISTRY = "state.json"
_WORDS = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Places:
    """The files of the run in `base`."""

    base: Path

    @property
    def folder(self) -> Path:
        return self.base / ".tests" / "auto-test"

    @property
    def session(self) -> Path:
        return self.folder / ".csv-session"

    @property
    def history(self) -> Path:
        return self.folder / ".history"

    @property
    def state(self) -> Path:
        return self.folder / "state.json"

    @property
    def plan(self) -> Path:
        return self.folder / "test-plan.json"

    @property
    def reflection_log(self) -> Path:
        return self.folder / "reflection-log.md"

    @property
    def report(self) -> Path:
        return self.folder / "report.json"

    @property
    def traceability(self) -> Path:
        return self.folder / "traceability.md"

    @property
    def junit(self) -> Path:
        return self.folder / "junit.xml"

    @property
    def scenarios(self) -> Path:
        return self.session / "scenarios.csv"

    @property
    def results(self) -> Path:
        return self.session / "results.csv"

    @property
    def board(self) -> Path:
        return self.session / "discoveries.ndjson"

    def iteration(self, number: int) -> Path:
        return self.folder / f"results-iter-{number}.json"

    def wave(self, layer: Layer) -> Path:
        return self.session / f"layer-{layer}-write.csv"

    def wave_results(self, layer: Layer) -> Path:
        return self.session / f"layer-{layer}-write-results.csv"

    def diagnosis(self, iteration: int) -> Path:
        return self.session / f"diagnosis-iter-{iteration}.csv"

    def diagnosis_results(self, iteration: int) -> Path:
        return self.session / f"diagnosis-iter-{iteration}-results.csv"


def scratch(day: date, phase: int | None, title: str) -> str:
    """The folder of the published copies, below `.workflow`."""
    where = "adhoc" if phase is None else f"P{phase}"
    slug = "-".join(_WORDS.findall(title.lower()))[:60].strip("-") or "run"
    return f"scratch/{day:%Y%m%d}-auto-test-{where}-{slug}"


def session_id(moment: date) -> str:
    """The name of a run that begins at `moment`."""
    return f"auto-test-{moment:%Y%m%d-%H%M%S}"
