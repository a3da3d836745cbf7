"""Several engines at once: their windows together are one at a time, and few steps stand for many iterations."""

from __future__ import annotations

import pytest

from serq_interpreter.machine.run import Run
from tests.machine.forms import CLOCKS, difference
from tests.support.compiling import program_from

_TEXT = """
stage engine[3] : step { budget 64; cost COST; memory kv; }
pool kv[3] { cap 4000; block 16; evict lru; preempt lifo; admit via engine; }
stage tool : delay;
workload { arrive ARRIVE; turn { set n = ceil(~uniform(5, 40)); set o = OUT; set z = ~exp(2); }
  session { turn; loop { request; tool (z); turn; } } }
server { choose j in 3 by (CHOICE);
  hold kv[j] (min(n, budget_left(engine[j]))) { run engine[j] prefill (n) growing kv[j]; run engine[j] decode (o) growing kv[j]; }
  observe done = now; }
run { horizon 60; warmup 5; seed 3; }
"""


def text(cost: str, arrive: str, out: str, choice: str) -> str:
    return _TEXT.replace("COST", cost).replace("ARRIVE", arrive).replace("OUT", out).replace("CHOICE", choice)


_PROGRAMS = {
    "drawn": text("0.01 + 0.0001 * kv_decode", "closed(5)", "ceil(~exp(90))", "holders(kv[j]) + queued(kv[j])"),
    "in step": text("0.125", "closed(5)", "40", "holders(kv[j])"),
    "in step, costs that rise": text("0.125 + 0.0625 * kv_decode", "batch(6)", "30 + serial", "queue(engine[j])"),
    "read at every choice": text("0.02", "closed(4)", "ceil(~exp(60))", "work(engine[j]) + used(kv[j])"),
}


@pytest.mark.parametrize("name", sorted(_PROGRAMS))
@pytest.mark.parametrize("clock", CLOCKS)
def test_together_is_one_at_a_time(name: str, clock: str) -> None:
    found, fast = difference(program_from(_PROGRAMS[name]), clock, record=True)
    assert found is None
    assert fast.form == "coalesced"


@pytest.mark.parametrize("clock", CLOCKS)
def test_most_iterations_are_taken_in_windows(clock: str) -> None:
    run = Run(program_from(_PROGRAMS["drawn"]), clock=clock)  # type: ignore[arg-type]
    run.go()
    per_step = [value for value in run.iterations_per_step() if value is not None]
    assert len(per_step) == 3 and min(per_step) > 8.0
