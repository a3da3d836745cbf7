"""Intervals, seeds and metric names."""

from __future__ import annotations

from itertools import pairwise
from math import inf, isnan, nan
from typing import Any

import pytest

from serq_lsp.cli.simulation.confidence import estimate, student_t
from serq_lsp.cli.simulation.metrics import UnknownMetric, all_metrics, headline_metrics, resolve_metric
from serq_lsp.cli.simulation.seeds import replication_seed


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.7062), (2, 4.30265), (4, 2.77645), (19, 2.09302), (120, 1.97993), (10_000, 1.96020)],
)
def test_student_t(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, rel=1e-5)


def test_estimates() -> None:
    e = estimate([1.0, 2.0, 3.0])
    assert (e.n, e.mean, e.min, e.max) == (3, 2.0, 1.0, 3.0)
    assert e.ci == pytest.approx(4.30265 / 3**0.5)
    assert e.relative == pytest.approx(e.ci / 2.0)
    assert estimate([5.0]).ci == inf
    assert estimate([4.0, 4.0]).relative == estimate([0.0, 0.0]).relative == 0.0
    assert isnan(estimate([1.0, nan]).mean) and isnan(estimate([]).mean)


def test_seeds_are_distinct_and_far_apart() -> None:
    seeds = [replication_seed(5, i) for i in range(1000)] + [replication_seed(6, i) for i in range(1000)]
    assert seeds[0] == 5 and all(0 <= seed <= 2**53 for seed in seeds)
    ordered = sorted(seeds[1:1000] + seeds[1001:])
    assert min(b - a for a, b in pairwise(ordered)) > 10**6


REPORT: dict[str, Any] = {
    "end": 9,
    "events": 1,
    "arrivals": 1,
    "ended": 1,
    "turns": 0,
    "mean_live": 0.5,
    "observes": {
        "wait": {"count": 2, "mean": 1.5, "p99": None},
        "never": {"count": 0, "mean": None},
        "kv": {"count": 1, "mean": 1},
    },
    "gauges": {"kv": {"mean": 3}},
    "stages": [{"name": "gpu", "index": 0, "utilization": 0.7}, {"name": "gpu", "index": 1, "utilization": 0.8}],
    "pools": [{"name": "mem", "index": None, "mean_used": 4, "over_cap": None}],
}


def test_metric_names() -> None:
    assert resolve_metric("wait", REPORT) == "observes.wait.mean"
    assert resolve_metric("wait.p99", REPORT) == "observes.wait.p99"
    assert resolve_metric("gpu[1].utilization", REPORT) == "stages.gpu[1].utilization"
    assert resolve_metric("gauges.kv.mean", REPORT) == "gauges.kv.mean"
    assert resolve_metric("ended", REPORT) == "ended"
    assert isnan(all_metrics(REPORT)["observes.wait.p99"])
    with pytest.raises(UnknownMetric, match="ambiguous"):
        resolve_metric("kv", REPORT)
    with pytest.raises(UnknownMetric, match=r"wait\.mean"):
        resolve_metric("wiat.mean", REPORT)


def test_headlines() -> None:
    assert headline_metrics(REPORT) == [
        "observes.wait.mean",
        "observes.kv.mean",
        "gauges.kv.mean",
        "stages.gpu[0].utilization",
        "stages.gpu[1].utilization",
        "pools.mem.mean_used",
        "mean_live",
    ]
