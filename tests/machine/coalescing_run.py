"""One at a time, cohort and coalesced compared: `python -m tests.machine.coalescing_run FIRST COUNT [--seconds S]`.

COUNT generated programs from the seed FIRST on, serving programs with long decodes and with everything varied in turn
(prompts, outputs, blocks, caches, preemption, families, routers, arrivals at awkward instants).  Each runs one at a time,
with its decodes as a cohort but no windows, and coalesced, in both clocks, up to `EVENTS` events: reports, samples,
gauges, notes and errors must be equal to the last bit.  Says at which seed it stopped when the time is up.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import Any

from serq_interpreter.ir.program import Program
from serq_interpreter.machine.run import Budget, RunResult, run_program
from tests.machine.engine_programs import engine_text
from tests.machine.forms import CLOCKS, everything
from tests.machine.window_programs import window_text
from tests.support.compiling import program_from

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


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args(arguments)
    stop = monotonic() + options.seconds
    forms: Counter[str] = Counter()
    different = compared = 0
    seed = options.first
    while seed < options.first + options.count and monotonic() < stop:
        try:
            program = program_from(text_of(seed))
        except ValueError:
            forms["rejected"] += 1
        else:
            found, ran = differing(program)
            compared += 1
            forms.update(ran)
            if found:
                different += 1
                print(f"seed {seed}: {', '.join(found)}")
        seed += 1
    print(f"seeds {options.first} to {seed - 1}: {compared} programs compared, {different} differ; {dict(forms)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
