"""The JavaScript that runs in pages: one closure that parses, and settings that cannot break it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from workers.browser import chromium, snippets
from workers.browser.snippets import KitSettings

NASTY = "</script>'\"\\ \u2028 ${x}"

SCRIPTS = {
    "kit": snippets.kit_script(KitSettings(property="_kit")),
    "seed": snippets.seed_script({"http://a.test": {"token": NASTY}}),
    "guarded": snippets.guarded_script("_kit"),
    "audit": snippets.audit_call({"tags": ["wcag2a"], "seen": [1, 2]}),
    "question": snippets.ask("_kit", "prepare", NASTY, {"quiet": 25}, None),
}


def problem_with(script: str, folder: Path) -> str:
    """What a JavaScript engine says of a script that it only parses."""
    if node := shutil.which("node"):
        path = folder / "script.js"
        path.write_text(script, "utf-8")
        done = subprocess.run(
            [node, "--check", str(path)], check=False, capture_output=True, text=True
        )
        return done.stderr if done.returncode else ""
    found = chromium.find()
    if found.problem:
        pytest.skip("neither node nor a Chromium is here")
    with sync_playwright() as playwright:
        options = {"executable_path": found.path or None, "channel": found.channel or None}
        browser = playwright.chromium.launch(**options)  # type: ignore[arg-type]
        said = browser.new_page().evaluate(
            "text => { try { new Function(text); return '' } catch (e) { return String(e) } }",
            script,
        )
        browser.close()
        return str(said)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_parses_as_it_is_sent_to_a_page(name: str, tmp_path: Path) -> None:
    assert problem_with(SCRIPTS[name], tmp_path) == ""


def test_every_file_of_the_kit_is_joined_once() -> None:
    folder = Path(snippets.__file__).parent / "js"
    alone = {"seed.js", "guarded.js", "audit.js"}

    assert {path.name for path in folder.glob("*.js")} == {*snippets.KIT, *alone}
    assert len(set(snippets.KIT)) == len(snippets.KIT)


def test_the_kit_leaves_no_name_but_its_hidden_property_in_the_page() -> None:
    kit = snippets.kit_function()

    assert kit.startswith("(config) => {\n'use strict';\n")
    assert kit.endswith("\n}")


def test_the_hidden_property_has_another_name_each_time() -> None:
    assert snippets.hidden_name() != snippets.hidden_name()
    assert snippets.hidden_name().isidentifier()


def test_settings_travel_as_json_in_the_way_that_scripts_are_written() -> None:
    script = snippets.kit_script(KitSettings(property="_kit", may_write=True))
    given = json.loads(script.rpartition("})(")[2].removesuffix(");"))

    assert (given["property"], given["mayWrite"], given["rows"]) == ("_kit", True, 3)
