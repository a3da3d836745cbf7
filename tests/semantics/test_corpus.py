"""Elaboration over a part of the corpus; `conformance.py` beside this file runs all of it."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.semantics.conformance import problems
from tests.support.cases import Case, all_cases

AREAS = ("names", "constants", "sides", "ir", "gauges")
CASES = [case for case in all_cases() if case.area in AREAS]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.area}-{case.name}")
def test_case_has_the_expected_findings_and_ir(case: Case) -> None:
    assert problems(case, Counter()) == []
