"""The machine beside the reference implementation, on the same programs, in one run.

    python benchmarks/machine.py                    every program, five rounds
    python benchmarks/machine.py mm1 chat -n 9      some programs, nine rounds
    python benchmarks/machine.py --memory           peak memory of a million sessions
    python benchmarks/machine.py --start            from process start to a finished report

Every round runs every variant once, so that a busy machine slows all of them.  A ratio is the median over the rounds
of (the reference's time / ours): above 1 is faster than the reference.  Times include draws and report, not reading
the program; blocks of draws are forgotten before each run.  Rows `compiled` are there where serq-lsp-native is
installed (`pip install ./native`); the other rows leave it aside.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "interpreter"), str(HERE.parent / "grammar")]

import pyserq  # noqa: E402 - the paths come first

import serq_interpreter  # noqa: E402
from serq_interpreter.machine import substreams  # noqa: E402
from serq_interpreter.machine.native import loader  # noqa: E402


@dataclass(frozen=True, slots=True)
class Case:
    """A program and the settings that make it a regime of the performance study."""

    file: str
    sets: dict[str, float]
    horizon: float | None = None


CASES = {
    "mm1": Case("mm1.sq", {}),
    "ps": Case("mm1ps.sq", {}),
    "unc": Case("chat.sq", {"lam": 0.5}),
    "busy": Case("chat.sq", {"lam": 2.0}),
    "con": Case("chat.sq", {"lam": 4.0}, 1000.0),
    "fluid": Case("fluid.sq", {}),
    "big": Case("big.sq", {}, 100.0),
    "multi": Case("multi.sq", {}),
}
QUICK = {
    "unc": 200.0,
    "busy": 200.0,
    "con": 150.0,
    "fluid": 20.0,
    "big": 30.0,
    "multi": 20.0,
    "mm1": 20_000.0,
    "ps": 20_000.0,
}
"""Horizons that keep a round within a few seconds."""


@dataclass(slots=True)
class Row:
    """Times of one variant, one per round, and what a run of it did."""

    seconds: list[float]
    events: int = 0
    iterations: int = 0


def main() -> None:
    options = _options()
    if options.memory:
        print_memory()
    elif options.start:
        print_start(options.rounds)
    else:
        for name in options.programs or CASES:
            print_case(name, CASES[name], options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="regimes; all by default")
    parser.add_argument("-n", "--rounds", type=int, default=5)
    parser.add_argument("--full", action="store_true", help="the horizons of the study instead of shorter ones")
    parser.add_argument("--json", action="store_true", help="one line of JSON per regime")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--start", action="store_true")
    return parser.parse_args()


# --------------------------------------------------------------------------- speed


def print_case(name: str, case: Case, options: argparse.Namespace) -> None:
    """Run all variants of one regime and print their rates and ratios."""
    path = HERE / "programs" / case.file
    horizon = case.horizon if options.full else QUICK[name]
    program = serq_interpreter.compile(path, sets=case.sets, horizon=horizon)
    theirs = pyserq.compile(str(path), sets=case.sets, horizon=horizon)
    variants: dict[str, Callable[[], dict[str, Any]]] = {"reference": lambda: json.loads(pyserq.run(theirs).json())}
    for clock in ("f64", "exact"):
        for numpy in (False, True):
            variants[f"{clock}{' numpy' if numpy else ''}"] = _run_of(program, clock, numpy)
        if loader.status() == loader.USED:
            variants[f"{clock} compiled"] = _run_of(program, clock, numpy=True, compiled=True)
    rows = {variant: Row([]) for variant in variants}
    for _ in range(options.rounds):
        for variant, run in variants.items():
            gc.collect()
            began = perf_counter()
            report = run()
            rows[variant].seconds.append(perf_counter() - began)
            rows[variant].events = report["events"]
            rows[variant].iterations = sum(stage["iterations"] for stage in report["stages"])
    _print_rows(name, rows, options.json)


def _run_of(program: Any, clock: str, numpy: bool, compiled: bool = False) -> Callable[[], dict[str, Any]]:
    def run() -> dict[str, Any]:
        substreams.use_numpy(numpy)
        loader.use_native(compiled)
        substreams.forget()
        try:
            report: dict[str, Any] = program.run(clock=clock, record=False).fields
        finally:
            loader.use_native(True)
        return report

    return run


def _print_rows(name: str, rows: dict[str, Row], as_json: bool) -> None:
    reference = rows["reference"].seconds
    found = {
        variant: {
            "ms": 1000.0 * median(row.seconds),
            "ratio": median(theirs / ours for theirs, ours in zip(reference, row.seconds, strict=True)),
            "events/s": row.events / median(row.seconds),
            "iterations/s": row.iterations / median(row.seconds),
        }
        for variant, row in rows.items()
    }
    if as_json:
        print(json.dumps({"program": name, "variants": found}), flush=True)
        return
    print(f"{name:16} {'ms':>10} {'ratio':>8} {'events/s':>12} {'iterations/s':>13}")
    for variant, numbers in found.items():
        print(
            f"  {variant:14} {numbers['ms']:10.1f} {numbers['ratio']:8.3f} {numbers['events/s']:12,.0f} "
            f"{numbers['iterations/s']:13,.0f}",
            flush=True,
        )


# --------------------------------------------------------------------------- memory and start


def print_memory() -> None:
    """Peak resident memory of a million-session M/M/1 run in a process of its own."""
    code = (
        "import resource, sys; from serq_lsp.cli.main import run_command_line as run\n"
        "try: run(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)"
    )
    arguments = ["run", str(HERE / "programs" / "mm1.sq"), "--horizon", "1250000", "--json"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=_environment())
    arrivals = json.loads(done.stdout)["arrivals"]
    print(f"{arrivals:,} sessions: peak {done.stderr.split()[-1]} MiB")


def print_start(rounds: int) -> None:
    """Wall-clock seconds of `serq-lsp run` on the uncongested chat program, process start included."""
    command = [sys.executable, "-m", "serq_lsp", "run", str(HERE / "programs" / "chat.sq")]
    seconds = []
    for _ in range(rounds):
        began = perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=_environment())
        seconds.append(perf_counter() - began)
    print(f"process start to report of the 2,000 s chat: {median(seconds):.2f} s (median of {rounds})")


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(sys.path[:3])}


if __name__ == "__main__":
    main()
