"""One at a time, cohort and coalesced compared: `python -m tests.machine.coalescing_run FIRST COUNT [--seconds S]`.

COUNT generated programs from the seed FIRST on, serving programs with long decodes and with everything varied in turn
(prompts, outputs, blocks, caches, preemption, families, routers, arrivals at awkward instants).  Each runs one at a time,
with its decodes as a cohort but no windows, and coalesced, in both clocks, up to `EVENTS` events: reports, samples,
gauges, notes and errors must be equal to the last bit.  Says at which seed it stopped when the time is up.
"""

from __future__ import annotations

import sys
from typing import Any

from serq_interpreter.ir.program import Program
from serq_interpreter.machine.run import Budget, RunResult, run_program
from tests.machine.engine_programs import engine_text
from tests.machine.forms import CLOCKS, everything
from tests.machine.many_programs import compare_many
from tests.machine.window_programs import window_text

EVENTS = 6_000


def text_of(seed: int) -> str:
    """Even seeds: long decodes; odd seeds: everything else."""
    return window_text(seed // 2) if seed % 2 == 0 else engine_text(seed // 2)


def run(program: Program, clock: str, **options: Any) -> RunResult:
    """A run of at most `EVENTS` events."""
    budget = Budget(events=EVENTS)
    return run_program(program, clock=clock, record=True, budget=budget, **options)  # type: ignore[arg-type]


def differing(program: Program) -> tuple[list[str], list[str]]:
    """The executions that differ from one at a time, and the forms that ran coalesced, by clock."""
    found, forms = [], []
    for clock in CLOCKS:
        one = everything(run(program, clock, reference=True))
        cohort = run(program, clock, coalesce=False)
        fast = run(program, clock)
        forms.append(fast.form)
        for name, other in (("cohort", cohort), ("coalesced", fast)):
            if repr(everything(other)) != repr(one):
                found.append(f"{name} [{clock}]")
    return found, forms


if __name__ == "__main__":
    sys.exit(compare_many(__doc__ or "", text_of, differing, sys.argv[1:]))
