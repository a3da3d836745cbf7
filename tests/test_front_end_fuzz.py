"""Generated programs before the front end and the reference; `python -m tests.front_end_fuzz` is the long run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from serq_interpreter.frontend.analysis import analyse
from tests.front_end_fuzz import INTENDED, run
from tests.support import oracle
from tests.support.comparison import language_errors
from tests.support.coverage import Coverage
from tests.support.generate import damaged_programs, programs

needs_reference = pytest.mark.skipif(not oracle.AVAILABLE, reason="the reference implementation is not installed")


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=programs())
def test_an_accepted_program_has_a_kernel(text: str) -> None:
    analysis = analyse(text, "program.sq")
    assert (analysis.lowered is None) == bool(language_errors(analysis))


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=damaged_programs())
def test_a_damaged_program_is_judged(text: str) -> None:
    for item in analyse(text, "program.sq").diagnostics:
        assert 0 <= item.location.start_offset <= item.location.end_offset <= len(text)


@needs_reference
def test_some_programs_are_judged_as_the_reference_does() -> None:
    tallies = run(30, 500_000, Coverage(), cells=False)
    assert [item.difference for tally in tallies.values() for item in tally.differences] == []


@needs_reference
@pytest.mark.full
def test_many_programs_and_everything_that_they_met() -> None:
    coverage = Coverage()
    tallies = run(1000, 600_000, coverage)
    assert [item.difference for tally in tallies.values() for item in tally.differences] == []
    assert coverage.missing() == []


def test_the_table_of_differences_lists_every_intended_code() -> None:
    text = (Path(__file__).resolve().parents[1] / "docs" / "differences.md").read_text(encoding="utf-8")
    assert set(re.findall(r"SQ019\d", text)) == set(INTENDED)
