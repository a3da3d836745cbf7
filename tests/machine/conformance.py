"""Compare runs with the corpus's recorded ones: `python -m tests.machine.conformance [--clock NAME] [AREA…]`.

Counts must be equal; reals equal, or within the tolerance of the clock (f64: 1e-12 relative,
for sums whose order the reference leaves open; exact: 1e-6).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.run import RunResult, run_program
from tests.support.cases import CASES, CORPUS, expectation
from tests.support.compiling import program_of
from tests.support.expected import expected_samples

TOLERANCE = {"f64": 1e-12, "exact": 1e-6}
EXCEPTIONS: dict[str, str] = {}
"""Cases (`area/name`) where exact arithmetic makes or breaks a tie, so that the exact clock takes another path, and why.

None of the recorded runs is one: all are met within the tolerance by both clocks."""
WORDS = {"inf": inf, "-inf": -inf, "nan": float("nan")}


@dataclass
class Outcome:
    """`inexact` counts reals that are equal within the tolerance only."""

    name: str
    differences: list[str] = field(default_factory=list)
    inexact: int = 0


def expected_runs(areas: Sequence[str] = ()) -> list[Path]:
    """The `.expect.json` files of the areas (all when none is named)."""
    return [path for path in sorted(CASES.glob("*/*.expect.json")) if not areas or path.parent.name in areas]


def program_path(expectation_path: Path) -> Path:
    stem = expectation_path.name.removesuffix(".expect.json")
    text = expectation_path.with_name(f"{stem}.sq")
    return text if text.exists() else expectation_path.with_name(f"{stem}.program.json")


def run_case(path: Path, clock: str = "f64", **options: Any) -> RunResult:
    expected = expected_samples(path)
    source = program_path(path)
    program = program_of(source)
    return run_program(program, seed=expected.seed, directory=source.parent, clock=clock, record=True, **options)  # type: ignore[arg-type]


def compare(path: Path, clock: str = "f64", *, check_invariants: bool = True) -> Outcome:
    """Run one case and compare everything that was recorded; a run that is checked is one of the reference form."""
    outcome = Outcome(f"{path.parent.name}/{path.name.removesuffix('.expect.json')}")
    result = run_case(path, clock, check_invariants=check_invariants)
    if result.error is not None:
        outcome.differences.append(f"run error {result.error.code}: {result.error.message}")
        return outcome
    compare_result(result, path, outcome, TOLERANCE[clock])
    return outcome


def compare_result(result: RunResult, path: Path, outcome: Outcome, tolerance: float) -> None:
    expected = expected_samples(path)
    measured = json.loads(report_json(result.report))
    _compare("", expected.report, measured, outcome, tolerance)
    for name, series in expected.series.items():
        mine = result.series[name]
        _compare(f"samples.{name}.times", list(series.times), list(mine.times or ()), outcome, tolerance)
        _compare(f"samples.{name}.sessions", list(series.sessions), list(mine.sessions or ()), outcome, tolerance)
        _compare(f"samples.{name}.turns", list(series.turns), list(mine.turns or ()), outcome, tolerance)
        _compare(f"samples.{name}.values", list(series.values), list(mine.values), outcome, tolerance)
    for name, points in expected.gauges.items():
        gauge = result.gauges[name]
        _compare(f"gauges.{name}.times", list(points.times), list(gauge.times), outcome, tolerance)
        _compare(f"gauges.{name}.values", list(points.values), list(gauge.values), outcome, tolerance)


def _compare(where: str, wanted: Any, got: Any, outcome: Outcome, tolerance: float) -> None:
    if where.endswith(".serq_version"):
        return
    if isinstance(wanted, dict) and isinstance(got, dict):
        if list(wanted) != list(got):
            outcome.differences.append(f"{where}: keys {list(wanted)} != {list(got)}")
        for key in wanted.keys() & got.keys():
            _compare(f"{where}.{key}", wanted[key], got[key], outcome, tolerance)
    elif isinstance(wanted, list) and isinstance(got, list):
        if len(wanted) != len(got):
            outcome.differences.append(f"{where}: {len(wanted)} values != {len(got)}: {wanted[:8]} != {got[:8]}")
            return
        for number, (one, other) in enumerate(zip(wanted, got, strict=True)):
            _compare(f"{where}[{number}]", one, other, outcome, tolerance)
    elif not _equal(wanted, got, outcome, tolerance):
        outcome.differences.append(f"{where}: {wanted} != {got}")


def _equal(wanted: Any, got: Any, outcome: Outcome, tolerance: float) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool) or wanted is None or got is None:
        return wanted is got
    if not isinstance(wanted, int | float) or not isinstance(got, int | float):
        return bool(wanted == got)
    if wanted == got or (wanted != wanted and got != got):
        return True
    if tolerance < 1e-9 and isinstance(wanted, int) and isinstance(got, int) and abs(wanted) < 2**53:
        return False
    if abs(wanted - got) <= tolerance * max(abs(wanted), abs(got), 1.0 if tolerance > 1e-9 else 0.0):
        outcome.inexact += 1
        return True
    return False


# --------------------------------------------------------------------------- run errors


def error_cases() -> Iterator[tuple[Path, str]]:
    """Programs that compile and whose run fails, with the code."""
    for path in sorted(CASES.glob("*/*.sq")):
        expected = expectation(path.read_bytes().decode("utf-8").split("\n", 1)[0])
        if expected is not None and expected.run_code is not None:
            yield path, expected.run_code


def error_code(path: Path, clock: str = "f64") -> str | None:
    result = run_program(program_of(path), directory=path.parent, clock=clock)  # type: ignore[arg-type]
    return None if result.error is None else result.error.code


# --------------------------------------------------------------------------- command


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clock", default="f64", choices=sorted(TOLERANCE))
    parser.add_argument("--verbose", "-v", action="store_true")
    parser.add_argument("areas", nargs="*")
    options = parser.parse_args(arguments)
    counts: dict[str, list[int]] = {}
    for path in expected_runs(options.areas):
        count = counts.setdefault(path.parent.name, [0, 0, 0])
        count[1] += 1
        try:
            outcome = compare(path, options.clock)
        except Exception as error:
            if options.verbose:
                raise
            outcome = Outcome(str(path.relative_to(CORPUS)), [f"{type(error).__name__}: {error}"])
        excepted = options.clock == "exact" and outcome.name in EXCEPTIONS
        if excepted:
            print(f"{outcome.name}: excepted, {EXCEPTIONS[outcome.name]}")
        count[0] += not outcome.differences or excepted
        count[2] += outcome.inexact
        if outcome.differences and not excepted:
            print(f"{outcome.name}: {len(outcome.differences)} differences")
            for line in outcome.differences[: 40 if options.verbose else 3]:
                print(f"    {line}")
    for path, code in error_cases():
        if options.areas and path.parent.name not in options.areas:
            continue
        count = counts.setdefault(f"{path.parent.name} (errors)", [0, 0, 0])
        count[1] += 1
        got = error_code(path, options.clock)
        count[0] += got == code
        if got != code:
            print(f"{path.parent.name}/{path.stem}: error {got}, expected {code}")
    for area, (met, total, inexact) in sorted(counts.items()):
        print(f"{area:22} {met:4} of {total:4}" + (f"   {inexact} reals within tolerance only" if inexact else ""))
    met, total = (sum(count[i] for count in counts.values()) for i in (0, 1))
    print(f"{'total':22} {met:4} of {total:4}")
    return 0 if met == total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
