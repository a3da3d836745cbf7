"""Running means over many iterations in numpy: the same roundings in the same order as one by one.

Import this module only when numpy is installed (extra `serq-lsp[fast]`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from serq_interpreter.machine.native.loader import native

if TYPE_CHECKING:
    from serq_interpreter.machine.stages.decode_steps import Run

Doubles = NDArray[np.float64]

CHUNK = 4096
"""Iterations at once: the arrays stay in the fastest cache."""
FIRST = 1000
"""So many iterations are counted one by one: the first ones move the means too far."""
_MOST_PASSES = 12


def moved_means(count: int, batch: float, cost: float, runs: list[Run]) -> tuple[float, float]:
    """Mean batch and mean cost of `count` iterations after those of the runs."""
    columns = zip(*runs, strict=True)
    numbers = np.array(next(columns))
    batches, costs = (np.repeat(np.array(column, np.float64), numbers) for column in columns)
    return moved(batch, count, batches), moved(cost, count, costs)


def moved_by_one_batch(
    count: int, batch: float, cost: float, numbers: Doubles, decodes: int, costs: Doubles
) -> tuple[float, float]:
    """The same, of runs of one batch: `numbers` iterations of the `costs`."""
    compiled = native("sums")
    if compiled is not None:
        arrays = np.ascontiguousarray(numbers), float(decodes), np.ascontiguousarray(costs)
        return compiled.moved_by_one_batch(count, batch, cost, *arrays)  # type: ignore[no-any-return]
    each = np.repeat(costs, numbers.astype(np.int64))
    return moved(batch, count, np.full(len(each), float(decodes))), moved(cost, count, each)


def moved(mean: float, count: int, values: Doubles) -> float:
    """`mean` after `mean += (value − mean) / count` for each value, `count` going up from `count + 1`."""
    first = max(FIRST - count, 0)
    mean = _moved_one_by_one(mean, count, values[:first])
    for start in range(first, len(values), CHUNK):
        mean = moved_mean(mean, count + start, values[start : start + CHUNK])
    return mean


def moved_mean(mean: float, count: int, values: Doubles) -> float:
    """The same at once."""
    if mean == values[0] and (values == mean).all():
        return mean
    means = means_through(mean, count, values)
    return _moved_one_by_one(mean, count, values) if means is None else float(means[-1])


def means_through(mean: float, count: int, values: Doubles) -> Doubles | None:
    """The mean before each of the values, and after the last; `None` if it is not found in a few passes.

    A vector of means that the step maps onto itself is the vector that the loop makes, element by element from the
    first.  The means without any rounding between are nearly that: with steps taken from them few are rounded amiss.
    """
    n = len(values)
    counts = np.arange(count + 1, count + n + 1, dtype=np.float64)
    means = np.empty(n + 1)
    means[0] = mean
    if values[0] == values[-1] and (values == values[0]).all():
        np.multiply(counts - count, values[0] - mean, out=means[1:])
    else:
        np.add.accumulate(values - mean, out=means[1:])
    means[1:] /= counts
    means[1:] += mean
    before, after = means[:-1], means[1:]
    steps, sums = np.empty(n), np.empty(n)
    for _ in range(_MOST_PASSES):
        np.subtract(values, before, out=steps)
        steps /= counts
        if np.array_equal(np.add(before, steps, out=sums), after):
            return means
        after[:] = steps
        np.add.accumulate(means, out=means)
    return None


def _moved_one_by_one(mean: float, count: int, values: Any) -> float:
    for number, value in enumerate(values.tolist(), count + 1):
        mean += (value - mean) / number
    return mean
