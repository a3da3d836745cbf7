"""What a window comes to on the exact clock, for a cost that is a rising line in the units of the decodes (05 §11.2).

Everything is whole: a cost of `constant + slope · units` ticks, and units that grow by blocks.  A *period* is as many
iterations as a block has units, in which every growing decode takes one block: period by period the prices are those of
the one before plus a constant, so that any number of periods adds up in closed form.  The iterations before the first
whole period and after the last are added up from one growth to the next.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil, floor, inf, isqrt
from typing import TYPE_CHECKING

from serq_interpreter.machine.numbers import SLACK

if TYPE_CHECKING:
    from serq_interpreter.machine.generated.cohort import Cohort


class Rise:
    """The lengths in ticks of the iterations of `periods` periods, rising from `price`.

    In a period, `levels[i]` units more than at its start are held from the iteration `starts[i]` on; a period later it
    is `growth` more, each unit adding `slope` ticks.
    """

    __slots__ = ("block", "growth", "levels", "price", "slope", "starts", "times")

    def __init__(self, price: int, slope: int, shape: Shape, periods: int) -> None:
        self.price = price
        self.slope = slope
        self.starts = shape.starts
        self.levels = shape.levels
        self.block = shape.block
        self.growth = shape.growth
        self.times = periods * shape.block
        """The number of iterations, which may lack the last ones of the last period."""

    def at(self, number: int) -> int:
        """The length of an iteration, counted from 0."""
        period, place = divmod(number, self.block)
        level = self.levels[bisect_right(self.starts, place) - 1]
        return self.price + self.slope * (period * self.growth + level)

    def up_to(self, ticks: int) -> int:
        """How many iterations are at most so long."""
        if ticks < self.price:
            return 0
        if not self.slope:
            return self.times
        period, rest = divmod((ticks - self.price) // self.slope, self.growth)
        index = bisect_right(self.levels, rest)
        within = self.starts[index] if index < len(self.starts) else self.block
        return min(period * self.block + within, self.times)


Step = tuple[int, int] | Rise
"""A length in ticks and how many iterations have it, or those of whole periods."""


@dataclass(frozen=True, slots=True)
class LinePlan:
    """Iterations on the exact clock: `started` of them after the one that runs until `end`, the last from `begin` to
    `at`.  `steps` are the lengths, never falling, of those that end in the window; the areas (pool units · ticks) reach
    from `end` to `begin`."""

    started: int
    end: int
    begin: int
    at: int
    used: int
    cached: int
    steps: list[Step]
    area_used: int
    area_cached: int


class Shape:
    """One period of a cohort: when units are added, and the sums of the levels and of their squares over it."""

    __slots__ = ("block", "growth", "levels", "squares", "starts", "sum")

    def __init__(self, cohort: Cohort) -> None:
        block = self.block = int(cohort.block)
        starts, levels = [0], [0]
        level = total = squares = 0
        for offset, takers in cohort.offsets:
            more = block * takers
            rest = block - offset
            total += more * rest
            squares += (more * more + 2 * level * more) * rest
            level += more
            if offset:
                starts.append(offset)
                levels.append(level)
            else:
                levels[0] = level
        self.starts, self.levels = starts, levels
        self.growth, self.sum, self.squares = level, total, squares

    def units(self, periods: int) -> int:
        """The sum over the iterations of so many periods of the units added since their start."""
        return self.block * self.growth * (periods * (periods - 1) // 2) + periods * self.sum

    def units_squared(self, periods: int) -> int:
        """The sum of the squares of the same."""
        q, growth = periods, self.growth
        whole = self.block * growth * growth * ((q - 1) * q * (2 * q - 1) // 6)
        return whole + growth * self.sum * q * (q - 1) + q * self.squares

    def ticks(self, price: int, slope: int, periods: int) -> int:
        """How long so many periods take, the first iteration without growth lasting `price`."""
        return periods * self.block * price + slope * self.units(periods)

    def periods_within(self, price: int, slope: int, ticks: int) -> int:
        """How many whole periods take at most so long."""
        if ticks <= 0:
            return 0
        rise = slope * self.block * self.growth
        first = 2 * (self.block * price + slope * self.sum) - rise
        periods = (isqrt(first * first + 8 * rise * ticks) - first) // (2 * rise) if rise else 2 * ticks // first
        while periods > 0 and self.ticks(price, slope, periods) > ticks:
            periods -= 1
        return max(periods, 0)


class LinePlanner:
    """Adds up one window; `plan` says what it comes to and changes nothing else."""

    def __init__(self, cohort: Cohort, line: tuple[int, int], units: float, evicts: bool, grows_cost: bool) -> None:
        self.cohort = cohort
        self.evicts = evicts
        pool = cohort.pool
        self.used = self.cached = 0
        self.room = self.cap = 0.0
        if pool is not None:
            self.used, self.cached, self.cap = int(pool.used), int(pool.cached), pool.cap + SLACK
            self.room = self.cap - pool.outstanding()
        self.slope = line[1] if grows_cost else 0
        self.price = line[0] + line[1] * int(units)
        self.started = 0
        self.at = 0
        self.area_used = self.area_cached = 0
        self.steps: list[Step] = []

    def plan(self, end: int, stop: int) -> LinePlan | None:
        """`None` where the first growth does not fit, so that no iteration may start."""
        self.at = end
        self._run(stop)
        steps = self.steps
        if not steps:
            return None
        final = steps[-1]
        if isinstance(final, Rise):
            final.times -= 1
            last = final.at(final.times)
        else:
            last, times = final
            steps[-1] = (last, times - 1)
        areas = (self.area_used - self.used * last, self.area_cached - self.cached * last)
        return LinePlan(self.started, end, self.at - last, self.at, self.used, self.cached, steps, *areas)

    def _run(self, stop: int) -> None:
        cohort = self.cohort
        block, most = int(cohort.block), cohort.most
        offsets = cohort.offsets or [(most, 0)]
        jumps = 2 if cohort.offsets and most >= 4 * block else 0
        base = number = 0
        while True:
            if jumps and number == 0:
                # Whole periods begin here; a cache that turns full on the way needs one period step by step.
                jumps -= 1
                if self.started < base and not self._quiet(base, stop):
                    return
                base += block * self._jump(stop)
            if not self._quiet(base + offsets[number][0], stop):
                return
            if not self._grow(block * offsets[number][1]) or self.at >= stop:
                return
            number += 1
            if number == len(offsets):
                number, base = 0, base + block

    def _quiet(self, target: int, stop: int) -> bool:
        """Iterations without a growth up to number `target`; whether the window goes on."""
        most = self.cohort.most
        quiet = (target if target < most else most) - self.started
        if quiet > 0:
            price = self.price
            whole = (stop - 1 - self.at) // price + 1
            if whole > quiet:
                whole = quiet
            elapsed = price * whole
            self.area_used += self.used * elapsed
            self.area_cached += self.cached * elapsed
            self.steps.append((price, whole))
            self.at += elapsed
            self.started += whole
            if self.at >= stop:
                return False
        return self.started < most

    def _grow(self, growth: int) -> bool:
        """One iteration that begins with a growth; false if there is no room for it."""
        used = self.used + growth
        if used > self.room:
            return False
        if self.cached and used + self.cached > self.cap:
            if not self.evicts:
                return False
            self.cached = self._left(used)
        self.used = used
        self.price += self.slope * growth
        price = self.price
        self.area_used += used * price
        self.area_cached += self.cached * price
        self.steps.append((price, 1))
        self.at += price
        self.started += 1
        return True

    def _left(self, used: int) -> int:
        """Cached units after whole blocks have gone to make room beside `used`."""
        block = int(self.cohort.block)
        excess = used + self.cached - self.cap
        return max(self.cached - ceil(excess / block) * block, 0)

    def _jump(self, stop: int) -> int:
        """Take as many whole periods at once as time, tokens and memory surely allow; how many."""
        block = int(self.cohort.block)
        if 2 * block * self.price > stop - self.at:
            return 0
        shape = Shape(self.cohort)
        growth = shape.growth
        periods = (self.cohort.most - self.started - 1) // shape.block
        periods = min(periods, shape.periods_within(self.price, self.slope, stop - 1 - self.at))
        periods = min(periods, floor((self.room - self.used) / growth)) if self.room < inf else periods
        full = self.cached > 0 and self._is_full()
        if full:
            periods = min(periods, self.cached // growth) if self.evicts else 0
        elif self.cached and self.cap < inf:
            periods = min(periods, floor((self.cap - self.cached - self.used) / growth))
        if periods < 2:
            return 0
        price, slope, used = self.price, self.slope, self.used
        elapsed = shape.ticks(price, slope, periods)
        added, squared = shape.units(periods), shape.units_squared(periods)
        area = used * price * periods * shape.block + (used * slope + price) * added + slope * squared
        self.area_used += area
        if full:
            self.area_cached += (used + self.cached) * elapsed - area
            self.cached -= periods * growth
        else:
            self.area_cached += self.cached * elapsed
        self.steps.append(Rise(price, slope, shape, periods))
        self.at += elapsed
        self.started += periods * shape.block
        self.used += periods * growth
        self.price += slope * periods * growth
        return periods

    def _is_full(self) -> bool:
        """Whether every further block makes another one go: then used and cached units have a constant sum."""
        return self.used + self.cached + int(self.cohort.block) > self.cap
