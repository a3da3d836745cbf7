"""The programs of the catalogue: where their markers point, and what a fix makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.frontend.diagnostic import Diagnostic, Repair

_MARKER = re.compile(r"^\s*//(\^+)\s*$")


def marked(program: str) -> tuple[int, int, int] | None:
    """Line and columns (from 1, the second behind the end) that `//^^^` points at, `None` without a marker."""
    lines = program.split("\n")
    for number, line in enumerate(lines):
        if _MARKER.match(line):
            start = line.index("^")
            return number, start + 1, line.rindex("^") + 2
    return None


def codes(analysis: Analysis, *, lints: bool) -> list[str]:
    """The codes that were found; our own lints only on request."""
    return sorted(item.code for item in analysis.diagnostics if lints or item.code < "SQ1000")


@cache
def check(program: str) -> Analysis:
    """The analysis of a program given as text, made once for all tests."""
    return analyse(program, "example.sq")


def fixed(program: str, fix: Repair) -> str:
    """The program after a fix."""
    edits = sorted(fix.edits, key=lambda edit: edit.location.start_offset, reverse=True)
    for edit in edits:
        program = program[: edit.location.start_offset] + edit.text + program[edit.location.end_offset :]
    return program


def safe_fixes(diagnostics: Iterable[Diagnostic], code: str) -> list[Repair]:
    """The safe fixes of the findings of one code."""
    return [fix for item in diagnostics if item.code == code for fix in item.fixes if fix.safe]
