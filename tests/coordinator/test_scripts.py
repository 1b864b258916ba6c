"""The script of each bug: stand-alone Python that no page can write in."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contract.vocabulary import BugKind, Policy
from coordinator.reporting.distinct import DistinctBug, FoundBug, distinct
from coordinator.reporting.scripts import CHECKS, file_names, script
from tests.support.reported import HOSTILE, bug, hostile_report


def one(**changes: Any) -> DistinctBug:
    return distinct([FoundBug("/a", "a", bug(**changes))])[0]


def written(found: DistinctBug, policy: str = "read-only") -> str:
    return script(found, "x.py", "http://shop.test", policy)


def values(text: str) -> dict[str, object]:
    """The bug as the script will read it: the value of `DATA`, which is a literal."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "DATA":
            found: dict[str, object] = json.loads(ast.literal_eval(statement.value))
            return found
    raise AssertionError("no DATA")


def test_each_kind_has_a_check_and_its_script_is_clean(tmp_path: Path) -> None:
    assert set(CHECKS) == set(BugKind)
    for kind in BugKind:
        (tmp_path / f"{kind.value}.py").write_text(written(one(kind=kind)))
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E4,E7,E9,F,B"]
    done = subprocess.run([*ruff, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_script_needs_nothing_but_playwright() -> None:
    imports = {
        (node.module or "").partition(".")[0] if isinstance(node, ast.ImportFrom) else name.name
        for node in ast.walk(ast.parse(written(one())))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imports - set(sys.stdlib_module_names) == {"playwright"}


@pytest.mark.parametrize("words", HOSTILE)
def test_nothing_of_a_page_is_code_or_comment(words: str) -> None:
    hostile = hostile_report(words, words)
    found = distinct([FoundBug(words, "a", hostile.bugs[0])])[0]
    text, plain = written(found), written(one())
    assert text.isascii() is plain.isascii()
    shape = [ast.dump(node) for node in ast.parse(text).body if not _is_data(node)]
    assert shape == [ast.dump(node) for node in ast.parse(plain).body if not _is_data(node)]
    data = values(text)
    step = {"action": "press", "label": words, "locator": words, "value": words, "accepts": False}
    assert data["route"] == words
    assert data["path"] == [step]
    outside = text.replace(text[text.index("DATA = (") : text.index("BUG = json")], "")
    plain_outside = plain.replace(plain[plain.index("DATA = (") : plain.index("BUG = json")], "")
    assert outside == plain_outside


def _is_data(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "DATA"


@pytest.mark.parametrize("name", ["../../x", "a/b", "..", "C:\\x", "x" * 300, "", "\x00", "é"])
def test_an_edited_id_is_still_the_name_of_a_file(name: str) -> None:
    (found,) = file_names([one(id=name)]).values()
    assert "/" not in found
    assert "\\" not in found
    assert not found.startswith(".")
    assert len(found.encode()) <= 120
    assert found.endswith(".py")


def test_names_differ_also_where_case_does_not_count() -> None:
    bugs = [one(id=name, signature=name) for name in ("BUG-a-M1", "BUG-a-m1", "BUG-a-M2")]
    names = file_names(bugs)
    assert names["BUG-a-M1"] == "BUG-a-M1.py"
    assert names["BUG-a-M2"] == "BUG-a-M2.py"
    assert len({name.casefold() for name in names.values()}) == 3


@pytest.mark.parametrize("policy", list(Policy))
def test_a_script_writes_only_where_the_run_did(policy: Policy) -> None:
    assert values(written(one(), policy.value))["writes"] is (policy is not Policy.READ_ONLY)
