"""The runs of a long window in numpy: how many iterations of which cost, and what the pool holds meanwhile.

Import this module only when numpy is installed (extra `serq-lsp[fast]`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from serq_interpreter.machine.generated.cohort import FEWEST_RUNS, growths_of
from serq_interpreter.machine.generated.repeated_sums import binade_top, starts_before
from serq_interpreter.machine.numbers import SLACK

if TYPE_CHECKING:
    from collections.abc import Callable

    from serq_interpreter.machine.generated.cohort import Cohort

Doubles = NDArray[np.float64]

MOST_RUNS = 4096
"""Runs at once, about: the arrays stay in the fastest cache."""


@dataclass(slots=True)
class Stretch:
    """Iterations started, run by run: how many, what each costs and how long it lasts by the clock, and the units.

    `began` is when the last of them starts, `end` when it ends.
    """

    numbers: Doubles
    costs: Doubles
    elapsed: Doubles
    used: Doubles
    cached: Doubles
    began: float
    end: float


def stretch(
    cohort: Cohort,
    cost: Callable[[Any], Any],
    reads_units: bool,
    units: float,
    evicts: bool,
    bounds: tuple[float, float],
    at: float,
    stop: float,
) -> Stretch | None:
    """The first runs of a window from `at`, when the running iteration ends, up to `stop`; `None` if they are few or cannot be told.

    `bounds` are those that a cost must be strictly between.  Times are in seconds.
    """
    pool = cohort.pool
    price = cost(units)
    if pool is None or not cohort.offsets or not bounds[0] < price < bounds[1]:
        return None
    if not (pool.used.is_integer() and pool.cached.is_integer() and units.is_integer()):
        return None
    most = min(cohort.most, int((stop - at) / price) + 2)
    if most * len(cohort.offsets) < FEWEST_RUNS * cohort.block:
        return None
    numbers, growth = _pattern(cohort, most)
    added = np.add.accumulate(growth)
    used, cached, allowed = _memory(pool, added, evicts, cohort.block)
    if not allowed:
        return None
    costs = np.full(allowed, price)
    if reads_units:
        with np.errstate(all="ignore"):
            costs[:] = cost(units + added[:allowed])
    return _clocked(numbers[:allowed], costs, (used[:allowed], cached[:allowed]), bounds, at, stop)


def _pattern(cohort: Cohort, most: int) -> tuple[Doubles, Doubles]:
    """Iterations of each run, and the units taken before its first: `most` iterations, or about `MOST_RUNS` runs."""
    growths, quiet = growths_of(cohort)
    blocks = min(most // int(cohort.block) + 2, MOST_RUNS // len(growths) + 1)
    taken, lengths = np.tile(np.array(growths, np.float64).T, blocks)
    if quiet:
        taken, lengths = np.concatenate(([0.0], taken)), np.concatenate(([float(quiet)], lengths))
    done = np.add.accumulate(lengths)
    last = int(np.searchsorted(done, most))
    if last < len(lengths):
        taken, lengths = taken[: last + 1], lengths[: last + 1]
        lengths[last] -= done[last] - most
    return lengths, taken


def _memory(pool: Any, added: Doubles, evicts: bool, block: float) -> tuple[Doubles, Doubles, int]:
    """Units used and cached during each run, and how many runs find room."""
    used = pool.used + added
    full = pool.cap + SLACK
    allowed = int(np.searchsorted(used, full - pool.outstanding(), "right"))
    cached = np.full(len(used), pool.cached)
    if pool.cached and full < inf:
        # Only a growth makes entries go.
        over = (used + pool.cached > full) & (added > 0.0)
        if over.any():
            if not evicts:
                allowed = min(allowed, int(np.argmax(over)))
            else:
                whole = floor(full / block) * block
                cached = np.where(over, np.maximum(whole - used, 0.0), cached)
    return used, cached, allowed


def _clocked(
    numbers: Doubles,
    costs: Doubles,
    units: tuple[Doubles, Doubles],
    bounds: tuple[float, float],
    at: float,
    stop: float,
) -> Stretch | None:
    """The runs up to `stop`, or up to where the clock's spacing changes or a cost is out of bounds.

    In one binade the clock rounds a cost always the same, half-way cases excepted: these are left to the caller.
    """
    top = binade_top(at)
    middle = top / 2.0
    elapsed = (middle + costs) - middle
    fine = (costs > bounds[0]) & (costs < min(bounds[1], middle)) & (np.abs(costs - elapsed) != top * 2.0**-54)
    ends = at + np.add.accumulate(numbers * elapsed)
    fine &= ends < top
    n = len(fine) if fine.all() else int(np.argmin(fine))
    before = int(np.searchsorted(ends[:n], stop, "left"))
    n = min(n, before + 1)
    if n == 0:
        return None
    began, end = float(ends[n - 1] - elapsed[n - 1]), float(ends[n - 1])
    if not began < stop:
        start = float(ends[n - 2]) if n > 1 else at
        number, began, end = starts_before(start, float(costs[n - 1]), stop, int(numbers[n - 1]))
        numbers[n - 1] = number
    used, cached = units
    return Stretch(numbers[:n], costs[:n], elapsed[:n], used[:n], cached[:n], began, end)
