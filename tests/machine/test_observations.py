"""The statistics of observations and gauges, to the last bit (07 §4, §5)."""

from __future__ import annotations

from math import ceil, copysign, inf, isfinite, isnan, nan
from pathlib import Path
from random import Random
from typing import Any

import pytest

from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.observations import Series, turn_field
from serq_interpreter.machine.statistics import percentile, plain_sum
from tests.support.cases import CASES
from tests.support.expected import expected_samples

RECORDED = sorted(CASES.glob("*/*.expect.json"))
OBSERVE_KEYS = ("count", "mean", "ci", "cv2", "p99")
GAUGE_KEYS = ("mean", "ci", "min", "max")


def as_json(x: float) -> float | None:
    return x if isfinite(x) else None


def summary_of(values: list[float]) -> dict[str, Any]:
    series = Series("x")
    for value in values:
        series.record(value, 0.0, 0, 0.0)
    summary = series.summary()
    return {key: getattr(summary, key) for key in OBSERVE_KEYS}


@pytest.mark.parametrize("area", sorted({path.parent.name for path in RECORDED}))
def test_recorded_samples_give_the_recorded_statistics(area: str) -> None:
    for path in RECORDED:
        if path.parent.name == area:
            check_statistics(path)


def check_statistics(path: Path) -> None:
    expected = expected_samples(path)
    for name, samples in expected.series.items():
        series = Series(name)
        for value in samples.values:
            series.values.append(value)
        summary = series.summary()
        got = {key: as_json(getattr(summary, key)) for key in OBSERVE_KEYS}
        assert got == expected.report["observes"][name], (path.name, name)


@pytest.mark.parametrize("points", [True, False])
def test_recorded_gauges_give_the_recorded_statistics(points: bool) -> None:
    checked = 0
    for path in RECORDED:
        expected = expected_samples(path)
        report = expected.report
        for name, changes in expected.gauges.items():
            gauge = GaugeSeries(name, report["warmup"], report["end"], points=points)
            for time, value in zip(changes.times, changes.values, strict=True):
                gauge.record(time, value)
            summary = gauge.summary(report["end"])
            got = {key: as_json(getattr(summary, key)) for key in GAUGE_KEYS}
            assert got == report["gauges"][name], (path.name, name)
            checked += 1
    assert checked


def test_no_samples_and_one() -> None:
    none = summary_of([])
    assert none["count"] == 0 and none["ci"] == inf
    assert all(isnan(none[key]) for key in ("mean", "cv2", "p99"))
    one = summary_of([3.5])
    assert (one["count"], one["mean"], one["p99"], one["ci"]) == (1, 3.5, 3.5, inf)
    assert isnan(one["cv2"])


def test_percentile_ranks() -> None:
    assert percentile(range(1, 11), 0.99) == 10
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile(range(1, 102), 0.99) == 100


def test_a_high_percentile_of_many_values_is_found_without_sorting_them_all() -> None:
    random = Random(5)
    samples = [
        [random.expovariate(1.0) for _ in range(2345)],
        [random.gauss(0.0, 1.0) for _ in range(4000)],
        [float(random.randrange(3)) for _ in range(3210)],
    ]
    for values in samples:
        for share in (0.5, 0.9, 0.99, 0.999, 1.0):
            assert percentile(values, share) == sorted(values)[max(ceil(share * len(values)), 1) - 1]
    rising = [float(i) for i in range(4000)]
    assert percentile(rising, 0.99) == percentile(rising[::-1], 0.99) == 3959.0
    assert percentile([*rising, nan], 0.99) == 3960.0
    assert percentile([-nan, *rising], 0.99) == 3959.0


def test_total_order_of_the_percentile() -> None:
    assert percentile([-nan, -nan, 1.0, 2.0], 0.99) == 2.0
    assert isnan(percentile([-nan, -nan, -nan, 1.0], 0.75))
    assert isnan(percentile([1.0, nan], 0.99))
    assert percentile([inf, -inf, 0.0], 0.99) == inf
    assert copysign(1.0, percentile([0.0, -0.0, -0.0], 0.5)) == -1.0
    assert copysign(1.0, percentile([0.0, -0.0, -0.0], 0.99)) == 1.0


def test_a_sum_rounds_at_every_step() -> None:
    """`sum` compensates from Python 3.12 on and would give 0.6."""
    assert plain_sum([0.1, 0.2, 0.3]) == 0.6000000000000001


@pytest.mark.parametrize(
    ("turn_no", "field"), [(2.9, 2), (-1.0, 0), (nan, 0), (1e12, 4294967295), (inf, 4294967295), (0.5, 0)]
)
def test_turn_field(turn_no: float, field: int) -> None:
    assert turn_field(turn_no) == field


def test_places_are_kept_on_request() -> None:
    series = Series("x", places=True)
    series.record(1.5, 2.0, 7, 3.0)
    assert (series.times, series.sessions, series.turns) is not None
    assert list(series.values) == [1.5]
    assert [list(column or ()) for column in (series.times, series.sessions, series.turns)] == [[2.0], [7], [3]]
    assert Series("y").times is None


def test_only_a_change_of_bits_is_a_change_point() -> None:
    gauge = GaugeSeries("g", 0.0, 9.0, points=True)
    for time, value in enumerate((0.0, 0.0, -0.0, nan, nan, 1.0, 1.0)):
        gauge.record(float(time), value)
    assert list(gauge.times) == [0.0, 2.0, 3.0, 5.0]


def test_a_finite_run_is_added_up_at_its_end() -> None:
    known, unknown = GaugeSeries("g", 1.0, 8.0), GaugeSeries("g", 1.0, 100.0, finite=True)
    for time, value in ((0.0, 2.0), (3.0, 5.0), (7.5, 1.0)):
        known.record(time, value)
        unknown.record(time, value)
    assert known.summary(8.0) == unknown.summary(8.0)
    assert known.summary(8.0).min == 1.0
