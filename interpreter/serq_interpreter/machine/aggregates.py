"""Functions of an observation's samples, for claims at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from serq_interpreter.machine.numbers import maximum, minimum, total_order


def total(values: Sequence[float]) -> float:
    result = 0.0
    for value in values:
        result += value
    return result


def count(values: Sequence[float]) -> float:
    return float(len(values))


def largest(values: Sequence[float]) -> float:
    """0 of no samples; a NaN loses to a number."""
    result = float("nan")
    for value in values:
        result = maximum(result, value)
    return result if values else 0.0


def smallest(values: Sequence[float]) -> float:
    """0 of no samples; a NaN loses to a number."""
    result = float("nan")
    for value in values:
        result = minimum(result, value)
    return result if values else 0.0


def prefix_total(values: Sequence[float]) -> float:
    """The sum of the running sums of the samples in ascending order: the least total completion time of jobs
    that long on one server."""
    result = running = 0.0
    for value in sorted(values, key=total_order):
        running += value
        result += running
    return result


AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "Total": total,
    "Count": count,
    "Largest": largest,
    "Smallest": smallest,
    "PrefixTotal": prefix_total,
}
