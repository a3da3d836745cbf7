"""The case corpus through the front end: verdicts, places, kernels.  `python -m tests.conformance` prints the counts."""

from __future__ import annotations

import pytest

from tests.conformance import judge
from tests.support.cases import Case, all_cases

CASES = all_cases()
SAMPLE = CASES[::9]
"""What the quick tests look at; the full suite looks at everything."""


def _check(case: Case) -> None:
    problems = [verdict.problem for verdict in judge(case) if verdict.problem]
    assert not problems, f"{case.area}/{case.name}: {problems}"


def test_the_corpus_is_there() -> None:
    assert len(CASES) > 1500
    assert len({case.area for case in CASES}) == 29


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_sample(case: Case) -> None:
    _check(case)


@pytest.mark.full
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case(case: Case) -> None:
    _check(case)
