"""The state diagrams of ARCHITECTURE.md, generated from the machines' tables.

`python -m coordinator.machines.diagram --write FILE` replaces what stands between
`<!-- diagram:NAME -->` and `<!-- /diagram -->`; `--check FILE` fails if it is out of date.
Invariant: nothing outside of the markers changes.
"""

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from coordinator.machines import exploration, suite
from coordinator.machines.kernel import G, S


def mermaid(table: Mapping[tuple[S, G], S], start: S, final: frozenset[S]) -> str:
    """A table as a mermaid state diagram."""
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {start}"]
    lines += [f"    {before} --> {after}: {signal}" for (before, signal), after in table.items()]
    lines += [f"    {step} --> [*]" for step in sorted(final)]
    return "\n".join([*lines, "```"])


def diagrams() -> dict[str, str]:
    """Every diagram by the name of its marker."""
    return {
        "exploration": mermaid(exploration.TABLE, exploration.Step.INIT, exploration.FINAL),
        "suite": mermaid(suite.TABLE, suite.Step.PARSE, suite.FINAL),
    }


def drawn(text: str) -> str:
    """The text with every diagram up to date."""
    for name, diagram in diagrams().items():
        place = re.compile(rf"(<!-- diagram:{name} -->\n).*?(<!-- /diagram -->)", re.DOTALL)
        found = place.search(text)
        if found is None:
            raise SystemExit(f"there is no <!-- diagram:{name} --> … <!-- /diagram --> in the file")
        text = f"{text[: found.end(1)]}{diagram}\n{text[found.start(2) :]}"
    return text


def main() -> None:
    """Read the flags; write or check."""
    parser = argparse.ArgumentParser(prog="python -m coordinator.machines.diagram")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", type=Path, metavar="FILE")
    action.add_argument("--check", type=Path, metavar="FILE")
    flags = parser.parse_args()
    path: Path = flags.write or flags.check
    before = path.read_text(encoding="utf-8")
    after = drawn(before)
    if flags.write:
        path.write_text(after, encoding="utf-8")
    elif before != after:
        sys.exit(f"the diagrams in {path} are out of date; run: make diagram")


if __name__ == "__main__":
    main()
