"""Is a run in steady state?  A verdict for each series, and the number that decided it.

The tests are those of `trend`, on the means of twenty consecutive batches of samples or windows of time, and one of
*precision*: the half-width of the 95 % interval against the larger of mean and standard deviation.  The order of the
questions is the order of `_judge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite, sqrt

from serq_interpreter.machine.backlog import Backlog
from serq_interpreter.machine.statistics import (
    MIN_FOR_INTERVAL,
    N_BATCHES,
    batch_means,
    half_width,
    mean_and_m2,
)
from serq_interpreter.machine.trend import GROWTH_T, effective_samples, goes_on, trend_of


class Verdict(StrEnum):
    STEADY = "steady"
    WARMING = "warming"
    OVERLOADED = "overloaded"
    FEW_SAMPLES = "few-samples"


class DecidedBy(StrEnum):
    """What the number of a `SteadyState` is."""

    COUNT = "count"
    """Samples recorded."""
    BACKLOG = "backlog slope"
    """Sessions gained per clock unit."""
    DRIFT = "drift"
    """Change per sample (of a gauge: per clock unit), from the first batch to the last."""
    SHIFT = "shift"
    """Difference of the last half to the first quarter."""
    EFFECTIVE = "effective samples"
    """Independent values the correlated samples are worth."""
    MEMORY = "memory"
    """Lag-1 correlation of the window means."""
    PRECISION = "precision"
    """Half-width of the interval relative to the size of the values."""


@dataclass(frozen=True, slots=True)
class SteadyState:
    """A verdict, the number that decided it and what the number is."""

    verdict: Verdict
    decided_by: DecidedBy
    value: float

    def __str__(self) -> str:
        return f"{self.verdict} ({self.decided_by} {self.value:.4g})"


_SUPPORTED_T = 1.5
"""The growth a backlog needs when the series itself grows as well."""
_SHIFT_ERRORS = 4.5
_LARGEST_MEMORY = 0.55
_FEWEST_EFFECTIVE = 25.0
_WORST_PRECISION = 0.5
_FEWEST_CHANGES = 10 * MIN_FOR_INTERVAL
"""A change moves a gauge by a step from where it was: some ten of them say as much as one sample."""


def verdict_of_values(
    values: Sequence[float], backlog: Backlog | None = None, moments: tuple[float, float] | None = None
) -> SteadyState:
    """The verdict on an observation's samples, in recording order.

    `backlog` is the history of live sessions under an open arrival law.  Where it is given, only a growing backlog
    makes an upward drift an overload; without it (a closed population cannot be overloaded) a drift is warming.
    `moments` are mean and sum of squared deviations, where they are known already.
    """
    n = len(values)
    if n < MIN_FOR_INTERVAL:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.COUNT, n)
    batches = batch_means(values)
    mean, m2 = moments or mean_and_m2(values)
    deviation = sqrt(m2 / (n - 1)) if m2 >= 0.0 else inf
    return _judge(batches, n / N_BATCHES, max(abs(mean), deviation), backlog, values)


def verdict_of_windows(
    windows: Sequence[float], length: float, n_changes: int, backlog: Backlog | None = None
) -> SteadyState:
    """The verdict on a gauge: the means of its 20 windows of `length` clock units each, and its number of changes.

    A gauge that never changes is steady.
    """
    if n_changes == 0:
        return SteadyState(Verdict.STEADY, DecidedBy.DRIFT, 0.0)
    if n_changes < _FEWEST_CHANGES:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.COUNT, n_changes)
    size = max(abs(w) for w in windows)
    return _judge(windows, length, size, backlog)


def _judge(
    batches: Sequence[float], length: float, size: float, backlog: Backlog | None, values: Sequence[float] = ()
) -> SteadyState:
    if not all(isfinite(b) for b in batches) or not isfinite(size):
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.PRECISION, inf)
    trend = trend_of(batches)
    drift = trend.change / ((N_BATCHES - 1) * length)
    if backlog is not None and backlog.grows(_SUPPORTED_T if goes_on(trend, GROWTH_T) else GROWTH_T):
        return SteadyState(Verdict.OVERLOADED, DecidedBy.BACKLOG, backlog.slope())
    if abs(trend.growth) > GROWTH_T:
        return SteadyState(Verdict.WARMING, DecidedBy.DRIFT, drift)
    if values:
        # A transient correlates what it covers: the samples after the first quarter say how many there are.
        effective = effective_samples(values[len(values) // 4 :])
        if effective < _FEWEST_EFFECTIVE:
            return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.EFFECTIVE, effective)
    elif trend.memory > _LARGEST_MEMORY:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.MEMORY, trend.memory)
    precision = half_width(batches) / size if size else 0.0
    if precision > _WORST_PRECISION:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.PRECISION, precision)
    if trend.shift_errors > _SHIFT_ERRORS:
        return SteadyState(Verdict.WARMING, DecidedBy.SHIFT, trend.shift)
    return SteadyState(Verdict.STEADY, DecidedBy.DRIFT, drift)
