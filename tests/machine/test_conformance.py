"""The corpus's recorded runs, run errors and measured schedules, on every clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machine.conformance import compare, error_cases, error_code, expected_runs
from tests.machine.schedules import differences, schedules


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name.split('.')[0]}"


@pytest.mark.parametrize("path", expected_runs(), ids=_name)
def test_recorded_run(path: Path) -> None:
    assert compare(path).differences == []


@pytest.mark.parametrize(("path", "code"), list(error_cases()), ids=lambda value: getattr(value, "stem", value))
def test_run_error(path: Path, code: str) -> None:
    assert error_code(path) == code


@pytest.mark.parametrize("path", schedules(), ids=_name)
def test_schedule(path: Path) -> None:
    assert differences(path) == []
