"""The moment table against the reference's verdicts (recorded), and our findings against the table, cell by cell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.semantics.moments import MOMENTS, TABLE, moments_of, readable, verdict
from tests.rules.moment_programs import POSITIONS, program

ACCEPTED: dict[str, list[str]] = json.loads(
    (Path(__file__).parent / "moment_verdicts.json").read_text(encoding="utf-8")
)["accepted"]

OBSERVATIONS = ("total", "count", "largest", "smallest", "prefix_total")


def _wanted(read: str, moment: str, position: str) -> str:
    return verdict(read, moment, via=position.endswith("+via") and read == "register_own")


def test_table_agrees_with_the_reference_everywhere() -> None:
    wrong = [
        (read, position)
        for read in TABLE
        for moment, positions in POSITIONS.items()
        for position in positions
        if (_wanted(read, moment, position) == "") != (position in ACCEPTED[read])
    ]
    assert wrong == []


def test_every_cell_was_asked() -> None:
    assert set(POSITIONS) == set(MOMENTS)
    assert set(ACCEPTED) == set(TABLE)


def _judge(read: str, moment: str, position: str) -> str:
    """A complaint when our findings are not what the table says."""
    wanted = _wanted(read, moment, position)
    found = [item.code for item in analyse(program(read, moment, position), "cell.sq").diagnostics if item.code < "SQ1"]
    if found == ([wanted] if wanted else []):
        return ""
    # Where the reference meets an aggregate before it knows the observation, so do we (02 §6, notes).
    if read in OBSERVATIONS and wanted == "SQ0305" and found == ["SQ0207"]:
        return ""
    return f"{read} at {position}: expected {wanted or 'nothing'}, got {found}"


@pytest.mark.parametrize("moment", MOMENTS)
def test_findings_at_the_first_position_of_each_moment(moment: str) -> None:
    problems = [_judge(read, moment, POSITIONS[moment][0]) for read in TABLE]
    assert [problem for problem in problems if problem] == []


@pytest.mark.full
@pytest.mark.parametrize("moment", MOMENTS)
def test_findings_at_every_position(moment: str) -> None:
    problems = [_judge(read, moment, position) for read in TABLE for position in POSITIONS[moment][1:]]
    assert [problem for problem in problems if problem] == []


def test_columns_and_rows_answer_for_hover_and_completion() -> None:
    assert [moment.key for moment in moments_of("waited")] == ["queue"]
    assert "waited" in readable("queue")
    assert "hidden" not in readable("cost")
    assert "register_own" in readable("head")
