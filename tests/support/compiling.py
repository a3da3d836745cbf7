"""Programs of the corpus, and of texts, as kernel programs."""

from __future__ import annotations

from pathlib import Path

import serq_interpreter
from serq_interpreter.ir.json import read_program
from serq_interpreter.ir.program import Program


def program_of(path: Path) -> Program:
    """The program of a `.sq` or an IR `.json` file."""
    if path.suffix == ".json":
        return read_program(path.read_text(encoding="utf-8"))
    return _program(path)


def program_from(text: str) -> Program:
    """The program of a text without errors."""
    return _program(text)


def _program(source: Path | str) -> Program:
    compiled = serq_interpreter.compile(source)
    if compiled.program is None:
        raise ValueError("; ".join(diagnostic.message for diagnostic in compiled.diagnostics))
    return compiled.program
