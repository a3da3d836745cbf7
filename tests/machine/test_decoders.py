"""The cohort of an engine's decodes: whoever looks finds the numbers that one at a time would give."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from serq_interpreter.machine.run import Budget, Run
from serq_interpreter.machine.stages.decoders import added_times
from serq_interpreter.machine.stages.step import StepStage
from tests.machine.window_programs import window_text
from tests.support.compiling import program_from

_TEXT = """
stage engine : step { budget 64; cost 0.01 + 0.001 * kv_decode; ORDER memory kv; }
stage tool : delay;
pool kv { cap CAP; block 16; evict lru; PREEMPT admit via engine; }
workload { arrive poisson(2); turn { set n = ceil(~uniform(5, 30)); set o = ceil(~exp(40)); }
  session { turn; request; end; } }
server { set w = work(engine); set b = budget_left(engine);
  hold kv (min(n, budget_left(engine))) { run engine prefill (n) growing kv; run engine decode (o) growing kv; }
  observe seen = w + b; }
run { horizon 60; warmup 1; seed 3; }
"""


def text(cap: int = 400, order: str = "", preempt: str = "preempt lifo;") -> str:
    return _TEXT.replace("CAP", str(cap)).replace("ORDER", order).replace("PREEMPT", preempt)


def numbers(run: Run) -> list[Any]:
    """What every resident has, who is served, and what the engines say of themselves."""
    found: list[Any] = [run.machine.now, [(pool.used, pool.cached) for pool in run.machine.pools]]
    for stage in run.machine.timed:
        if isinstance(stage, StepStage):
            for job in stage.residents:
                assert job.actor is not None
                allocation, last = job.allocation, job.actor.tokens
                found.append((job.actor.serial, job.remaining, job.actor.attrs, job.stalled))
                found.append(None if allocation is None else (allocation.units, allocation.position))
                found.append(None if last is None else (last.time, last.by_decode, last.preempted, last.turn))
            found += [stage.busy(), stage.work(), stage.budget_left(), stage.n_decodes, stage.n_prefills, stage.served]
    return found


@pytest.mark.parametrize("clock", ["f64", "exact"])
@pytest.mark.parametrize(
    "source",
    [
        text(),
        text(cap=140),
        text(cap=140, preempt="preempt by (position);"),
        text(cap=100, preempt="preempt none;"),
        text(order="serve decode first;"),
        text(order="chunk 7;"),
        window_text(1003),
        window_text(1017),
    ],
    ids=["ample", "tight", "by position", "nobody falls", "decode first", "chunks", "random", "family"],
)
def test_numbers_at_any_event_are_those_of_one_at_a_time(source: str, clock: str) -> None:
    program = program_from(source)
    one = Run(program, clock=clock, reference=True)  # type: ignore[arg-type]
    other = Run(program, clock=clock)  # type: ignore[arg-type]
    for events in (3, 50, 7, 121, 1, 1, 300, 17, 2, 900):
        results = [run.go(Budget(events=events)) for run in (one, other)]
        assert one.machine.events == other.machine.events
        assert numbers(one) == numbers(other)
        if results[0].status != "partial":
            break


def test_a_cohort_is_used() -> None:
    run = Run(program_from(text()))
    run.go(Budget(events=500))
    (engine,) = [stage for stage in run.machine.timed if isinstance(stage, StepStage)]
    assert engine.decoders is not None and engine.decoders.members


@pytest.mark.parametrize("n", [0, 1, 8, 9, 200])
def test_sums_of_doubles_are_made_one_after_the_other(n: int) -> None:
    total = 0.1
    for _ in range(n):
        total += 0.7
    assert added_times(0.1, 0.7, n) == total
    assert added_times(10**30, 7, n) == 10**30 + 7 * n


_BATCH = """
stage engine : step { budget 8192; cost 0.0002 + 2e-5 * tokens + 2e-9 * kv_decode; memory kv; }
pool kv { cap inf; block 16; admit via engine; }
workload { arrive batch(COUNT); init { set o = TOKENS; } }
session { hold kv (100) { run engine prefill (100) growing kv; run engine decode (o) growing kv; } observe done = now; }
run { horizon 1000; seed 3; }
"""


def calls(residents: int, tokens: int) -> int:
    """How many functions a run calls that takes iterations one at a time."""
    program = program_from(_BATCH.replace("COUNT", str(residents)).replace("TOKENS", str(tokens)))
    number = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    run = Run(program, coalesce=False)
    sys.setprofile(count)
    try:
        run.go()
    finally:
        sys.setprofile(None)
    return number


def test_an_iteration_costs_the_same_however_many_decode() -> None:
    few, many = ((calls(n, 600) - calls(n, 200)) / 400 for n in (4, 128))
    assert many < few + 2.0
