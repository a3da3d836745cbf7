"""Compare the executions of programs: `python -m tests.machine.forms [--from N] [--programs N] [--corpus]`.

Every program runs by the reference and by the fast forms, in both clocks; reports, samples, gauges, notes and errors must
be equal to the last bit.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from serq_interpreter.ir.program import Program
from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.run import Budget, RunResult, run_program
from tests.machine.engine_programs import engine_text
from tests.machine.event_programs import event_text
from tests.machine.programs import program_text
from tests.machine.window_programs import window_text
from tests.support.cases import CASES, CORPUS
from tests.support.compiling import program_from, program_of

CLOCKS = ("f64", "exact")


def everything(result: RunResult) -> dict[str, Any]:
    """What two executions must agree on."""
    error = result.error
    return {
        "status": result.status,
        "report": report_json(result.report),
        "error": None if error is None else (error.code, error.message, error.session, error.time),
        "notes": result.notes,
        "samples": {
            name: (list(series.values), list(series.times or ()), list(series.sessions or ()), list(series.turns or ()))
            for name, series in result.series.items()
        },
        "gauges": {name: (list(gauge.times), list(gauge.values)) for name, gauge in result.gauges.items()},
    }


def difference(program: Program, clock: str, **options: Any) -> tuple[str | None, RunResult]:
    """The first difference between the reference and the form chosen, and what the latter came to.

    Where that takes iterations together the form that takes them one by one is compared, too.
    """
    budget = Budget(events=200_000)
    slow = everything(run_program(program, clock=clock, reference=True, budget=budget, **options))  # type: ignore[arg-type]
    fast = run_program(program, clock=clock, budget=budget, **options)  # type: ignore[arg-type]
    found = _first_difference(slow, fast)
    if found is None and fast.form == "coalesced":
        single = run_program(program, clock=clock, budget=budget, coalesce=False, **options)  # type: ignore[arg-type]
        found = _first_difference(slow, single)
    if found is None and fast.form == "coalesced":
        windows = run_program(program, clock=clock, budget=budget, whole=False, **options)  # type: ignore[arg-type]
        found = _first_difference(slow, windows)
    return found, fast


def _first_difference(slow: dict[str, Any], fast: RunResult) -> str | None:
    other = everything(fast)
    for key, value in slow.items():
        if repr(value) != repr(other[key]):
            return f"{key} ({fast.form}):\n  {_around(repr(value), repr(other[key]))}"
    return None


def _around(one: str, other: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, at - 120) : at + 80]}\n  {other[max(0, at - 120) : at + 80]}"


def corpus_programs() -> Iterator[tuple[str, Callable[[], Program], dict[str, Any]]]:
    """Every program of the corpus that compiles, with the options of its run."""
    paths: list[Path] = [*sorted(CASES.glob("*/*.sq")), *sorted(CASES.glob("*/*.program.json"))]
    paths += sorted((CORPUS / "vllm").glob("**/*.sq"))
    for path in paths:
        yield str(path.relative_to(CORPUS)), partial(program_of, path), {"directory": path.parent}


def generated_programs(first: int, number: int) -> Iterator[tuple[str, Callable[[], Program], dict[str, Any]]]:
    for kind, text in (
        ("windows", window_text),
        ("events", event_text),
        ("engines", engine_text),
        ("programs", program_text),
    ):
        for seed in range(first, first + number):
            yield f"{kind} {seed}", partial(_random_program, text, seed), {}


def _random_program(text: Callable[[int], str], seed: int) -> Program:
    return program_from(text(seed))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--corpus", action="store_true")
    parser.add_argument("--kind", default="")
    options = parser.parse_args(arguments)
    runs = corpus_programs() if options.corpus else generated_programs(options.first, options.programs)
    forms: Counter[str] = Counter()
    different = 0
    for name, make, settings in runs:
        if not name.startswith(options.kind):
            continue
        try:
            program = make()
        except (ValueError, KeyError) as error:  # a program that does not compile has no forms
            forms[f"not compiled ({type(error).__name__})"] += 1
            continue
        for clock in CLOCKS:
            found, fast = difference(program, clock, record=True, **settings)
            forms[fast.form] += 1
            if found is not None:
                different += 1
                print(f"{name} [{clock}]: {found}")
    print(", ".join(f"{count} {form}" for form, count in sorted(forms.items())), f"- {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
