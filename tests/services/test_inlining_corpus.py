"""Inlining over the corpus: every definition with uses can be inlined, and what comes of it means the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.files import library_loader
from serq_interpreter.frontend.analysis import Analysis, Options, analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.syntax.tokens import place_of
from serq_lsp.services.inlining import inlined_definition
from serq_lsp.services.locations import span_of
from serq_lsp.services.snapshot import Snapshot

ROOT = Path(__file__).resolve().parents[2]
PATHS = sorted([*(ROOT / "examples").rglob("*.sq"), *(ROOT / "tests/corpus").rglob("*.sq")])
QUICK = 25


def analysed(text: str, path: Path) -> Analysis:
    return analyse(text, str(path), options=Options(editor=True), load_library=library_loader(str(path)))


def with_definitions() -> list[Path]:
    return [path for path in PATHS if "def " in path.read_text(encoding="utf-8", errors="replace")]


def offers_of(path: Path) -> tuple[int, list[str]]:
    """How many definitions have uses in this file, and of which of them nothing is offered; checks what is offered."""
    text = path.read_text(encoding="utf-8", errors="replace")
    before = analysed(text, path)
    if before.lowered is None:
        return 0, []
    ir = write_program(before.lowered.program)
    snapshot = Snapshot(path.as_uri(), 1, before)
    used, refused = 0, []
    for definition in snapshot.document.tree.definitions:
        name = definition.item.name
        span = span_of(snapshot, place_of(name))
        if span is None or span.file != snapshot.file or f"{name.text}(" not in text.replace(f"def {name.text}(", ""):
            continue
        used += 1
        offers = inlined_definition(snapshot, span.start)
        if not offers:
            refused.append(f"{path.name}: {name.text}")
        for _, changes in offers:
            changed = text
            for start, end, piece in sorted(changes, reverse=True):
                changed = changed[:start] + piece + changed[end:]
            after = analysed(changed, path)
            assert after.lowered is not None and write_program(after.lowered.program) == ir, (path, name.text)
    return used, refused


@pytest.mark.parametrize(
    "part",
    [pytest.param(slice(0, QUICK), id="some"), pytest.param(slice(QUICK, None), id="all", marks=pytest.mark.full)],
)
def test_definitions_of_the_corpus_can_be_inlined(part: slice) -> None:
    used, refused = 0, []
    for path in with_definitions()[part]:
        more, without = offers_of(path)
        used += more
        refused += without
    assert used >= 10
    assert len(refused) <= used // 20, refused
