"""Elaboration over the whole corpus: `python tests/semantics/conformance.py [AREA…]` prints counts and differences.

For a program that is expected to be accepted there is no finding; for one refused with a code of names, constants or
serving forms, exactly that code; where the corpus has an IR, an equal one.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / part) for part in ("interpreter", "grammar", ".")]

from serq_interpreter.deep import deep_recursion  # noqa: E402
from serq_interpreter.files import library_loader  # noqa: E402
from serq_interpreter.ir.json import write_program  # noqa: E402
from serq_interpreter.ir.lower import lower  # noqa: E402
from serq_interpreter.semantics.elaborate import elaborate  # noqa: E402
from serq_interpreter.syntax.document import Document, parse_document  # noqa: E402
from serq_interpreter.syntax.tokens import Finding  # noqa: E402
from tests.support.cases import POSITIONS, Case, all_cases  # noqa: E402

OURS = ("SQ02", "SQ08", "SQ053", "SQ0516", "SQ0503", "SQ0515", "SQ0414")
"""Codes that elaboration reports itself (and not the parser or the rules)."""


def main(areas: list[str]) -> int:
    counts: Counter[str] = Counter()
    for case in all_cases():
        if areas and case.area not in areas:
            continue
        for problem in problems(case, counts):
            print(f"{case.path.relative_to(case.path.parents[1])}: {problem}")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    return 1 if any(name.endswith("wrong") for name in counts) else 0


def problems(case: Case, counts: Counter[str]) -> list[str]:
    """What is wrong with one case, counted by kind."""
    document = parse_document(case.text, str(case.path), None, None if case.as_text else library_loader(str(case.path)))
    elaborated = elaborate(document.tree)
    findings = [*document.findings, *elaborated.findings]
    found: list[str] = []
    expected = case.expected.code
    kind = "accepted" if expected is None else "refused" if expected.startswith(OURS) else "other"
    codes = sorted({finding.code for finding in findings})
    if kind == "other":
        codes = [code for code in codes if code != expected]
        wanted: list[str] = []
    else:
        wanted = [] if expected is None else [expected]
    if codes != wanted:
        found.append(f"expected {expected}, found {' '.join(_show(document, f) for f in findings)}")
    elif kind == "refused" and POSITIONS.get(expected or "") == "start":
        places = {_where(document, finding) for finding in findings}
        if (case.expected.line, case.expected.column) not in places and case.expected.line is not None:
            found.append(f"expected {expected} at {case.expected.line}:{case.expected.column}, found {places}")
    counts[f"{kind} {'wrong' if found else 'right'}"] += 1
    expected_ir = case.path.with_suffix(".ir.json")
    if expected is None and expected_ir.exists() and not findings:
        with deep_recursion():
            value = json.loads(write_program(lower(elaborated).program))
            same = value == json.loads(expected_ir.read_text(encoding="utf-8"))
        counts[f"ir {'right' if same else 'wrong'}"] += 1
        if not same:
            found.append("another IR")
    return found


def _show(document: Document, finding: Finding) -> str:
    line, column = _where(document, finding)
    return f"{finding.code}@{line}:{column}"


def _where(document: Document, finding: Finding) -> tuple[int, int]:
    try:
        source, start, _ = document.locate(finding.place)
    except KeyError:
        return (0, 0)
    return source.layout.lines.line_column(start)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
