"""The statistics of many values in numpy: the same roundings in the same order as in `statistics`.

Import this module only when numpy is installed (extra `serq-lsp[fast]`).
"""

from __future__ import annotations

from array import array

import numpy as np

from serq_interpreter.machine.stages.vector_means import CHUNK, FIRST, means_through


def mean_and_m2(values: array[float]) -> tuple[float, float] | None:
    """The running mean and the running sum of squared deviations; `None` where a plain loop has to find them."""
    numbers = np.frombuffer(values)
    mean = m2 = k = 0.0
    for x in values[:FIRST]:
        k += 1.0
        d = x - mean
        mean += d / k
        m2 += d * (x - mean)
    with np.errstate(all="ignore"):
        for start in range(FIRST, len(numbers), CHUNK):
            part = numbers[start : start + CHUNK]
            means = means_through(mean, start, part)
            if means is None:
                return None
            terms = np.empty(len(means))
            terms[0] = m2
            np.multiply(part - means[:-1], part - means[1:], out=terms[1:])
            mean, m2 = float(means[-1]), float(np.add.accumulate(terms, out=terms)[-1])
    return mean, m2


def total(values: array[float]) -> float:
    """Left to right from 0, one rounding per addition."""
    with np.errstate(all="ignore"):
        return 0.0 + float(np.add.accumulate(np.frombuffer(values))[-1])


def squared_deviations(values: array[float], mean: float) -> float:
    """The sum of the squares of what the values differ from `mean` by, in the same way."""
    with np.errstate(all="ignore"):
        deviations = np.frombuffer(values) - mean
        return float(np.add.accumulate(deviations * deviations)[-1])


def at_least(values: array[float], bound: float) -> tuple[list[float], int]:
    """The values from `bound` on, and how many are less."""
    numbers = np.frombuffer(values)
    return numbers[numbers >= bound].tolist(), int(np.count_nonzero(numbers < bound))
