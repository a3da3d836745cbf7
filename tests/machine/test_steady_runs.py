"""The steady-state verdicts of whole runs whose state is known: 200 seeds each, at least 95 % right."""

from __future__ import annotations

import pytest

import serq_interpreter
from tests.machine.test_steady import LEAST_RIGHT, N_SEEDS

QUEUE = """let lam = 0.8;
stage line : fifo;
workload { arrive poisson(lam); init { set s = ~exp(1); } }
session { set t0 = now; run line (s); observe response = now - t0; }
gauge live = queue(line) + busy(line);
run { horizon 10000; }
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("load", "horizon", "expected"),
    [(0.8, 10_000.0, "steady"), (1.1, 10_000.0, "overloaded"), (0.8, 60.0, "few-samples")],
)
def test_known_runs(load: float, horizon: float, expected: str) -> None:
    program = serq_interpreter.compile(QUEUE, sets={"lam": load}, horizon=horizon)
    right = {"observes": 0, "gauges": 0}
    for seed in range(N_SEEDS):
        steady = program.run(seed=seed, record=False).steady
        right["observes"] += str(steady["observes"]["response"].verdict) == expected
        right["gauges"] += str(steady["gauges"]["live"].verdict) == expected
    assert min(right.values()) >= LEAST_RIGHT, right
