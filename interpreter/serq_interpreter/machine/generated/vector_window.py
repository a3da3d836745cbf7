"""Long windows on the clock of doubles in numpy: the same additions in the same order, many in one call.

`add.accumulate` adds one after the other, so that times and areas are those of the plain loop to the last bit.  Import
this module only when numpy is installed (extra `serq-lsp[fast]`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.token_gaps import GapStatistics, surely_within

if TYPE_CHECKING:
    from collections.abc import Callable

    from serq_interpreter.machine.generated.cohort import Cohort

Doubles = NDArray[np.float64]

CHUNK = 4096
"""Iterations at once: the arrays stay in the fastest cache."""


@dataclass(slots=True)
class Stretch:
    """Iterations `started` of a chunk: when each starts, what it costs, and the units while it runs.

    `end` is when the last of them ends; `over` that no further one may follow.
    """

    starts: Doubles
    costs: Doubles
    used: Doubles
    cached: Doubles
    end: float
    over: bool


class Foresight:
    """Goes on chunk by chunk from `at`, when the running iteration ends, up to `stop`."""

    def __init__(
        self,
        cohort: Cohort,
        cost: Callable[[Any], Any],
        reads_units: bool,
        units: float,
        evicts: bool,
        bounds: tuple[float, float],
    ) -> None:
        self._cohort = cohort
        self._cost = cost
        self._reads_units = reads_units
        self._units = units
        self._evicts = evicts
        self._least, self._most = bounds
        self._done = 0
        pool = cohort.pool
        self._used = self._cached = 0.0
        self._room = self._cap = inf
        if pool is not None:
            self._used, self._cached, self._cap = pool.used, pool.cached, pool.cap + SLACK
            self._room = self._cap - pool.outstanding()
        block = int(cohort.block)
        self._block = block
        self._takers = np.zeros(block)
        for offset, takers in cohort.offsets:
            self._takers[offset] = takers * block

    def next(self, at: float, stop: float) -> Stretch | None:
        """The iterations of the next chunk that start before `stop`; `None` if none may."""
        price = self._cost(self._units)
        most = min(CHUNK, self._cohort.most - self._done)
        if price > 0.0:
            most = min(most, int((stop - at) / price) + 2)
        if most <= 0 or not at < stop:
            return None
        added, growth = self._growth(most)
        used, cached, allowed = self._memory(added, most)
        if allowed == 0:
            return None
        costs = self._costs(growth[:allowed])
        fine = (costs > self._least) & (costs < self._most)
        if not fine.all():
            allowed = int(np.argmin(fine))
            if allowed == 0:
                return None
        times = np.add.accumulate(np.concatenate(([at], costs[:allowed])))
        started = int(np.searchsorted(times[:allowed], stop, "left"))
        self._done += started
        self._used, self._cached = float(used[started - 1]), float(cached[started - 1])
        self._units += float(growth[started - 1])
        over = started < most or self._done == self._cohort.most
        return Stretch(times[:started], costs[:started], used[:started], cached[:started], float(times[started]), over)

    def _growth(self, most: int) -> tuple[Doubles, Doubles]:
        """Units added up to each iteration, to the pool and to what the cost reads."""
        if self._cohort.pool is None:
            none = np.zeros(most)
            return none, none
        first = self._done % self._block
        n_blocks = (first + most) // self._block + 1
        taken = np.tile(self._takers, n_blocks)[first : first + most]
        added = np.add.accumulate(taken)
        return added, added if self._reads_units else np.zeros(most)

    def _memory(self, added: Doubles, most: int) -> tuple[Doubles, Doubles, int]:
        """Units used and cached in each iteration, and how many of them find room."""
        used = self._used + added
        allowed = int(np.searchsorted(used, self._room, "right"))
        cached = np.full(most, self._cached)
        if self._cached and self._cap < inf:
            over = used + self._cached > self._cap
            # Only a growth makes entries go.
            over &= added > 0.0
            if over.any():
                if not self._evicts:
                    allowed = min(allowed, int(np.argmax(over)))
                else:
                    whole = floor(self._cap / self._block) * self._block
                    cached = np.where(over, np.maximum(whole - used, 0.0), cached)
        return used, cached, allowed

    def _costs(self, growth: Doubles) -> Doubles:
        if not self._reads_units:
            return np.full(len(growth), self._cost(self._units))
        with np.errstate(all="ignore"):
            costs: Doubles = self._cost(self._units + growth)
        return costs


class Sums:
    """Running sums over the iterations that end: one addition per iteration, in order."""

    def __init__(self) -> None:
        self._terms = np.empty(CHUNK + 2)
        self._sums = np.empty(CHUNK + 2)

    def add(self, total: float, factor: Any, elapsed: Doubles) -> float:
        """`total` after `factor · elapsed` of each was added; `factor` is a number or one per iteration."""
        n = len(elapsed)
        terms = self._terms[: n + 1]
        terms[0] = total
        if isinstance(factor, int | float) and factor == 1:
            terms[1:] = elapsed
        else:
            np.multiply(elapsed, factor, out=terms[1:])
        return float(np.add.accumulate(terms, out=self._sums[: n + 1])[n])

    def add_times(self, total: float, elapsed: Doubles, times: int) -> float:
        """`total` after each of `elapsed` was added so many times in a row."""
        if times == 1:
            return self.add(total, 1, elapsed)
        return float(np.add.accumulate(np.concatenate(([total], np.repeat(elapsed, times))))[-1])


def count_gaps(gaps: GapStatistics, elapsed: Doubles, times: int) -> None:
    """Each of `elapsed` seconds counted so many times, in its bucket; the sum is the caller's business."""
    gaps.count += len(elapsed) * times
    while len(elapsed):
        least = float(elapsed.min())
        bucket = gaps.bucket_of(least)
        inside = elapsed <= max(surely_within(least), least)
        number = int(np.count_nonzero(inside))
        bucket[0] += number * times
        most = float(elapsed[inside].max())
        if most > bucket[2]:
            bucket[2] = most
        elapsed = elapsed[~inside] if number < len(elapsed) else elapsed[:0]
