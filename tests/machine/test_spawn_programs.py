"""Generated programs of the edition v4b: laws of the run, bounds, offspring, text and IR."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from serq_interpreter.analysis.bounds import bounds_of
from serq_interpreter.analysis.offspring import offspring
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import read_program, write_program
from serq_interpreter.ir.program import Program
from serq_interpreter.machine.run import Budget, Run, RunResult
from serq_interpreter.syntax.printer import format_text
from tests.machine.forms import CLOCKS
from tests.machine.spawn_programs import SpawnGenerator

LIMIT = Budget(events=4000)
ALLOWED = (None, "SQ0910", "SQ0914", "SQ0915", "SQ0916", "SQ0917")
"""How a run may end: time that stands still, legs and sessions that wait for each other, finite runs that do not drain."""


def _programs(first: int, count: int) -> Iterator[tuple[str, Program]]:
    for seed in range(first, first + count):
        text = SpawnGenerator(seed).text()
        analysis = analyse(text, f"seed{seed}.sq")
        assert analysis.lowered is not None, (text, [item.message for item in analysis.diagnostics])
        yield text, analysis.lowered.program


def _result(program: Program, clock: str = "exact", pieces: int = 0) -> RunResult:
    run = Run(program, clock="f64" if clock == "f64" else "exact", check_invariants=True, record=True)
    if pieces:
        for _ in range(LIMIT.events // pieces if LIMIT.events else 0):
            result = run.go(Budget(events=pieces))
            if result.status != "partial":
                return result
    return run.go(LIMIT)


def _check_laws(first: int, count: int) -> None:
    """The invariants hold after each event (a broken one raises), and nothing depends on how the run is asked for."""
    spawned = 0
    for text, program in _programs(first, count):
        for clock in CLOCKS:
            result = _result(program, clock)
            again = _result(read_program(write_program(program)), clock)
            assert repr(result.report) == repr(again.report), text
            assert (result.error.code if result.error else None) in ALLOWED, text
        spawned += result.report["arrivals"] > result.report["trees"]["arrivals"]
    assert spawned > count // 2


def test_laws() -> None:
    _check_laws(0, 3)


@pytest.mark.full
def test_laws_of_many() -> None:
    _check_laws(1000, 400)


def _check_bounds(first: int, count: int) -> None:
    for text, program in _programs(first, count):
        bounds = bounds_of(program)
        run = Run(program, record=True)
        machine, outside = run.machine, []

        def look() -> None:
            for actor in (*machine.sessions, *machine.legs):  # noqa: B023
                for slot, value in enumerate(actor.attrs[: len(program.attrs)]):  # noqa: B023
                    here = bounds.everywhere[slot]  # noqa: B023
                    if not (here.nan if value != value else here.lo <= value <= here.hi):
                        outside.append((program.attrs[slot], value, here))  # noqa: B023

        machine.invariants = look
        run.go(LIMIT)
        assert not outside, (text, outside[:3])


def test_every_value_lies_within_its_bounds() -> None:
    _check_bounds(500, 4)


@pytest.mark.full
def test_every_value_of_many_lies_within_its_bounds() -> None:
    _check_bounds(2000, 200)


def test_text_is_kept_by_the_printer() -> None:
    for text, program in _programs(700, 3):
        printed = format_text(text)
        assert printed is not None and format_text(printed) == printed
        analysis = analyse(printed, "printed.sq")
        assert analysis.lowered is not None
        assert write_program(analysis.lowered.program) == write_program(program)


# --------------------------------------------------------------------------- offspring

SESSION = """// serq: edition v4b
stage svc : delay;
workload {{ arrive batch(1); init {{ set n = 2; }} }}
session {{ {body} run svc (1); end; }}
run {{ horizon 10; }}
"""


@pytest.mark.parametrize(
    ("body", "mean"),
    [
        ("branch (depth < 3) { spawn (5) into g { } } join g;", 0.0),
        ("branch (3 > depth) { spawn (n) into g { set n = 9; } } join g;", 0.0),
        ("branch (depth < n) { spawn (5) into g { } } join g;", 0.0),
        ("branch (depth >= 3) { join g; } else { spawn (2) into g { } join g; }", 0.0),
        ("branch with (0.45) { spawn (2) into g { } } join g;", 0.9),
        ("branch with (0.5) { branch with (0.5) { spawn (3) into g { } } } join g;", 0.75),
        ("spawn (~bernoulli(0.3)) into g { } join g;", 0.3),
        ("spawn (floor(~uniform(0, 1.5))) into g { } join g;", 0.75),
        ("spawn (min(floor(~exp(0.4)), 3)) into g { } join g;", 0.4),
        ("spawn (~bernoulli(0.2) + ~bernoulli(0.3)) into g { } join g;", 0.5),
        ("spawn (2 * ~bernoulli(0.4)) into g { } join g;", 0.8),
        ("branch with (0.9) { end; } spawn (5) into g { } join g;", 0.5),
        ("branch with (0.2) { spawn (1) into g { } } else { spawn (~bernoulli(0.5)) into g { } } join g;", 0.6),
        ("loop { branch with (0.2) { spawn (1) into g { } } join g; run svc (1); branch with (0.5) { end; } }", 0.4),
    ],
)
def test_finite_offspring_and_its_mean(body: str, mean: float) -> None:
    program = _lowered(body)
    found = offspring(program)
    assert found.finite
    assert found.mean == pytest.approx(mean)


@pytest.mark.parametrize(
    "body",
    [
        "spawn (1) into g { } join g;",
        "branch with (0.5) { spawn (2) into g { } } join g;",
        "branch (n > 0) { spawn (n) into g { set n = n - 1; } } join g;",
        "branch (depth > 2) { spawn (1) into g { } } join g;",
        "spawn (floor(~exp(n))) into g { set n = 2; } join g;",
        "loop { run svc (1); branch with (0.2) { spawn (1) into g { } } join g; branch (now > 5) { end; } }",
    ],
)
def test_offspring_that_is_not_shown_to_be_finite(body: str) -> None:
    analysis = analyse(SESSION.format(body=body), "a.sq")
    assert [item.code for item in analysis.diagnostics if item.code < "SQ1000"] == ["SQ0011"]


def _lowered(body: str) -> Program:
    analysis = analyse(SESSION.format(body=body), "a.sq")
    assert analysis.lowered is not None, [item.message for item in analysis.diagnostics]
    return analysis.lowered.program


def test_the_mean_of_a_run_stays_below_its_bound() -> None:
    """The average of children per session, over a large forest, is what the bound says it may be."""
    body = "branch with (0.4) { spawn (floor(~uniform(0, 4))) into g { } } join g;"
    text = SESSION.format(body=body).replace("batch(1)", "batch(2000)")
    analysis = analyse(text, "a.sq")
    assert analysis.lowered is not None
    program = analysis.lowered.program
    report = Run(program).go().report
    children = (report["arrivals"] - report["trees"]["arrivals"]) / report["arrivals"]
    bound = offspring(program).mean
    assert bound == pytest.approx(0.8)
    assert 0.5 < children < bound
