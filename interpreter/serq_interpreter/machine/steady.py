"""Is a run in steady state?  A verdict for each series, and the number that decided it.

All tests read the means of 20 consecutive batches (or time windows), b1 … b20:

* *growth*: Student's t of the nineteen increments.  A stationary series has increments that cancel, so t is close
  to 0; a backlog that grows by a drift plus noise has a t that grows with the square root of the run's length.
  Increments of a driftless random walk, what a run too short to settle looks like, give a t of about ±1.
* *kept*: the share of the growth that falls in the second half; near 1 when it goes on, near 0 when it has ended.
* *shift*: the first quarter against the last half, in standard errors of the batches after the first quarter.
* *effective samples*: how many independent values the samples are worth: their number over the integrated
  correlation time, by Geyer's initial positive sequence ("Practical Markov chain Monte Carlo", 1992).
* *memory*: the lag-1 correlation of the window means of a gauge, which has no samples to correlate.
* *precision*: the half-width of the 95 % interval against the larger of mean and standard deviation.

The order of the questions is the order of `_judge`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite, sqrt
from operator import mul

from serq_interpreter.machine.statistics import (
    MIN_FOR_INTERVAL,
    N_BATCHES,
    batch_means,
    half_width,
    mean_and_m2,
    plain_sum,
)


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


_GROWTH_T = 3.0
_SUPPORTED_T = 1.5
"""The growth a backlog needs when the series itself grows as well."""
_KEPT_SHARE = 0.3
_SHIFT_ERRORS = 4.5
_LARGEST_MEMORY = 0.55
_FEWEST_EFFECTIVE = 20.0
_MOST_BLOCKS = 1000
"""Samples are grouped into at most this many blocks before they are correlated."""
_WORST_PRECISION = 0.5


@dataclass(frozen=True, slots=True)
class _Tests:
    growth: float
    kept: float
    shift: float
    shift_errors: float
    memory: float
    change: float
    """b20 - b1."""


def verdict_of_values(values: Sequence[float], backlog: Backlog | None = None) -> SteadyState:
    """The verdict on an observation's samples, in recording order.

    `backlog` is the history of live sessions under an open arrival law.  Where it is given, only a growing backlog
    makes an upward drift an overload; without it (a closed population cannot be overloaded) a drift is warming.
    """
    n = len(values)
    if n < MIN_FOR_INTERVAL:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.COUNT, n)
    batches = batch_means(values)
    mean, m2 = mean_and_m2(values)
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
    if n_changes < MIN_FOR_INTERVAL:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.COUNT, n_changes)
    size = max(abs(w) for w in windows)
    return _judge(windows, length, size, backlog)


def _judge(
    batches: Sequence[float], length: float, size: float, backlog: Backlog | None, values: Sequence[float] = ()
) -> SteadyState:
    if not all(isfinite(b) for b in batches) or not isfinite(size):
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.PRECISION, inf)
    tests = _tests(batches)
    drift = tests.change / ((N_BATCHES - 1) * length)
    if backlog is not None and backlog.grows(_SUPPORTED_T if _goes_on(tests, _GROWTH_T) else _GROWTH_T):
        return SteadyState(Verdict.OVERLOADED, DecidedBy.BACKLOG, backlog.slope())
    if abs(tests.growth) > _GROWTH_T:
        return SteadyState(Verdict.WARMING, DecidedBy.DRIFT, drift)
    if values:
        # A transient correlates what it covers: the samples after the first quarter say how many there are.
        effective = effective_samples(values[len(values) // 4 :])
        if effective < _FEWEST_EFFECTIVE:
            return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.EFFECTIVE, effective)
    elif tests.memory > _LARGEST_MEMORY:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.MEMORY, tests.memory)
    precision = half_width(batches) / size if size else 0.0
    if precision > _WORST_PRECISION:
        return SteadyState(Verdict.FEW_SAMPLES, DecidedBy.PRECISION, precision)
    if tests.shift_errors > _SHIFT_ERRORS:
        return SteadyState(Verdict.WARMING, DecidedBy.SHIFT, tests.shift)
    return SteadyState(Verdict.STEADY, DecidedBy.DRIFT, drift)


def _goes_on(tests: _Tests, least_t: float) -> bool:
    return tests.growth > least_t and tests.kept > _KEPT_SHARE


def _tests(b: Sequence[float]) -> _Tests:
    n = len(b)
    half, quarter = n // 2, n // 4
    increments = [right - left for left, right in zip(b, b[1:], strict=False)]
    mean = plain_sum(increments) / len(increments)
    first, second = b[half] - b[0], b[-1] - b[half]
    shift = _mean(b[half:]) - _mean(b[:quarter])
    spread = sqrt(_variance(b[quarter:]))
    return _Tests(
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
    variance = plain_sum([(x - total) * (x - total) for x in values]) / len(values)
    return min(variance / variance_of_mean, float(len(values))) if variance_of_mean else float(len(values))


def _products(centred: Sequence[float], lag: int) -> float:
    return plain_sum(list(map(mul, centred, centred[lag:])))


def _mean(values: Sequence[float]) -> float:
    return plain_sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    m = _mean(values)
    return plain_sum([(x - m) * (x - m) for x in values]) / (len(values) - 1)


def _lag_1(values: Sequence[float]) -> float:
    m = _mean(values)
    return _ratio(
        plain_sum([(x - m) * (y - m) for x, y in zip(values, values[1:], strict=False)]),
        plain_sum([(x - m) * (x - m) for x in values]),
    )


def _ratio(numerator: float, denominator: float) -> float:
    """A quotient in which nothing over nothing is 0: a series without noise and without change is at rest."""
    if denominator:
        return numerator / denominator
    return 0.0 if numerator == 0.0 else inf if numerator > 0.0 else -inf


# --------------------------------------------------------------------------- backlog


class Backlog:
    """The number of live sessions over time, as the means of equal windows, in constant memory.

    The end of a run may be unknown, so windows double in width when 80 are full: between 40 and 80 cover the run
    at any time.  Times are in clock units.
    """

    __slots__ = ("_start", "_width", "_areas", "_index", "_limit", "_since", "_level")

    _MOST_WINDOWS = 4 * N_BATCHES

    def __init__(self, start: float, horizon: float) -> None:
        self._start = start
        self._width = (horizon - start) / self._MOST_WINDOWS
        self._areas: array[float] = array("d", [0.0])
        self._index = 0
        self._limit = start + self._width
        self._since = start
        self._level = 0.0

    def change(self, time: float, level: float) -> None:
        """From `time` on there are `level` live sessions; times before the start only set the level."""
        if time > self._since:
            self._advance(time)
        self._level = level

    def _advance(self, time: float) -> None:
        while time > self._limit:
            self._areas[self._index] += self._level * (self._limit - self._since)
            self._since = self._limit
            self._open_window()
        self._areas[self._index] += self._level * (time - self._since)
        self._since = time

    def _open_window(self) -> None:
        if len(self._areas) == self._MOST_WINDOWS:
            pairs = zip(self._areas[::2], self._areas[1::2], strict=True)
            self._areas = array("d", [left + right for left, right in pairs])
            self._width *= 2.0
        self._areas.append(0.0)
        self._index = len(self._areas) - 1
        self._limit = self._start + (self._index + 1) * self._width

    def close(self, end: float) -> None:
        """Account for the level held until `end`."""
        self.change(end, self._level)

    def windows(self) -> list[float]:
        """The mean level in each of 20 equal windows, oldest first; fewer than 20 full windows give none."""
        full = self._index if self._since < self._limit else len(self._areas)
        per_batch = full // N_BATCHES
        if per_batch == 0:
            return []
        span = per_batch * self._width
        first = full - per_batch * N_BATCHES
        starts = range(first, full, per_batch)
        return [plain_sum(self._areas[start : start + per_batch]) / span for start in starts]

    def slope(self) -> float:
        """Sessions gained per clock unit, from the first window to the last."""
        windows = self.windows()
        if not windows:
            return 0.0
        per_batch = (self._index + 1) // N_BATCHES or 1
        return (windows[-1] - windows[0]) / ((N_BATCHES - 1) * per_batch * self._width)

    def grows(self, least_t: float = _GROWTH_T) -> bool:
        """Whether the backlog grows by at least this Student's t, and goes on growing in the second half."""
        windows = self.windows()
        return bool(windows) and _goes_on(_tests(windows), least_t)
