"""Formatting is idempotent and changes no meaning, over every program of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.syntax.printer import format_text
from tests.support.cases import CASES, CORPUS

EXAMPLES = CORPUS.parent.parent / "examples"
PROGRAMS = sorted([*CASES.glob("*/*.sq"), *(CORPUS / "vllm").rglob("*.sq"), *EXAMPLES.rglob("*.sq")])
SAMPLE = PROGRAMS[::12]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_sample_keeps_its_meaning(path: Path) -> None:
    check(path)


@pytest.mark.full
def test_every_program_keeps_its_meaning() -> None:
    for path in PROGRAMS:
        check(path)


def check(path: Path) -> None:
    """The canonical text is its own canonical text and has the same IR, or the same errors."""
    text = path.read_bytes().decode("utf-8")
    once = format_text(text)
    if once is None:
        return  # it has an error that leaves no tokens to print
    assert format_text(once) == once, path
    before, after = analyse(text, str(path)), analyse(once, str(path))
    assert errors(after) == errors(before), path
    if before.lowered is not None and after.lowered is not None:
        assert write_program(after.lowered.program) == write_program(before.lowered.program), path


def errors(analysis: Analysis) -> list[tuple[str, str]]:
    """Codes and messages, in order of their text: an expansion moves nothing across items."""
    return sorted((item.code, item.message) for item in analysis.diagnostics)
