"""Under the pure semantics every law holds without exception, whatever the program; the command line says which it is."""

from __future__ import annotations

from typing import Any

import pytest

from serq_interpreter.machine.run import Budget, run_program
from tests.machine.forms import CLOCKS, corpus_programs, generated_programs
from tests.support.cases import CASES
from tests.support.command_line import call

WITH_QUIRK = str(CASES / "pools" / "pools_holders_count_places.sq")


def _laws_hold(programs: Any) -> int:
    """Run under the checks; how many programs there were.  A broken law raises."""
    n = 0
    for name, make, options in programs:
        try:
            program = make()
        except ValueError:  # a case whose point is a compile-time error
            continue
        for clock in CLOCKS:
            budget = Budget(events=100_000)
            result = run_program(
                program, clock=clock, semantics="pure", check_invariants=True, budget=budget, **options
            )
            assert not any("oddity" in note for note in result.notes), name
        n += 1
    return n


def test_generated_programs() -> None:
    assert _laws_hold(generated_programs(0, 5)) > 10


@pytest.mark.full
def test_many_generated_programs() -> None:
    assert _laws_hold(generated_programs(3000, 100)) > 250


@pytest.mark.full
def test_corpus() -> None:
    assert _laws_hold(corpus_programs()) > 600


def test_the_command_line_says_what_touched_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    edition = call(capsys, "run", WITH_QUIRK)
    pure = call(capsys, "run", "--semantics", "pure", "--check-invariants", WITH_QUIRK)
    assert edition.code == pure.code == 0
    assert "`places_lost`" in edition.out
    assert "oddity" not in pure.out and edition.out != pure.out
