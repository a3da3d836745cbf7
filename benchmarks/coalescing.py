"""Iterations taken together, beside one by one and beside the reference implementation, in one run.

    python benchmarks/coalescing.py                   every regime, three rounds
    python benchmarks/coalescing.py unc fluid -n 7
    python benchmarks/coalescing.py --full            the horizons of the study
    python benchmarks/coalescing.py --scale           what an iteration costs with 1 to 256 residents

Draws, run and report of an already compiled program are timed (processor seconds), variants interleaved; a ratio is the
median over the rounds of (the reference's time / ours): above 1 is faster than the reference; `wanted` is the ratio
aimed at.  `iterations/step` is how many iterations a step of ours stands for on average; it does not depend on the
machine.  `big` has 150 residents, `one by one` an engine without the licence.  With `--scale` nothing is coalesced: the
engine's cohort is what makes an iteration cheap.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "interpreter"), str(HERE.parent / "grammar")]

import pyserq  # noqa: E402 - the paths come first

import serq_interpreter  # noqa: E402
from serq_interpreter.machine import substreams  # noqa: E402
from serq_interpreter.machine.native import loader  # noqa: E402

REGIMES: dict[str, tuple[str, dict[str, float], float, float]] = {
    "unc": ("chat.sq", {"lam": 0.5}, 2000.0, 300.0),
    "busy": ("chat.sq", {"lam": 2.0}, 2000.0, 200.0),
    "con": ("chat.sq", {"lam": 4.0}, 1000.0, 150.0),
    "fluid": ("fluid.sq", {}, 200.0, 50.0),
    "big": ("big.sq", {}, 100.0, 50.0),
    "multi": ("multi.sq", {}, 200.0, 15.0),
    "clocked": ("clocked.sq", {}, 300.0, 130.0),
}
"""Program, settings, the study's horizon and a shorter one."""

WANTED: dict[str, dict[str, float]] = {
    "unc": {"exact": 3, "f64": 1.2, "exact numpy": 4, "f64 numpy": 2.2},
    "busy": {"f64": 1.7, "f64 numpy": 2.5},
    "con": {"f64": 3.5, "f64 numpy": 4.5},
    "fluid": {"exact": 80, "f64": 1.2, "exact numpy": 80, "f64 numpy": 12},
    "big": {"f64": 18, "f64 numpy": 28},
    "multi": {"exact": 6, "exact numpy": 8},
    "clocked": {"exact": 0.4, "f64": 0.4, "exact numpy": 0.4, "f64 numpy": 0.4},
}
"""Ratios aimed at; `clocked` reads the clock in its cost, which costs it the licence."""


@dataclass(slots=True)
class Row:
    seconds: list[float] = field(default_factory=list)
    per_step: float = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("regimes", nargs="*", metavar="REGIME", help=f"of {', '.join(REGIMES)}; all by default")
    parser.add_argument("-n", "--rounds", type=int, default=3)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--one-by-one", action="store_true", help="also without coalescing, which takes long")
    parser.add_argument("--scale", action="store_true", help="what an iteration costs, by residents")
    options = parser.parse_args()
    if options.scale:
        print_scale(options.rounds)
        return
    print(f"{'regime':8} {'variant':18} {'ms':>9} {'compile':>8} {'ratio':>8} {'wanted':>7} {'iterations/step':>16}")
    for name in options.regimes or REGIMES:
        print_regime(name, options)


def print_regime(name: str, options: argparse.Namespace) -> None:
    """Run one regime in every variant and print its rows."""
    file, sets, full, short = REGIMES[name]
    horizon = full if options.full else short
    path = HERE / "programs" / file
    began = process_time()
    theirs = pyserq.compile(str(path), sets=sets, horizon=horizon)
    compiled = [process_time() - began]
    began = process_time()
    ours = serq_interpreter.compile(path, sets=sets, horizon=horizon)
    compiled.append(process_time() - began)
    variants: dict[str, Callable[[Row], None]] = {"reference": lambda _row: _discard(pyserq.run(theirs).json())}
    for clock in ("exact", "f64"):
        for numpy in (False, True):
            variants[f"{clock}{' numpy' if numpy else ''}"] = _variant(ours, clock, numpy, True)
        if loader.status() == loader.USED:
            variants[f"{clock} compiled"] = _variant(ours, clock, True, True, native=True)
        if options.one_by_one:
            variants[f"{clock} one by one"] = _variant(ours, clock, False, False)
    rows = {variant: Row() for variant in variants}
    for _ in range(options.rounds):
        for variant, run in variants.items():
            gc.collect()
            began = process_time()
            run(rows[variant])
            rows[variant].seconds.append(process_time() - began)
    reference = rows["reference"].seconds
    for variant, row in rows.items():
        ratio = median(one / other for one, other in zip(reference, row.seconds, strict=True))
        wanted = WANTED[name].get(variant)
        compiling = 1000 * compiled[variant != "reference"]
        print(
            f"{name:8} {variant:18} {1000 * median(row.seconds):9.1f} {compiling:8.1f} {ratio:8.2f} "
            f"{'' if wanted is None else wanted:>7} {row.per_step:16.1f}",
            flush=True,
        )


def print_scale(rounds: int) -> None:
    """Microseconds an iteration takes in each implementation, by the number of residents that decode."""
    print(f"{'residents':>9} {'reference':>10} {'cohort':>8} {'ratio':>7}   microseconds an iteration")
    path = HERE / "programs" / "residents.sq"
    for residents in (1, 4, 16, 64, 256):
        sets = {"N": float(residents)}
        theirs = pyserq.compile(str(path), sets=sets)
        ours = serq_interpreter.compile(path, sets=sets)
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(rounds):
            began = process_time()
            iterations = pyserq.run(theirs).stages[0].iterations
            times[0].append((process_time() - began) / iterations)
            began = process_time()
            result = ours.start(clock="f64", record=False, coalesce=False).go()
            times[1].append((process_time() - began) / result.report["stages"][0]["iterations"])
        reference, cohort = (1e6 * median(one) for one in times)
        print(f"{residents:9} {reference:10.2f} {cohort:8.2f} {reference / cohort:7.2f}", flush=True)


def _discard(_text: str) -> None:
    """The reference's report has been made; its text is not looked at."""


def _variant(program: Any, clock: str, numpy: bool, coalesce: bool, native: bool = False) -> Callable[[Row], None]:
    def run(row: Row) -> None:
        substreams.use_numpy(numpy)
        loader.use_native(native)
        substreams.forget()
        try:
            started = program.start(clock=clock, record=False, coalesce=coalesce)
            result = started.go()
        finally:
            loader.use_native(True)
        stages = zip(result.report["stages"], started.iterations_per_step(), strict=True)
        steps = [(stage["iterations"], each) for stage, each in stages if each]
        row.per_step = sum(n for n, _ in steps) / max(1.0, sum(n / each for n, each in steps))

    return run


if __name__ == "__main__":
    main()
