"""A command that compares runs of many generated programs: `FIRST COUNT [--seconds S]`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic

from serq_interpreter.ir.program import Program
from tests.support.compiling import program_from

Differing = Callable[[Program], tuple[list[str], list[str]]]
"""Of a program: the runs that differ, and the forms that ran."""


def compare_many(
    description: str, text_of: Callable[[int], str], differing: Differing, arguments: Sequence[str]
) -> int:
    """Compare COUNT programs from the seed FIRST on; 1 if some differ.  Says at which seed it stopped when the time is up."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
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
                print(f"seed {seed}: {', '.join(found)}", flush=True)
        seed += 1
    print(f"seeds {options.first} to {seed - 1}: {compared} programs compared, {different} differ; {dict(forms)}")
    return 1 if different else 0
