"""The corpus's recorded runs, run errors and measured schedules, on both clocks and in both forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine.conformance import EXCEPTIONS, compare, error_cases, error_code, expected_runs
from tests.machine.schedules import differences, schedules


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name.split('.')[0]}"


@pytest.mark.parametrize("path", expected_runs(), ids=_name)
def test_recorded_run(path: Path) -> None:
    assert compare(path).differences == []


@pytest.mark.parametrize("path", expected_runs(), ids=_name)
def test_recorded_run_by_the_exact_clock(path: Path) -> None:
    """The form that a user gets by default; a case whose ties the exact clock makes or breaks must still be one."""
    found = compare(path, "exact", check_invariants=False).differences
    assert (found != []) == (_name(path) in EXCEPTIONS), found


@pytest.mark.full
@pytest.mark.parametrize("path", expected_runs(), ids=_name)
def test_recorded_run_in_the_other_forms(path: Path) -> None:
    assert compare(path, "f64", check_invariants=False).differences == []
    assert (compare(path, "exact").differences != []) == (_name(path) in EXCEPTIONS)


@pytest.mark.parametrize(("path", "code"), list(error_cases()), ids=lambda value: getattr(value, "stem", value))
@pytest.mark.parametrize("clock", ["f64", "exact"])
def test_run_error(path: Path, code: str, clock: str) -> None:
    assert error_code(path, clock) == code


@pytest.mark.parametrize("path", schedules(), ids=_name)
def test_schedule(path: Path) -> None:
    assert differences(path) == []


@pytest.mark.full
@pytest.mark.parametrize("path", schedules(), ids=_name)
def test_schedule_by_the_exact_clock(path: Path) -> None:
    assert differences(path, "exact") == []
