"""The façade of the machine: budgets, resumption, cancellation, errors with their node, determinism."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.run import Budget, Run, run_program
from tests.support.compiling import program_from

QUEUE = """
stage line : fifo;
workload { arrive poisson(0.8); }
session { run line (~exp(1)); observe left = now; }
gauge n = queue(line);
run { horizon 500; warmup 50; seed 4; }
"""


def test_a_run_in_pieces_is_the_same_run() -> None:
    program = program_from(QUEUE)
    whole = run_program(program)
    run = Run(program)
    pieces = 0
    while (part := run.go(Budget(events=100))).status == "partial":
        pieces += 1
        assert part.reason == "the budget of events is used up"
        assert part.report["events"] == 100 * pieces
    assert pieces > 3
    assert report_json(part.report) == report_json(whole.report)
    assert run.go() is part


def test_a_cancelled_run_tells_how_far_it_came() -> None:
    asked: list[int] = []

    def cancel() -> bool:
        asked.append(1)
        return True

    result = run_program(program_from(QUEUE), cancel=cancel)
    assert (result.status, result.reason) == ("partial", "cancelled")
    assert 0 < result.report["end"] < 500
    assert asked == [1]


def test_invariants_change_nothing() -> None:
    program = program_from(QUEUE)
    assert report_json(run_program(program).report) == report_json(run_program(program, check_invariants=True).report)


def test_an_error_names_its_node_its_session_and_its_time() -> None:
    program = program_from("""
    pool m { cap 3; }
    stage d : delay;
    workload { arrive batch(2); }
    session { run d (serial + 1); hold m (1) { grow m (0 - serial); } }
    run { horizon 9; }
    """)
    result = run_program(program)
    error = result.error
    assert error is not None
    assert (result.status, error.code, error.session, error.time) == ("failed", "SQ0902", 1, 2.0)
    assert isinstance(error.node, ir.Binary)
    assert result.report["end"] == 2.0


def test_settings_that_make_no_run() -> None:
    program = program_from(QUEUE)
    codes = [
        run_program(program, horizon=horizon, warmup=warmup).error
        for horizon, warmup in ((10.0, 10.0), (float("inf"), 0.0), (5.0, -1.0))
    ]
    assert [error.code if error else None for error in codes] == ["SQ0812", "SQ0813", "SQ0813"]


def test_sessions_that_end_at_once_and_are_replaced_do_not_run_for_ever() -> None:
    program = program_from("""
    stage d : delay;
    workload { arrive closed(1); }
    session { branch (serial > 5) { end; } run d (1); }
    run { horizon 99; }
    """)
    result = run_program(program)
    assert result.error is not None
    assert result.error.code == "SQ0910"


def test_the_tick_can_be_chosen() -> None:
    program = program_from("""
    stage d : delay;
    workload { arrive batch(1); }
    session { run d (0.3); observe at = now; }
    run { horizon 9; }
    """)
    assert list(run_program(program, tick="250ms").series["at"].values) == [0.25]
    assert list(run_program(program, tick="1/10").series["at"].values) == [0.3]
    refused = run_program(program, tick="0").error
    assert refused is not None
    assert refused.code == "SQ0819"
