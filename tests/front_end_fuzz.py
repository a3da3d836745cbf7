"""Generated programs before the front end and the reference: `python -m tests.front_end_fuzz --programs 2000`.

As many well-formed programs as said, as many with one or two tokens damaged, and as many, made from them and from the
corpus, whose names clash or whose statements are rearranged.  Prints how each part was judged, every difference, and what
the grammar's productions, the IR's variants and the moment table's cells met.  Exit code 1 when there is a difference that
`docs/differences.md` does not list, or a cell that was never hit.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.support import found
from tests.support.cases import all_cases
from tests.support.comparison import Comparison, compare
from tests.support.coverage import Coverage
from tests.support.generate import mutated, program
from tests.support.generate.rearranging import rearranged
from tests.support.oracle_process import OracleProcess, Verdict

INTENDED = {
    "SQ0190": "our own limit of nesting",
    "SQ0191": "our own limit of size",
    "SQ0192": "our own limit of size",
}
"""Codes with which we refuse what the reference accepts or crashes on; `docs/differences.md` has the table."""


@dataclass
class Tally:
    """What one part of a run gave."""

    verdicts: Counter[str] = field(default_factory=Counter)
    differences: list[Comparison] = field(default_factory=list)
    intended: int = 0

    def add(self, comparison: Comparison) -> None:
        """Count one program."""
        self.verdicts[comparison.answer.verdict.value] += 1
        if not comparison.difference:
            return
        if set(comparison.codes) & INTENDED.keys():
            self.intended += 1
        else:
            self.differences.append(comparison)

    def line(self, name: str) -> str:
        """The counts in one line."""
        counts = ", ".join(f"{self.verdicts[verdict.value]} {verdict.value}" for verdict in Verdict)
        return f"{name:12} {counts}; {self.intended} intended differences, {len(self.differences)} others"


def run(programs: int, seed: int, coverage: Coverage, *, cells: bool = True) -> dict[str, Tally]:
    """Judge `programs` of each kind; the seeds are `seed` and the following."""
    tallies = {"well formed": Tally(), "damaged": Tally(), "rearranged": Tally()}
    corpus = [case.text for case in all_cases() if 'use "' not in case.text and len(case.text) < 4000]
    with OracleProcess() as reference:
        if cells:
            coverage.ask_known(reference)
            coverage.ask_cells(reference)
        for number in range(seed, seed + programs):
            random = Random(number)
            text = program(random)
            comparison = compare(text, reference)
            tallies["well formed"].add(comparison)
            coverage.add(comparison)
            damaged = mutated(text, random)[1]
            if random.random() < 0.15:
                damaged = mutated(damaged, random)[1]
            comparison = compare(damaged, reference)
            tallies["damaged"].add(comparison)
            coverage.add(comparison)
            changed = rearranged(random.choice(corpus) if random.random() < 0.6 else text, random)[1]
            if random.random() < 0.35:
                changed = rearranged(changed, random)[1]
            comparison = compare(changed, reference)
            tallies["rearranged"].add(comparison)
            coverage.add(comparison)
    return tallies


def main(arguments: list[str]) -> int:
    """Run, print and, with `--store DIR`, write the programs that differ there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--programs", type=int, default=2000, help="how many of each kind (2000)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first (0)")
    parser.add_argument(
        "--no-cells", action="store_true", help="leave the corpus and the cells of the moment table out"
    )
    parser.add_argument("--store", type=Path, help="where to write programs that differ")
    options = parser.parse_args(arguments)
    coverage = Coverage()
    tallies = run(options.programs, options.seed, coverage, cells=not options.no_cells)
    differences = []
    for name, tally in tallies.items():
        print(tally.line(name))
        differences += tally.differences
    for comparison in differences:
        print(f"\n{comparison.difference}\n{comparison.text}")
        if options.store is not None:
            name = hashlib.sha256(comparison.text.encode()).hexdigest()[:12]
            found.store(name, comparison.text, comparison.codes, comparison.answer, "to be looked at", options.store)
    print(coverage.report())
    return 1 if differences or coverage.missing() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
