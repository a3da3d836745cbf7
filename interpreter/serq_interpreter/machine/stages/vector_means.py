"""Running means over many iterations in numpy: the same roundings in the same order as one by one.

Import this module only when numpy is installed (extra `serq-lsp[fast]`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from serq_interpreter.machine.stages.decode_steps import Run

Doubles = NDArray[np.float64]

CHUNK = 4096
"""Iterations at once: the arrays stay in the fastest cache."""
_FIRST = 1000
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
    each = np.repeat(costs, numbers.astype(np.int64))
    return moved(batch, count, np.full(len(each), float(decodes))), moved(cost, count, each)


def moved(mean: float, count: int, values: Doubles) -> float:
    """`mean` after `mean += (value − mean) / count` for each value, `count` going up from `count + 1`."""
    first = max(_FIRST - count, 0)
    mean = _moved_one_by_one(mean, count, values[:first])
    for start in range(first, len(values), CHUNK):
        mean = moved_mean(mean, count + start, values[start : start + CHUNK])
    return mean


def moved_mean(mean: float, count: int, values: Doubles) -> float:
    """The same at once.

    A vector of means that this step maps onto itself is the vector that the loop makes, element by element from the
    first; the means so far divided by ever larger counts make the steps settle after a few passes.
    """
    n = len(values)
    if mean == values[0] and (values == mean).all():
        return mean
    counts = np.arange(count + 1, count + n + 1, dtype=np.float64)
    found = np.empty(n + 1)
    found[0] = mean * count
    found[1:] = values
    np.add.accumulate(found, out=found)
    found[1:] /= counts
    moved = np.empty(n + 1)
    moved[0] = mean
    steps, before = np.empty(n), np.empty(n)
    found[0] = mean
    np.subtract(values, found[:-1], out=steps)
    steps /= counts
    for _ in range(_MOST_PASSES):
        moved[1:] = steps
        np.add.accumulate(moved, out=moved)
        steps, before = before, steps
        np.subtract(values, moved[:-1], out=steps)
        steps /= counts
        if np.array_equal(steps, before):
            return float(moved[n])
    return _moved_one_by_one(mean, count, values)


def _moved_one_by_one(mean: float, count: int, values: Any) -> float:
    for number, value in enumerate(values.tolist(), count + 1):
        mean += (value - mean) / number
    return mean
