"""A case of the corpus to a kernel program."""

from __future__ import annotations

from pathlib import Path

from serq_interpreter.ir.json import read_program
from serq_interpreter.ir.program import Program


def program_of(path: Path) -> Program:
    """The program of a `.sq` or an IR `.json` file."""
    if path.suffix == ".json":
        return read_program(path.read_text(encoding="utf-8"))
    import pyserq

    return read_program(pyserq.compile(str(path)).to_json())
