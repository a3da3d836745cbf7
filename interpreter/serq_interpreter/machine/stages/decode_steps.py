"""Mean batch and mean duration of the iterations that decode (05 §10)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any, Protocol


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
    """Means moved by each iteration, as the reference does: the last bits depend on the order."""

    __slots__ = ("count", "mean_batch", "mean_cost")

    def __init__(self) -> None:
        self.count = 0
        self.mean_batch = 0.0
        self.mean_cost = 0.0

    def add(self, decodes: int, cost: float, elapsed: Any) -> None:
        self.count += 1
        self.mean_batch += (decodes - self.mean_batch) / self.count
        self.mean_cost += (cost - self.mean_cost) / self.count

    def batch(self) -> float:
        return self.mean_batch if self.count else nan

    def duration(self, seconds: Callable[[Any], float]) -> float:
        return self.mean_cost if self.count else nan


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
