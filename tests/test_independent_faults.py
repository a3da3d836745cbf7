"""A file with many faults: each is reported, once, where it is, and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from serq_interpreter.frontend.analysis import analyse
from tests.support.faults import ITEMS, STATEMENTS, faulty


def judge(seed: int, count: int) -> str:
    """A complaint when the faults reported are not those that were made."""
    program = faulty(Random(seed), count)
    found = tuple(
        (item.code, item.location.start.line, item.location.start.column)
        for item in analyse(program.text, "faulty.sq").diagnostics
        if item.code < "SQ1000"
    )
    if found == program.faults:
        return ""
    missing = sorted(set(program.faults) - set(found))
    more = sorted(set(found) - set(program.faults))
    return f"seed {seed}: not reported {missing}, reported besides {more}\n{program.text}"


@pytest.mark.parametrize("count", [1, 3, 5, 10])
def test_every_independent_fault_is_reported_alone_and_in_its_place(count: int) -> None:
    complaints = [judge(seed, count) for seed in range(40)]
    assert [complaint for complaint in complaints if complaint] == []


@pytest.mark.full
@pytest.mark.parametrize("count", [3, 5, 10])
def test_many_such_programs(count: int) -> None:
    complaints = [judge(seed, count) for seed in range(1000, 1400)]
    assert [complaint for complaint in complaints if complaint] == []


def test_the_fragments_cover_syntax_names_moments_and_values() -> None:
    codes = ITEMS.keys() | STATEMENTS.keys()
    assert {code[:4] for code in codes} >= {"SQ01", "SQ02", "SQ03", "SQ04", "SQ05", "SQ08"}
