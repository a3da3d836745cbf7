"""One program before two judges: our front end and the reference, verdict against verdict and IR against IR."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.ir.program import Program
from tests.support.oracle_process import Answer, OracleProcess, Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """`difference` is empty when the judges agree; `program` is our kernel of an accepted program."""

    text: str
    codes: tuple[str, ...]
    answer: Answer
    difference: str
    program: Program | None = None


def compare(text: str, reference: OracleProcess) -> Comparison:
    """Ask both about a program given as text."""
    analysis = analyse(text, "program.sq")
    codes = language_errors(analysis)
    answer = reference.compile(text)
    program = None if codes or analysis.lowered is None else analysis.lowered.program
    return Comparison(text, codes, answer, _difference(program, codes, answer), program)


def language_errors(analysis: Analysis) -> tuple[str, ...]:
    """The codes of what the language refuses, in order of place."""
    return tuple(item.code for item in analysis.diagnostics if item.code < "SQ1000")


def _difference(program: Program | None, codes: tuple[str, ...], answer: Answer) -> str:
    if answer.verdict in (Verdict.CRASHED, Verdict.TIMED_OUT):
        return ""
    refused = bool(codes)
    if refused != (answer.verdict is Verdict.REFUSED):
        said = answer.text.split("\n", 1)[0] if answer.verdict is Verdict.REFUSED else "accepted"
        return f"ours: {' '.join(codes) or 'accepted'}; the reference: {said}"
    if refused:
        return ""
    if program is None:
        return "ours: accepted, and no kernel"
    return difference_of(json.loads(write_program(program)), answer.ir)


def difference_of(own: Any, expected: Any, path: str = "") -> str:
    """Where two JSON values differ first, empty when they are equal."""
    if isinstance(own, dict) and isinstance(expected, dict):
        for key in {**own, **expected}:
            if key not in own or key not in expected:
                return f"IR {path}/{key}: only in {'the reference' if key in expected else 'ours'}"
            if found := difference_of(own[key], expected[key], f"{path}/{key}"):
                return found
        return ""
    if isinstance(own, list) and isinstance(expected, list):
        if len(own) != len(expected):
            return f"IR {path}: {len(own)} elements, the reference has {len(expected)}"
        for number, (left, right) in enumerate(zip(own, expected, strict=True)):
            if found := difference_of(left, right, f"{path}/{number}"):
                return found
        return ""
    return "" if own == expected else f"IR {path}: {own!r}, the reference has {expected!r}"
