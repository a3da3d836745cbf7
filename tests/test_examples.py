"""The shipped examples: each is accepted without a remark, runs, and gives the figures it talks about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.machine.run import RunResult, run_program

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.sq"))


def run(name: str, **settings: Any) -> RunResult:
    """Run an example with the clock of the product."""
    path = EXAMPLES / name
    analysis = analyse(path.read_text(encoding="utf-8"), str(path))
    assert analysis.lowered is not None
    return run_program(analysis.lowered.program, directory=EXAMPLES, clock="exact", **settings)


def observed(result: RunResult, name: str) -> dict[str, Any]:
    found: dict[str, Any] = result.report["observes"][name]
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_accepted_without_remarks(name: str) -> None:
    path = EXAMPLES / name
    analysis = analyse(path.read_text(encoding="utf-8"), str(path))
    assert [(item.code, item.message) for item in analysis.diagnostics] == []
    assert analysis.text.startswith("//"), "an example opens with what it is about"


@pytest.mark.full
@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_to_its_end_and_keeps_its_units(name: str) -> None:
    result = run(name, check_invariants=True)
    assert result.error is None
    assert result.status == "complete"
    assert all(item["count"] > 0 for item in result.report["observes"].values())
    assert all(pool["stuck"] == 0 and pool["rejected"] == 0 for pool in result.report["pools"])


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "observation", "theory"),
    [
        ("mm1.sq", "response", 1 / (1 - 0.8)),
        ("mg1.sq", "wait", 0.7 * (1 + 4) / (2 * 0.3)),
        ("ps.sq", "response", 1 / (1 - 0.7)),
        ("tandem.sq", "model_time", 3.75),
    ],
)
def test_figures_of_theory(name: str, observation: str, theory: float) -> None:
    found = observed(run(name), observation)
    assert found["ci"] < 0.4 * theory
    assert abs(found["mean"] - theory) < 3 * found["ci"]


@pytest.mark.full
def test_trees_of_the_spawn_example() -> None:
    result = run("subagents-spawn.sq", check_invariants=True)
    trees = result.report["trees"]
    assert trees["depth"]["max"] == 2
    assert trees["sessions"]["ci"] < 0.5
    assert abs(trees["sessions"]["mean"] - (1 + 3 + 3 * 0.5 * 2)) < 2 * trees["sessions"]["ci"]
    assert observed(result, "gather")["count"] == trees["ended"]
    assert trees["observes"]["gather"]["total"]["mean"] == trees["span"]["mean"]


@pytest.mark.full
def test_claims_of_the_claims_example() -> None:
    claims = {item["name"]: item["result"] for item in run("gauges_and_claims.sq").report["claims"]}
    assert claims == {"within_budget": "holds", "batches_form": "witnessed", "answers_fast": "holds"}
