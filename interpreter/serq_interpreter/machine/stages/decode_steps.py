"""Mean batch and mean duration of the iterations that decode (05 §10)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from math import inf, nan
from typing import Any, Protocol

from serq_interpreter.machine.native.loader import native
from serq_interpreter.machine.substreams import numpy_wanted

Run = tuple[int, float, float]
"""So many iterations in a row, their number of decodes, their cost in seconds."""

MOST_RUNS = 8192
"""As many runs may wait to be counted."""
_FEWEST_IN_ARRAYS = 1500
"""Fewer iterations are quicker one by one than in arrays."""
_WORTH_NUMPY = 300_000
"""Iterations counted one by one before numpy is imported for their sake."""


class DecodeSteps(Protocol):
    """Both means over the iterations counted so far."""

    count: int

    def add(self, decodes: int, cost: float, elapsed: Any) -> None:
        """An iteration of `decodes` decodes that costs `cost` seconds, `elapsed` clock units."""
        ...

    def batch(self) -> float:
        """Mean number of decodes; NaN without iterations."""
        ...

    def duration(self, seconds: Callable[[Any], float]) -> float:
        """Mean cost in seconds; NaN without iterations."""
        ...


class RunningDecodeSteps:
    """Means moved by each iteration, as the reference does: the last bits depend on the order.

    Runs of equal iterations wait in `runs`, as (iterations, decodes, cost), until somebody reads a mean or there are many.
    """

    __slots__ = ("_count", "_mean_batch", "_mean_cost", "runs")

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._count = 0
        self._mean_batch = 0.0
        self._mean_cost = 0.0

    def add(self, decodes: int, cost: float, elapsed: Any) -> None:
        runs = self.runs
        runs.append((1, decodes, cost))
        if len(runs) > MOST_RUNS:
            self.settle()

    def settle(self) -> None:
        """Count the iterations that wait."""
        runs = self.runs
        if runs:
            number = sum([run[0] for run in runs])
            moved = self._how(number)
            self._mean_batch, self._mean_cost = moved(self._count, self._mean_batch, self._mean_cost, runs)
            self._count += number
            runs.clear()

    def _how(self, number: int) -> Callable[[int, float, float, list[Run]], tuple[float, float]]:
        """How so many iterations are counted quickest."""
        compiled = native("sums")
        if compiled is not None:
            return compiled.moved_means  # type: ignore[no-any-return]
        return _moved_in_arrays if self._in_arrays(number) else _moved_one_by_one

    def _in_arrays(self, number: int) -> bool:
        count = self._count
        return number > _FEWEST_IN_ARRAYS and numpy_wanted(count > _WORTH_NUMPY)

    @property
    def count(self) -> int:
        self.settle()
        return self._count

    @count.setter
    def count(self, count: int) -> None:
        self._count = count

    @property
    def mean_batch(self) -> float:
        self.settle()
        return self._mean_batch

    @mean_batch.setter
    def mean_batch(self, mean: float) -> None:
        self._mean_batch = mean

    @property
    def mean_cost(self) -> float:
        self.settle()
        return self._mean_cost

    @mean_cost.setter
    def mean_cost(self, mean: float) -> None:
        self._mean_cost = mean

    def batch(self) -> float:
        return self.mean_batch if self.count else nan

    def duration(self, seconds: Callable[[Any], float]) -> float:
        return self.mean_cost if self.count else nan


def _moved_one_by_one(count: int, batch: float, cost: float, runs: list[Run]) -> tuple[float, float]:
    """Both means after so many iterations, moved by each of those that follow."""
    k = float(count)
    for number, decodes, price in runs:
        if number == 1:
            k += 1.0
            batch += (decodes - batch) / k
            cost += (price - cost) / k
            continue
        size = float(decodes)
        if batch == size:
            for _ in repeat(None, number):
                k += 1.0
                cost += (price - cost) / k
            continue
        for _ in repeat(None, number):
            k += 1.0
            batch += (size - batch) / k
            cost += (price - cost) / k
    return batch, cost


def _moved_in_arrays(count: int, batch: float, cost: float, runs: list[Run]) -> tuple[float, float]:
    from serq_interpreter.machine.stages.vector_means import moved_means

    return moved_means(count, batch, cost, runs)


class SummedDecodeSteps:
    """Whole numbers added up: k iterations at once are the same as one by one."""

    __slots__ = ("batches", "count", "elapsed", "endless")

    def __init__(self) -> None:
        self.count = 0
        self.batches = 0
        self.elapsed = 0
        self.endless = False

    def add(self, decodes: int, cost: float, elapsed: int) -> None:
        self.count += 1
        self.batches += decodes
        self.elapsed += elapsed
        if cost == inf:
            self.endless = True

    def batch(self) -> float:
        return self.batches / self.count if self.count else nan

    def duration(self, seconds: Callable[[Any], float]) -> float:
        if not self.count:
            return nan
        return inf if self.endless else seconds(self.elapsed) / self.count
