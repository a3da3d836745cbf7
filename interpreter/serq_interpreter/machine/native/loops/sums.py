# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""Passes over many samples, one rounding per operation in the order of the samples (07 §4): `statistics` for a compiler."""

from __future__ import annotations

from array import array


def mean_and_m2(values: array[float]) -> tuple[float, float]:
    """The running mean and the running sum of squared deviations; (0, 0) of no values."""
    mean = m2 = k = 0.0
    for x in values:
        k += 1.0
        d = x - mean
        mean += d / k
        m2 += d * (x - mean)
    return mean, m2


def total(values: array[float], start: int, stop: int) -> float:
    """The sum of the values from `start` up to, not including, `stop`, left to right from 0."""
    result = 0.0
    for i in range(start, stop):
        result += values[i]
    return result


def squared_deviations(values: array[float], mean: float) -> float:
    """The sum of the squares of what the values differ from `mean` by, left to right from 0."""
    result = 0.0
    for x in values:
        result += (x - mean) * (x - mean)
    return result


def moved_means(count: int, batch: float, cost: float, runs: list[tuple[int, float, float]]) -> tuple[float, float]:
    """Two means after `count` iterations, moved by each of those that follow: (iterations, value, value) a run."""
    k = float(count)
    for number, size, price in runs:
        for _ in range(number):
            k += 1.0
            batch += (size - batch) / k
            cost += (price - cost) / k
    return batch, cost


def moved_by_one_batch(
    count: int, batch: float, cost: float, numbers: array[float], size: float, prices: array[float]
) -> tuple[float, float]:
    """The same of runs of one size, as arrays of whole numbers and of the other values."""
    k = float(count)
    for i in range(len(numbers)):
        price = prices[i]
        for _ in range(int(numbers[i])):
            k += 1.0
            batch += (size - batch) / k
            cost += (price - cost) / k
    return batch, cost


def at_least(values: array[float], bound: float) -> tuple[array[float], int]:
    """The values from `bound` on, in order, and how many are less; a NaN is neither."""
    less = n = 0
    for x in values:
        if x >= bound:
            n += 1
        elif x < bound:
            less += 1
    made = array("d", bytes(8 * n))
    kept = made
    n = 0
    for x in values:
        if x >= bound:
            kept[n] = x
            n += 1
    return made, less
