"""The generated function beside the reference: `python -m tests.machine.serving_run FIRST COUNT [--seconds S]`.

COUNT generated programs from the seed FIRST on, each in both clocks: once through, and in slices of events with the report
looked at after each.  Reports, samples, notes and errors must be equal to the last bit.  Says how many runs the function
carried through and how many it left to the other forms.
"""

from __future__ import annotations

import sys
from typing import Any

from serq_interpreter.ir.program import Program
from serq_interpreter.machine.generated.serving.driver import Serving
from serq_interpreter.machine.run import Budget, Run
from tests.machine.forms import CLOCKS, everything
from tests.machine.many_programs import compare_many
from tests.machine.serving_programs import serving_text

_EVENTS = 20_000
_SLICE = 777


def sliced(program: Program, clock: str, **options: Any) -> tuple[Run, list[dict[str, Any]]]:
    """A run in slices of events, with what it came to after each."""
    run = Run(program, clock=clock, record=True, **options)  # type: ignore[arg-type]
    results = []
    for number in range(1, 8):
        result = run.go(Budget(events=_SLICE * number))
        # A later slice writes on in the same series.
        results.append(everything(result))
        if result.status != "partial":
            break
    return run, results


def whole(program: Program, clock: str, **options: Any) -> tuple[Run, list[dict[str, Any]]]:
    """A run of at most so many events."""
    run = Run(program, clock=clock, record=True, **options)  # type: ignore[arg-type]
    return run, [everything(run.go(Budget(events=_EVENTS)))]


def differing(program: Program) -> tuple[list[str], list[str]]:
    """The runs that differ from the reference's, and which form carried each through."""
    found, forms = [], []
    for clock in CLOCKS:
        for way in (whole, sliced):
            _, expected = way(program, clock, reference=True)
            run, results = way(program, clock)
            forms.append("carried through" if isinstance(run.fast, Serving) else "left to others")
            if repr(results) != repr(expected):
                found.append(f"{way.__name__} [{clock}]")
    return found, forms


if __name__ == "__main__":
    sys.exit(compare_many(__doc__ or "", serving_text, differing, sys.argv[1:]))
