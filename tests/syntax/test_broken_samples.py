"""The usual slips: each is one error, and the fix that needs no question makes the program right."""

from __future__ import annotations

import pytest

from serq_interpreter.syntax.document import Document
from tests.syntax.broken_samples import SAMPLES
from tests.syntax.helpers import codes, parse

ITEMS = ("let", "pool", "stage", "workload", "run {", "claim", "share", "device")


def program(sample: str) -> str:
    """A whole program around a sample."""
    head = "stage svc : fifo;\npool kv { cap 8; }\npool kd { cap 8; }\n"
    if sample.startswith(ITEMS):
        return f"{head}{sample}\nsession {{ end; }}\nrun {{ horizon 10; }}\n"
    return f"{head}session {{\n  {sample}\n  run svc (2);\n}}\nrun {{ horizon 10; }}\n"


def safe_fix(document: Document) -> str:
    """The text after the safe fixes."""
    edits = []
    for finding in document.findings:
        for fix in finding.fixes:
            if fix.safe:
                edits.extend((document.locate(edit.place)[1:], edit.text) for edit in fix.edits)
    text = document.text
    for (start, end), written in sorted(edits, reverse=True):
        text = text[:start] + written + text[end:]
    return text


@pytest.mark.parametrize(("sample", "code", "fixed"), SAMPLES, ids=[sample for sample, _, _ in SAMPLES])
def test_one_slip_is_one_error(sample: str, code: str, fixed: str) -> None:
    document = parse(program(sample))
    assert [finding.code for finding in document.findings] == [code]
    after = safe_fix(document)
    if fixed:
        assert after.split() == program(fixed).split()
        assert codes(after) == []
    else:
        assert after == document.text
