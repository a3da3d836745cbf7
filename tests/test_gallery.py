"""The gallery: every `bad.sq` is caught where its page says, every `fixed.sq` is clean, the figures are measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_lsp.cli.trial import trial
from tests.support.command_line import call

GALLERY = Path(__file__).resolve().parent.parent / "examples" / "gallery"
FOLDERS = sorted(path.name for path in GALLERY.iterdir() if path.is_dir())
EXPLORED = re.compile(
    r"\*\*Explored\*\* with `serq-lsp explore bad\.sq ([^`]*)`: `(SQ\d{4})` at line (\d+) of `bad\.sq`"
)
CAUGHT = re.compile(r"\*\*Caught by\*\* `(SQ\d{4})` at line (\d+) of `bad\.sq`")


SEEN = re.compile(r"\*\*Seen without a run\*\* by `(SQ\d{4})` at line (\d+) of `bad\.sq`")


def found(name: str, program: str) -> list[Diagnostic]:
    """What the check and a whole run say."""
    path = GALLERY / name / program
    analysis = analyse(path.read_text(encoding="utf-8"), str(path))
    assert analysis.lowered is not None, analysis.diagnostics
    return [*analysis.diagnostics, *trial(analysis, path.parent, "full", {})[0]]


LONG = {"f-longest-prefix-first", "k-decaying-estimate"}
"""Pairs whose runs take seconds: the full suite looks at them."""
PAIRS = [pytest.param(name, marks=pytest.mark.full) if name in LONG else name for name in FOLDERS]


@pytest.mark.parametrize("name", PAIRS)
def test_the_failure_is_caught_where_its_page_says(name: str) -> None:
    page = (GALLERY / name / "README.md").read_text(encoding="utf-8")
    caught = CAUGHT.search(page)
    assert caught is not None, "the page says what finds the failure"
    errors = {
        (item.code, item.location.start.line) for item in found(name, "bad.sq") if item.severity is Severity.ERROR
    }
    assert (caught[1], int(caught[2])) in errors


@pytest.mark.parametrize("name", FOLDERS)
def test_what_is_seen_without_a_run_is_on_the_page(name: str) -> None:
    path = GALLERY / name / "bad.sq"
    diagnostics = analyse(path.read_text(encoding="utf-8"), str(path)).diagnostics
    page = (GALLERY / name / "README.md").read_text(encoding="utf-8")
    said = {(code, int(line)) for code, line in SEEN.findall(page)}
    assert {(item.code, item.location.start.line) for item in diagnostics} == said


@pytest.mark.parametrize("name", PAIRS)
def test_the_repair_is_clean(name: str) -> None:
    assert [(item.code, item.message) for item in found(name, "fixed.sq")] == []


EXPLORABLE = ["a-hold-and-wait", "b-oversized-head", "e-uncharged-prefill-turn", "l-one-long-prompt"]
"""Pairs whose pages also say how an exploration finds the failure."""


@pytest.mark.parametrize("name", EXPLORABLE)
def test_an_exploration_finds_it_where_its_page_says(capsys: pytest.CaptureFixture[str], name: str) -> None:
    told = EXPLORED.search((GALLERY / name / "README.md").read_text(encoding="utf-8"))
    assert told is not None
    bad = call(capsys, "explore", str(GALLERY / name / "bad.sq"), *told[1].split(), "--format", "json")
    value = json.loads(bad.out)
    assert bad.code == 1
    assert [(item["code"], item["place"]["line"]) for item in value["findings"]] == [(told[2], int(told[3]))]
    fixed = call(capsys, "explore", str(GALLERY / name / "fixed.sq"), *told[1].split(), "--format", "json")
    assert fixed.code in (0, 2)
    assert json.loads(fixed.out)["findings"] == []


def test_the_pages_that_tell_of_an_exploration_are_tested() -> None:
    pages = {name: (GALLERY / name / "README.md").read_text(encoding="utf-8") for name in FOLDERS}
    assert [name for name, page in pages.items() if EXPLORED.search(page)] == EXPLORABLE


@pytest.mark.parametrize("name", FOLDERS)
def test_a_program_fits_on_a_screen_and_says_what_it_shows(name: str) -> None:
    for program in ("bad.sq", "fixed.sq"):
        text = (GALLERY / name / program).read_text(encoding="utf-8")
        assert text.startswith("// ")
        assert text.count("\n") <= 60


def test_the_list_names_every_pair() -> None:
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(([a-z-]+)/README\.md\)", page) == FOLDERS
