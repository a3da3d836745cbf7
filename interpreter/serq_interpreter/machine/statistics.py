"""The statistics of the report, operation for operation (07 §4, §5).

The order of the floating-point operations is part of the definition: equality with the reference is to the
last bit.  In particular nothing here may use `sum`, which compensates its error from Python 3.12 on.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import reduce
from math import ceil, copysign, inf, isnan, nan, sqrt
from operator import add
from types import ModuleType

from serq_interpreter.machine.native.loader import native
from serq_interpreter.machine.substreams import numpy_wanted

N_BATCHES = 20
STUDENT_T = 2.093
"""Student's t for 95 % and 19 degrees of freedom, rounded as the reference rounds it."""
_MANY = 2000
"""Values from which on a high percentile is not found by sorting all of them, and numpy is used if it is there."""
_WORTH_NUMPY = 1_000_000
"""Values for whose sake numpy is imported."""
MIN_FOR_INTERVAL = 40
"""Samples below which an observation has no confidence interval."""


def mean_and_m2(values: Sequence[float]) -> tuple[float, float]:
    """The running mean and the running sum of squared deviations, one pass; (0, 0) of no values."""
    if isinstance(values, array):
        compiled = native("sums")
        if compiled is not None:
            return compiled.mean_and_m2(values)  # type: ignore[no-any-return]
        vector = _vector(values)
        found = None if vector is None else vector.mean_and_m2(values)
        if found is not None:
            return found  # type: ignore[no-any-return]
    mean = m2 = k = 0.0
    for x in values:
        k += 1.0
        d = x - mean
        mean += d / k
        m2 += d * (x - mean)
    return mean, m2


def _vector(values: array[float]) -> ModuleType | None:
    """The statistics in numpy, where it is there and the values are many enough."""
    if len(values) < _MANY or values.typecode != "d" or not numpy_wanted(len(values) > _WORTH_NUMPY):
        return None
    from serq_interpreter.machine import vector_statistics

    return vector_statistics


def cv2(n: int, mean: float, m2: float) -> float:
    """The squared coefficient of variation of `n` values; NaN below two."""
    if n < 2:
        return nan
    variance, square = m2 / (n - 1), mean * mean
    if square == 0.0:
        return nan if variance == 0.0 or isnan(variance) else inf
    return variance / square


def percentile(values: Sequence[float], share: float) -> float:
    """Element number ⌈share · n⌉ of the values in the total order of doubles; NaN of no values.

    A NaN with a sign bit, as arithmetic gives it, sorts below everything, one without above.
    """
    if not values:
        return nan
    rank = max(ceil(share * len(values)), 1) - 1
    high = _high(values, len(values) - rank)
    if high is not None:
        return high
    ordered = sorted([x for x in values if x == x])
    if len(ordered) < len(values):
        rank -= sum(1 for x in values if x != x and copysign(1.0, x) < 0.0)
        if not 0 <= rank < len(ordered):
            return nan
    return ordered[rank] if ordered[rank] != 0.0 else _zero_at(ordered, rank)


def _high(values: Sequence[float], place: int) -> float | None:
    """The `place`-th largest of many values, by sorting only what can come before it; `None` if that fails.

    Every sixteenth value says from where on the largest are likely to be.
    """
    if len(values) < _MANY:
        return None
    some = sorted(values[::16])
    bound = some[-min(2 * place // 16 + 8, len(some))]
    if not bound > 0.0 or any(x != x for x in some):
        return None
    largest, n_less = _at_least(values, bound)
    if len(largest) < place or len(largest) + n_less < len(values):
        return None
    return sorted(largest)[-place]


def _at_least(values: Sequence[float], bound: float) -> tuple[Sequence[float], int]:
    """The values from `bound` on, and how many are less."""
    if isinstance(values, array):
        compiled = native("sums")
        if compiled is not None:
            return compiled.at_least(values, bound)  # type: ignore[no-any-return]
        vector = _vector(values)
        if vector is not None:
            return vector.at_least(values, bound)  # type: ignore[no-any-return]
    return [x for x in values if x >= bound], sum(map(bound.__gt__, values))


def _zero_at(ordered: Sequence[float], rank: int) -> float:
    """Negative zeros come before positive ones."""
    first = bisect_left(ordered, 0.0)
    zeros = ordered[first : bisect_right(ordered, 0.0)]
    negative = [z for z in zeros if copysign(1.0, z) < 0.0]
    return -0.0 if rank - first < len(negative) else 0.0


def plain_sum(values: Sequence[float]) -> float:
    """Left to right from 0, one rounding per addition."""
    if isinstance(values, array):
        compiled = native("sums")
        if compiled is not None:
            return compiled.total(values, 0, len(values))  # type: ignore[no-any-return]
        vector = _vector(values)
        if vector is not None:
            return vector.total(values)  # type: ignore[no-any-return]
    return reduce(add, values, 0.0)


def squared_deviations(values: Sequence[float], mean: float) -> float:
    """The sum of the squares of what the values differ from `mean` by, in the same way."""
    if isinstance(values, array):
        compiled = native("sums")
        if compiled is not None:
            return compiled.squared_deviations(values, mean)  # type: ignore[no-any-return]
        vector = _vector(values)
        if vector is not None:
            return vector.squared_deviations(values, mean)  # type: ignore[no-any-return]
    return plain_sum([(x - mean) * (x - mean) for x in values])


def batch_means(values: Sequence[float]) -> list[float]:
    """The means of 20 batches of ⌊n / 20⌋ consecutive values; the rest is left out.  Needs 20 values."""
    length = len(values) // N_BATCHES
    return [plain_sum(values[i * length : (i + 1) * length]) / length for i in range(N_BATCHES)]


def half_width(batches: Sequence[float]) -> float:
    """The half-width of a 95 % interval from the means of 20 batches."""
    m = plain_sum(batches) / N_BATCHES
    v = reduce(add, ((b - m) * (b - m) for b in batches), 0.0) / (N_BATCHES - 1)
    return STUDENT_T * sqrt(v / N_BATCHES)


def interval(values: Sequence[float]) -> float:
    """The half-width of an observation's interval, `inf` below 40 values."""
    return half_width(batch_means(values)) if len(values) >= MIN_FOR_INTERVAL else inf
