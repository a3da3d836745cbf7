"""A background run computes what any other run of the program computes: recording changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import write_program
from serq_interpreter.machine import substreams
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


DRAWING = """let extra = 3;
stage svc : ps(1);
workload { arrive poisson(0.5); init { set work = ~exp(1); } }
session { set t = now; run svc (work + extra / 10); observe response = now - t; end; }
run { horizon 2000; }
"""


def test_a_changed_constant_draws_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws of sessions are kept in the process, so that the run after an edit is cheaper."""
    made = []
    first_blocks = substreams._first_blocks

    def counting(*arguments: int) -> object:
        made.append(arguments)
        return first_blocks(*arguments)

    monkeypatch.setattr(substreams, "_first_blocks", counting)
    substreams.forget()
    for text in (DRAWING, DRAWING.replace("extra = 3", "extra = 4")):
        before = len(made)
        lowered = analyse(text).lowered
        assert lowered is not None
        data = Running(Order(write_program(lowered.program))).advance(60.0, lambda: False)
        assert data["status"] == "complete" and data["report"]["ended"] > 500
        if before:
            assert len(made) == before
        else:
            assert made
