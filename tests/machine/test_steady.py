"""The steady-state verdict is right on runs whose state is known."""

from __future__ import annotations

from collections import Counter
from math import exp, inf, nan
from random import Random

import pytest

from serq_interpreter.machine.backlog import Backlog
from serq_interpreter.machine.steady import Verdict, verdict_of_values, verdict_of_windows
from serq_interpreter.machine.trend import effective_samples

N_SEEDS = 200
LEAST_RIGHT = 0.95 * N_SEEDS


def single_server(load: float, horizon: float, seed: int) -> tuple[list[float], Backlog]:
    """Responses and backlog of M/M/1 by Lindley's recursion; service takes 1 clock unit on average."""
    random = Random(seed)
    now, free = 0.0, 0.0
    responses, changes = [], []
    while True:
        now += random.expovariate(load)
        if now > horizon:
            break
        free = max(free, now) + random.expovariate(1.0)
        changes += [(now, 1), (free, -1)]
        if free <= horizon:
            responses.append(free - now)
    backlog, live = Backlog(0.0, horizon), 0
    for time, step in sorted(changes):
        if time <= horizon:
            live += step
            backlog.change(time, live)
    backlog.close(horizon)
    return responses, backlog


def verdicts(load: float, horizon: float) -> Counter[Verdict]:
    return Counter(verdict_of_values(*single_server(load, horizon, seed)).verdict for seed in range(N_SEEDS))


@pytest.mark.full
@pytest.mark.parametrize(
    ("load", "horizon", "expected"),
    [
        (0.8, 10_000.0, Verdict.STEADY),
        (1.1, 10_000.0, Verdict.OVERLOADED),
        (0.8, 60.0, Verdict.FEW_SAMPLES),
    ],
)
def test_known_states(load: float, horizon: float, expected: Verdict) -> None:
    assert verdicts(load, horizon)[expected] >= LEAST_RIGHT


@pytest.mark.full
@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_transient_is_warming(direction: float) -> None:
    found = Counter(verdict_of_values(transient(direction, Random(seed))).verdict for seed in range(N_SEEDS))
    assert found[Verdict.WARMING] >= LEAST_RIGHT


def transient(direction: float, random: Random) -> list[float]:
    return [10.0 - direction * 8.0 * exp(-i / 500.0) + random.gauss(0.0, 2.0) for i in range(4000)]


def test_independent_samples_are_steady() -> None:
    found = Counter(
        verdict_of_values([random.expovariate(1.0) for _ in range(400)]).verdict
        for random in map(Random, range(N_SEEDS))
    )
    assert found[Verdict.STEADY] >= LEAST_RIGHT


def test_corners() -> None:
    assert verdict_of_values([]).verdict is Verdict.FEW_SAMPLES
    assert verdict_of_values([1.0] * 39).verdict is Verdict.FEW_SAMPLES
    assert verdict_of_values([1.0] * 40).verdict is Verdict.STEADY
    assert verdict_of_values([0.0] * 400).verdict is Verdict.STEADY
    assert verdict_of_values([nan] * 400).verdict is Verdict.FEW_SAMPLES
    assert verdict_of_values([inf] * 400).verdict is Verdict.FEW_SAMPLES
    assert verdict_of_values([float(i) for i in range(400)]).verdict is Verdict.WARMING


def test_growth_without_noise_is_overload_when_the_backlog_grows() -> None:
    backlog = Backlog(0.0, 1000.0)
    for i in range(1000):
        backlog.change(float(i), i / 10)
    backlog.close(1000.0)
    state = verdict_of_values([float(i) for i in range(400)], backlog)
    assert state.verdict is Verdict.OVERLOADED
    assert state.value == pytest.approx(0.1, rel=0.01)
    assert str(state).startswith("overloaded (backlog slope 0.")


def test_gauges_are_judged_by_their_windows() -> None:
    level = [3.0 + 0.1 * (i % 3) for i in range(20)]
    assert verdict_of_windows(level, 5.0, 500).verdict is Verdict.STEADY
    assert verdict_of_windows(level, 5.0, 12).verdict is Verdict.FEW_SAMPLES
    assert verdict_of_windows([3.0] * 20, 5.0, 0).verdict is Verdict.STEADY
    assert verdict_of_windows([float(i) for i in range(20)], 5.0, 500).verdict is Verdict.WARMING


def test_the_backlog_takes_constant_memory_and_keeps_its_area() -> None:
    """The end may lie far before or beyond what was announced."""
    for end in (37.0, 100.0, 3000.0):
        backlog = Backlog(10.0, 100.0)
        backlog.change(3.0, 2.0)
        backlog.change(20.0, 4.0)
        backlog.close(end)
        assert len(backlog._full) < Backlog._MOST_WINDOWS
        assert sum(backlog._full) + backlog.open_area() == pytest.approx(2.0 * 10.0 + 4.0 * (end - 20.0))


def test_effective_samples() -> None:
    random = Random(1)
    independent = [random.gauss(0.0, 1.0) for _ in range(3000)]
    assert effective_samples(independent) == pytest.approx(3000, rel=0.5)
    level, correlated = 0.0, []
    for noise in independent:
        level = 0.9 * level + noise
        correlated.append(level)
    assert effective_samples(correlated) == pytest.approx(3000 * 0.1 / 1.9, rel=0.5)
    assert effective_samples([2.0] * 50) == 50
