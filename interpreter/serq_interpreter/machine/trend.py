"""Does a series of twenty batch means move, and are the batches independent?

* *growth*: Student's t of the nineteen increments.  A stationary series has increments that cancel, so t is close
  to 0; a backlog that grows by a drift plus noise has a t that grows with the square root of the run's length.
  Increments of a driftless random walk, what a run too short to settle looks like, give a t of about ±1.
* *kept*: the growth of the second half over that of the first; near 1 when it goes on, near 0 when it has ended.
* *shift*: the first quarter against the last half, in standard errors of the batches after the first quarter.
* *memory*: the lag-1 correlation of the batch means.
* *effective samples*: how many independent values the samples are worth: their number over the integrated
  correlation time, by Geyer's initial positive sequence ("Practical Markov chain Monte Carlo", 1992).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from operator import mul

from serq_interpreter.machine.statistics import plain_sum, squared_deviations

GROWTH_T = 3.0
"""A series whose growth exceeds this moves."""
_KEPT_SHARE = 0.3
_MOST_BLOCKS = 1000
"""Samples are grouped into at most this many blocks before they are correlated."""


@dataclass(frozen=True, slots=True)
class Trend:
    """The tests of one series, as the module describes them."""

    growth: float
    kept: float
    shift: float
    shift_errors: float
    memory: float
    change: float
    """b20 - b1."""


def goes_on(trend: Trend, least_t: float) -> bool:
    """Whether the series grows by at least this Student's t, and goes on growing in its second half."""
    return trend.growth > least_t and trend.kept > _KEPT_SHARE


def trend_of(b: Sequence[float]) -> Trend:
    """The tests on at least four batch means, oldest first."""
    n = len(b)
    half, quarter = n // 2, n // 4
    increments = [right - left for left, right in itertools.pairwise(b)]
    mean = plain_sum(increments) / len(increments)
    first, second = b[half] - b[0], b[-1] - b[half]
    shift = _mean(b[half:]) - _mean(b[:quarter])
    spread = sqrt(_variance(b[quarter:]))
    return Trend(
        growth=_ratio(mean, sqrt(_variance(increments) / len(increments))),
        kept=_ratio(second, first) if first else inf,
        shift=shift,
        shift_errors=abs(_ratio(shift, spread * sqrt(1.0 / quarter + 1.0 / (n - half)))),
        memory=_lag_1(b),
        change=b[-1] - b[0],
    )


def effective_samples(values: Sequence[float]) -> float:
    """How many independent values would give the mean the same precision; at most their number."""
    size = -(-len(values) // _MOST_BLOCKS)
    n = len(values) // size
    blocks = [plain_sum(values[i * size : (i + 1) * size]) / size for i in range(n)]
    m, total = _mean(blocks), _mean(values)
    centred = [b - m for b in blocks]
    of_blocks = _products(centred, 0)
    if of_blocks == 0.0:
        return float(len(values))
    correlated = 0.0
    for lag in range(0, n - 1, 2):
        pair = _products(centred, lag) + _products(centred, lag + 1)
        if pair <= 0.0:
            break
        correlated += pair
    variance_of_mean = max(2.0 * correlated - of_blocks, 0.0) / (n * n)
    variance = squared_deviations(values, total) / len(values)
    return min(variance / variance_of_mean, float(len(values))) if variance_of_mean else float(len(values))


def _products(centred: Sequence[float], lag: int) -> float:
    return plain_sum(list(map(mul, centred, centred[lag:])))


def _mean(values: Sequence[float]) -> float:
    return plain_sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    m = _mean(values)
    return squared_deviations(values, m) / (len(values) - 1)


def _lag_1(values: Sequence[float]) -> float:
    m = _mean(values)
    return _ratio(
        plain_sum([(x - m) * (y - m) for x, y in itertools.pairwise(values)]),
        squared_deviations(values, m),
    )


def _ratio(numerator: float, denominator: float) -> float:
    """A quotient in which nothing over nothing is 0: a series without noise and without change is at rest."""
    if denominator:
        return numerator / denominator
    return 0.0 if numerator == 0.0 else inf if numerator > 0.0 else -inf
