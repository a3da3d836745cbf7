"""Random edits and requests: nothing raised, nothing left, no growth (`tests/e2e/soak.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.soak import soak


def _check(count: int, folder: Path, trusted: bool) -> None:
    outcome = soak(count, 20_260, folder, trusted)
    assert outcome.complaints == []
    assert outcome.left == []
    assert outcome.exit_code == 0
    assert outcome.late <= 1.2 * outcome.early


def test_a_short_soak(tmp_path: Path) -> None:
    _check(400, tmp_path, trusted=False)


@pytest.mark.full
def test_a_long_soak(tmp_path: Path) -> None:
    _check(10_000, tmp_path, trusted=False)


@pytest.mark.full
def test_a_soak_with_runs_in_the_background(tmp_path: Path) -> None:
    _check(1_500, tmp_path, trusted=True)
