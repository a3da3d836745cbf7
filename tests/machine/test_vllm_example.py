"""`examples/vllm.sq` becomes every measured scenario of the real scheduler and reproduces its schedule."""

from __future__ import annotations

import pytest

import serq_interpreter
from serq_interpreter.machine.run import RunResult, run_program
from tests.machine.forms import CLOCKS
from tests.support.command_line import ROOT
from tests.support.vllm_scenarios import Scenario, scenarios

EXAMPLE = ROOT / "examples" / "vllm.sq"
SCENARIOS = scenarios()


def run(scenario: Scenario, clock: str, **options: object) -> RunResult:
    """The example as one scenario, through our own front end."""
    compiled = serq_interpreter.compile(EXAMPLE, sets=scenario.sets, defs=scenario.defs)
    assert compiled.program is not None, compiled.diagnostics
    result = run_program(compiled.program, clock=clock, record=True, **options)  # type: ignore[arg-type]
    assert result.status == "complete", result.error
    return result


def by_request(scenario: Scenario, result: RunResult, name: str, *, times: bool = False) -> dict[str, list[float]]:
    """The samples of an observation, or their times, by the number of the request, as the schedules have them."""
    series = result.series[name]
    values = (series.times or ()) if times else series.values
    found: dict[str, list[float]] = {}
    for session, turn, value in zip(series.sessions or (), series.turns or (), values, strict=True):
        found.setdefault(str(scenario.sessions[session][turn - 1]), []).append(value)
    return found


def differences(scenario: Scenario, result: RunResult) -> list[str]:
    """What is not as measured: first and last token of every request, preemptions, hits at every admission."""
    expected, found = scenario.expected(), []
    for name, observation in (("first", "ttft"), ("done", "response")):
        wanted = {number: [float(step)] for number, step in expected[name].items()}
        if (got := by_request(scenario, result, observation, times=True)) != wanted:
            found.append(f"{name}: {got}, measured {wanted}")
    preemptions = sum(pool["preemptions"] for pool in result.report["pools"])
    if preemptions != expected["preemptions"]:
        found.append(f"{preemptions} preemptions, measured {expected['preemptions']}")
    hits = scenario.measured.get("measured", {}).get("cached")
    if hits is not None and (got := by_request(scenario, result, "hits")) != hits:
        found.append(f"hits: {got}, measured {hits}")
    return found


def test_there_are_8_named_and_100_random_scenarios() -> None:
    assert len(SCENARIOS) == 108
    assert sum(scenario.expected()["preemptions"] > 0 for scenario in SCENARIOS) > 20
    assert sum("cached" in scenario.measured.get("measured", {}) for scenario in SCENARIOS) > 20


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_schedule(scenario: Scenario) -> None:
    assert differences(scenario, run(scenario, "exact")) == []


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_schedule_in_doubles_one_iteration_at_a_time(scenario: Scenario) -> None:
    for clock in CLOCKS:
        assert differences(scenario, run(scenario, clock, reference=True, check_invariants=True)) == []
