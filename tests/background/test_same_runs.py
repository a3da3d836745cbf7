"""A background run computes what any other run of the program computes: recording changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.run import run_program
from serq_lsp.background.running import Order, Running

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
PROGRAMS = [
    *sorted((CORPUS / "vllm").glob("*.sq")),
    *sorted((CORPUS / "cases" / "preempt").glob("preempt_stuck*.sq")),
    *sorted((CORPUS / "cases" / "gauges").glob("*.sq")),
]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_report_is_that_of_a_plain_run(path: Path) -> None:
    lowered = analyse(path.read_text(encoding="utf-8"), str(path)).lowered
    if lowered is None:
        pytest.skip("the program is about an error")
    plain = run_program(lowered.program)
    running = Running(Order(write_program(lowered.program)))
    data = running.advance(0.001, lambda: False)
    while not data["final"]:
        data = running.advance(60.0, lambda: False)
    if plain.error is not None:
        assert data["error"]["code"] == plain.error.code
    else:
        assert report_json(data["report"]) == report_json(plain.report)
