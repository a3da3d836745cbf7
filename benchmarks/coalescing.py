"""Iterations taken together, beside one by one and beside the reference implementation, in one run.

    python benchmarks/coalescing.py                   every regime, three rounds
    python benchmarks/coalescing.py unc fluid -n 7
    python benchmarks/coalescing.py --full            the horizons of the study

Draws, run and report of an already compiled program are timed (processor seconds), variants interleaved; a ratio is the
median over the rounds of (the reference's time / ours): above 1 is faster than the reference.  `steps` is how many
iterations a step of ours stands for on average; it does not depend on the machine.
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
from serq_interpreter.machine.generated.drive import Coalescing  # noqa: E402

REGIMES: dict[str, tuple[str, dict[str, float], float, float]] = {
    "unc": ("chat.sq", {"lam": 0.5}, 2000.0, 300.0),
    "busy": ("chat.sq", {"lam": 2.0}, 2000.0, 200.0),
    "con": ("chat.sq", {"lam": 4.0}, 1000.0, 150.0),
    "fluid": ("fluid.sq", {}, 200.0, 50.0),
    "big": ("big.sq", {}, 100.0, 20.0),
    "multi": ("multi.sq", {}, 200.0, 15.0),
}
"""Program, settings, the study's horizon and a shorter one."""


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
    options = parser.parse_args()
    print(f"{'regime':8} {'variant':18} {'ms':>9} {'ratio':>8} {'iterations/step':>16}")
    for name in options.regimes or REGIMES:
        print_regime(name, options)


def print_regime(name: str, options: argparse.Namespace) -> None:
    """Run one regime in every variant and print its rows."""
    file, sets, full, short = REGIMES[name]
    horizon = full if options.full else short
    path = HERE / "programs" / file
    theirs = pyserq.compile(str(path), sets=sets, horizon=horizon)
    ours = serq_interpreter.compile(path, sets=sets, horizon=horizon)
    variants: dict[str, Callable[[Row], None]] = {"reference": lambda _row: _discard(pyserq.run(theirs).json())}
    for clock in ("exact", "f64"):
        for numpy in (False, True):
            variants[f"{clock}{' numpy' if numpy else ''}"] = _variant(ours, clock, numpy, True)
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
        print(f"{name:8} {variant:18} {1000 * median(row.seconds):9.1f} {ratio:8.2f} {row.per_step:16.1f}", flush=True)


def _discard(_text: str) -> None:
    """The reference's report has been made; its text is not looked at."""


def _variant(program: Any, clock: str, numpy: bool, coalesce: bool) -> Callable[[Row], None]:
    def run(row: Row) -> None:
        substreams.use_numpy(numpy)
        substreams.forget()
        started = program.start(clock=clock, record=False, coalesce=coalesce)
        result = started.go()
        driver = started.fast
        if isinstance(driver, Coalescing):
            iterations = sum(stage["iterations"] for stage in result.report["stages"])
            taken = sum(window.iterations for window in driver.windows)
            windows = sum(window.windows for window in driver.windows)
            row.per_step = iterations / max(1, windows + iterations - taken)

    return run


if __name__ == "__main__":
    main()
