"""The case corpus against the front end: `python -m tests.conformance [AREA…] [--verbose]`.

Prints, per area, how many programs are accepted or refused exactly as expected, how many errors stand at the right
place, and how many kernels equal the reference's IR.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.analysis import Analysis, Options, analyse
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_interpreter.syntax.lines import LineIndex
from tests.support.cases import POSITIONS, Case, all_cases
from tests.support.comparison import difference_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """`problem` is empty when the case is met.  `kind` is what was compared: `verdict` or `ir`."""

    case: Case
    kind: str
    problem: str


def judge(case: Case) -> list[Verdict]:
    """Everything a case says, checked."""
    try:
        return _judge(case)
    except Exception as error:  # noqa: BLE001 - a crash is a result to count, not the end of the table
        return [Verdict(case, "verdict", f"crash: {type(error).__name__}: {error}")]


def _judge(case: Case) -> list[Verdict]:
    analysis = analyse(case.text, str(case.path), options=Options(from_text=case.as_text))
    verdicts = [Verdict(case, "verdict", _verdict_problem(case, analysis))]
    stored = case.path.with_suffix(".ir.json")
    if stored.exists():
        verdicts.append(Verdict(case, "ir", _ir_problem(analysis, stored.read_text(encoding="utf-8"))))
    return verdicts


def _errors(analysis: Analysis) -> list[Diagnostic]:
    return [item for item in analysis.diagnostics if item.severity is Severity.ERROR]


def _verdict_problem(case: Case, analysis: Analysis) -> str:
    errors = _errors(analysis)
    said = ", ".join(f"{item.code} at {item.location.start.line}:{item.location.start.column}" for item in errors)
    if case.expected.code is None:
        return f"accepted by the language, but {said}" if errors else ""
    if [item.code for item in errors] != [case.expected.code]:
        return f"expected {case.expected.code} alone, got {said or 'nothing'}"
    return _place_problem(case, errors[0])


def _place_problem(case: Case, error: Diagnostic) -> str:
    expected = case.expected
    if expected.line is None:
        return ""
    at = error.location.start
    where = f"{expected.line}:{expected.column}"
    if expected.file is not None and not error.file.endswith(expected.file):
        return f"{error.code} expected in {expected.file}, reported in {error.file}"
    if POSITIONS.get(error.code) != "start" or (at.line, at.column) == (expected.line, expected.column):
        return ""
    if error.code == "SQ0105" and _is_gap(case, error, expected.line, expected.column or 1):
        return ""
    if case.name in INTENDED:
        return ""
    return f"{error.code} starts at {at.line}:{at.column}, expected {where}"


def _is_gap(case: Case, error: Diagnostic, line: int, column: int) -> bool:
    """Whether a missing token is reported after the token before it, and the reference points at the one after."""
    lines = LineIndex(case.text)
    start, end = error.location.start_offset, lines.offset(line, column)
    return start == error.location.end_offset and not re.sub(r"//[^\n]*|\s", "", case.text[start:end])


INTENDED = {
    "syntax_line-after-multiline-string": "we count the lines inside a string (01 §1.1)",
    "syntax_def-body-merges-with-caller": "a body without its last `;` is reported at the definition (01 §3)",
}
"""Cases whose place differs from the reference's on purpose, and why."""


def _ir_problem(analysis: Analysis, stored: str) -> str:
    from serq_interpreter.ir.json import write_program

    if analysis.lowered is None:
        return "no kernel"
    own = json.loads(write_program(analysis.lowered.program))
    return difference_of(own, json.loads(stored))


def main(arguments: list[str]) -> int:
    """Print the counts; 1 when a case is not met."""
    verbose = "--verbose" in arguments
    areas = {word for word in arguments if not word.startswith("-")}
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: {"verdict": [0, 0], "ir": [0, 0]})
    failures: list[Verdict] = []
    for case in all_cases():
        if areas and case.area not in areas:
            continue
        for verdict in judge(case):
            row = counts[case.area][verdict.kind]
            row[1] += 1
            if verdict.problem:
                failures.append(verdict)
            else:
                row[0] += 1
    print(f"{'area':12} {'verdicts':>12} {'IR':>12}")
    total = {"verdict": [0, 0], "ir": [0, 0]}
    for area, row in sorted(counts.items()):
        print(f"{area:12} {row['verdict'][0]:>5} / {row['verdict'][1]:<4} {row['ir'][0]:>5} / {row['ir'][1]:<4}")
        for kind in total:
            total[kind][0] += row[kind][0]
            total[kind][1] += row[kind][1]
    print(f"{'all':12} {total['verdict'][0]:>5} / {total['verdict'][1]:<4} {total['ir'][0]:>5} / {total['ir'][1]:<4}")
    if verbose:
        for verdict in failures:
            print(f"{verdict.case.area}/{verdict.case.name}: {verdict.problem}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
