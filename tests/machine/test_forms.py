"""The reference form and the fast form of a run are equal to the last bit: reports, samples, gauges, notes, errors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine.forms import CLOCKS, corpus_programs, difference, generated_programs
from tests.support.compiling import program_from

PREEMPTED_FROM_OUTSIDE = """
pool kv { cap 6; preempt by (serial); } stage e : step { cost 2; } stage d : delay;
workload { arrive batch(3); }
session {
  branch (serial < 2) { hold kv (2) { run e prefill (1); run e decode (4) growing kv; } }
  else { run d (3); hold kv (1) { grow kv (3); run d (2); } }
}
run { horizon 40; }
"""


ADMITS_FIRST = """
pool kv { cap 16; admit via e; } stage e : step { cost 1; budget 3; memory kv; iteration { admit while (tokens < 4); serve; } }
stage d : delay;
workload { arrive batch(4); }
session {
  branch (serial < 3) { run d (serial / 4); hold kv (1) { run e decode (8); } }
  else { run d (2.5); hold kv (1) { observe admitted = now; } }
}
run { horizon 40; }
"""


def _equal(programs: Any) -> None:
    for name, make, options in programs:
        try:
            program = make()
        except ValueError:  # a case whose point is a compile-time error has no forms
            continue
        for clock in CLOCKS:
            found, _ = difference(program, clock, record=True, **options)
            assert found is None, f"{name} [{clock}]: {found}"


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_resident_preempted_from_outside_counts_until_the_iteration_ends(clock: str) -> None:
    # The growth of session 2 takes memory from a resident in the middle of an iteration: that iteration goes on to
    # count the decodes it began with, and the next one must not.
    assert difference(program_from(PREEMPTED_FROM_OUTSIDE), clock, record=True)[0] is None


@pytest.mark.parametrize("clock", CLOCKS)
def test_an_iteration_that_admits_before_it_serves_has_the_whole_budget_for_it(clock: str) -> None:
    # Three decodes use up the budget of three; the head that arrives meanwhile is admitted before they are served.
    assert difference(program_from(ADMITS_FIRST), clock, record=True)[0] is None


def test_generated_programs() -> None:
    _equal(generated_programs(0, 12))


@pytest.mark.full
def test_many_generated_programs() -> None:
    _equal(generated_programs(100, 400))


@pytest.mark.full
def test_corpus() -> None:
    _equal(corpus_programs())
