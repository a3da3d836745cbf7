"""Renaming changes no meaning: every name of the examples, renamed, gives a program with the same kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.files import library_loader, read_file
from serq_interpreter.frontend.analysis import Analysis, Options, analyse
from serq_lsp.background.meaning import meaning_of
from serq_lsp.services.definition import RenameProblem, prepare_rename, rename
from serq_lsp.services.names import symbol_at
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import tokens

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUICK = ("disaggregated_pull", "gauges_and_claims", "spill", "vllm")
PATHS = sorted([*EXAMPLES.glob("*.sq"), *EXAMPLES.glob("tutorial/*.sq"), *EXAMPLES.glob("gallery/*/bad.sq")])
NEW = "renamed_here"


def marks() -> list[object]:
    return [
        pytest.param(path, id=str(path.relative_to(EXAMPLES)), marks=[] if path.stem in QUICK else [pytest.mark.full])
        for path in PATHS
    ]


def analysed(text: str, path: Path, libraries: dict[str, str]) -> Analysis:
    loader = library_loader(str(path), lambda file: libraries.get(file) or read_file(file))
    return analyse(text, str(path), options=Options(editor=True), load_library=loader)


@pytest.mark.parametrize("path", marks())
def test_every_name_can_be_renamed_or_says_why_not(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before = analysed(text, path, {})
    snapshot = Snapshot(path.as_uri(), 1, before)
    assert before.lowered is not None
    meaning = meaning_of(before.lowered.program)
    codes = sorted(item.code for item in before.diagnostics)
    done = set()
    for at in tokens(snapshot):
        found = symbol_at(snapshot, at.start) if at.token.kind == "NAME" else None
        if found is None or (found[1].kind, found[1].name) in done:
            continue
        try:
            prepare_rename(snapshot, at.start)
        except RenameProblem:
            continue
        done.add((found[1].kind, found[1].name))
        changed = {file: before.texts[file] for file in before.texts}
        for file, spans in rename(snapshot, at.start, NEW).items():
            for span in sorted(spans, reverse=True):
                changed[file] = changed[file][: span.start] + NEW + changed[file][span.end :]
        assert changed != before.texts, found
        after = analysed(changed[str(path)], path, changed)
        assert sorted(item.code for item in after.diagnostics) == codes, (found[1].kind, found[1].name)
        assert after.lowered is not None and meaning_of(after.lowered.program) == meaning, found
    assert len(done) >= 3
