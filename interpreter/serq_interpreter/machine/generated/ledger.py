"""What a window adds to the averages, the token gaps and the means of its engine (05 §11.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, Any, Protocol

from serq_interpreter.machine.generated.cohort import Cohort, Segment
from serq_interpreter.machine.generated.kernels import measuring_kernel, plain_kernel
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.decode_steps import RunningDecodeSteps, SummedDecodeSteps
from serq_interpreter.machine.stages.flows import SharedStage
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.stages.token_gaps import surely_within

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState

Measured = tuple[int, Any, Any, Any, Any]
"""Iterations started, when the last began and ends, units used and cached while it runs."""
OnChange = Callable[[Any, float], None] | None


@dataclass(frozen=True, slots=True)
class LinePlan:
    """Iterations on the exact clock: `started` of them after the one that runs until `end`, the last from `begin` to
    `at`.  `steps` are lengths and numbers of those that end in the window, the areas reach from `end` to `begin`."""

    started: int
    end: int
    begin: int
    at: int
    used: int
    cached: int
    steps: list[tuple[int, int]]
    area_used: int
    area_cached: int


Lane = tuple[Any, str, Any]
"""An average whose value stands still: object, field, value."""


class Ledger(Protocol):
    """Runs the iterations of a window."""

    def run(
        self, cohort: Cohort, first: Segment, rest: Iterator[Segment], end: Any, stop: Any, on_change: OnChange
    ) -> Measured:
        """From `end`, when the running iteration ends, on; `first` is the first segment of those that follow."""
        ...


def _open(machine: Machine, engine: StepStage, cohort: Cohort, end: Any) -> None:
    """The end of the iteration that runs: averages up to there, and each job's own gap since its latest token."""
    machine._integrate(end - machine.now)
    cohort.first_gaps(engine, end)


def lanes_of(machine: Machine, *grown: PoolState | None) -> list[Lane]:
    lanes: list[Lane] = []
    for pool in machine.pools:
        if pool not in grown:
            if pool.used:
                lanes.append((pool, "area_used", pool.used))
            if pool.cached:
                lanes.append((pool, "area_cached", pool.cached))
        if pool.queue:
            lanes.append((pool, "area_queue", len(pool.queue)))
        if pool.places:
            lanes.append((pool, "area_holders", len(pool.places)))
    for stage in machine.stages:
        if stage.present:
            lanes.append((stage, "area_number", stage.present))
            share = stage.carried / stage.capacity if isinstance(stage, SharedStage) else 1
            lanes.append((stage, "time_used", share))
        if isinstance(stage, StepStage) and stage.running:
            if stage.n_decodes:
                lanes.append((stage, "area_decodes", stage.n_decodes))
                lanes.append((stage, "time_mixed" if stage.n_prefills else "time_decode", 1))
            elif stage.n_prefills:
                lanes.append((stage, "time_prefill", 1))
    return lanes


class DoubleLedger:
    """The clock of doubles: every sum in the order of the iterations."""

    def __init__(self, machine: Machine, engine: StepStage) -> None:
        self.machine = machine
        self.engine = engine

    def run(
        self, cohort: Cohort, first: Segment, rest: Iterator[Segment], end: Any, stop: Any, on_change: OnChange
    ) -> Measured:
        machine, engine = self.machine, self.engine
        if not machine.measuring:
            return plain_kernel()(_chain(first, rest), end, stop, on_change)
        _open(machine, engine, cohort, end)
        n = cohort.n
        steps = engine.decode_steps
        assert isinstance(steps, RunningDecodeSteps)
        length, cost, used, cached = first
        steps.add(n, cost, cost)
        if on_change is not None:
            on_change(end, used)
        if length > 1:
            rest = _chain((length - 1, cost, used, cached), rest)
        pool = cohort.pool
        grows, caches = pool is not None, pool is not None and cached > 0.0
        lanes = lanes_of(machine, pool)
        gaps = engine.gaps
        kernel = measuring_kernel(len(lanes), grows, caches, n)
        found = kernel(
            rest,
            end,
            end + cost,
            stop,
            on_change,
            used,
            cached,
            0.0 if pool is None else pool.area_used,
            0.0 if pool is None else pool.area_cached,
            n,
            steps.count,
            steps.mean_batch,
            steps.mean_cost,
            gaps.total,
            [0, inf, -inf],
            gaps.bucket_of,
            *[getattr(owner, field) for owner, field, _ in lanes],
            *[value for _, _, value in lanes],
        )
        started, began, ends, used, cached, area_used, area_cached, count, batch, duration, total, *areas = found
        steps.count, steps.mean_batch, steps.mean_cost = count, batch, duration
        gaps.total = total
        gaps.count += started * n
        if grows:
            assert pool is not None
            pool.area_used = area_used
            if caches:
                pool.area_cached = area_cached
        for (owner, field, _), area in zip(lanes, areas, strict=True):
            setattr(owner, field, area)
        return started + 1, began, ends, used, cached


def _chain(first: Segment, rest: Iterator[Segment]) -> Iterator[Segment]:
    yield first
    yield from rest


class WholeLedger:
    """The exact clock: sums of whole numbers, in closed form from one growth to the next."""

    def __init__(self, machine: Machine, engine: StepStage) -> None:
        self.machine = machine
        self.engine = engine

    def run(
        self, cohort: Cohort, first: Segment, rest: Iterator[Segment], end: Any, stop: Any, on_change: OnChange
    ) -> Measured:
        machine, engine = self.machine, self.engine
        measuring = machine.measuring
        if measuring:
            _open(machine, engine, cohort, end)
        length, cost, used, cached = first
        begin, finish, started = end, end + cost, 1
        if on_change is not None:
            on_change(end, used)
        steps: dict[int, int] = {cost: 1}
        """Iterations that ended inside the window, plus the one that runs, by length."""
        area_used = area_cached = 0
        segment: Segment | None = (length - 1, cost, used, cached)
        while segment is not None:
            number, price, used_then, cached_then = segment
            if number and not finish < stop:
                break
            if number:
                area_used += int(used) * (finish - begin)
                area_cached += int(cached) * (finish - begin)
                used, cached = used_then, cached_then
                begin, finish, started = finish, finish + price, started + 1
                if on_change is not None:
                    on_change(begin, used)
                whole = min(number - 1, (stop - 1 - finish) // price + 1 if finish < stop else 0)
                area_used += int(used) * price * whole
                area_cached += int(cached) * price * whole
                begin, finish, started = begin + price * whole, finish + price * whole, started + whole
                steps[price] = steps.get(price, 0) + 1 + whole
                if whole < number - 1:
                    break
            segment = next(rest, None)
        if measuring:
            self._record(cohort, begin - end, steps, finish - begin, started, area_used, area_cached)
        return started, begin, finish, used, cached

    def plan_line(
        self, cohort: Cohort, line: tuple[int, int], units: float, evicts: bool, end: int, stop: int
    ) -> LinePlan | None:
        """What `run` would do for a cost that is a rising line in the units; nothing is changed.

        `None` where the first growth does not fit, so that no iteration may start.
        """
        constant, slope = line
        pool, block, most = cohort.pool, int(cohort.block), cohort.most
        used = cached = 0
        room = cap = 0.0
        if pool is not None:
            used, cached, cap = int(pool.used), int(pool.cached), pool.cap + SLACK
            room = cap - pool.outstanding()
        slope = slope if pool is None or pool is self.engine.memory else 0
        price = constant + line[1] * int(units)
        at, started, base = end, 0, 0
        area_used = area_cached = 0
        steps: list[tuple[int, int]] = []
        offsets = cohort.offsets or [(most, 0)]
        n_offsets = len(offsets)
        number = 0
        while True:
            target = base + offsets[number][0]
            quiet = (target if target < most else most) - started
            if quiet > 0:
                whole = (stop - 1 - at) // price + 1
                if whole > quiet:
                    whole = quiet
                elapsed = price * whole
                area_used += used * elapsed
                area_cached += cached * elapsed
                steps.append((price, whole))
                at += elapsed
                started += whole
                if at >= stop:
                    break
            if started >= most:
                break
            growth = block * offsets[number][1]
            if used + growth > room:
                break
            if cached and used + growth + cached > cap:
                if not evicts:
                    break
                cached = max(cached - ceil((used + growth + cached - cap) / block) * block, 0)
            used += growth
            price += slope * growth
            area_used += used * price
            area_cached += cached * price
            steps.append((price, 1))
            at += price
            started += 1
            if at >= stop:
                break
            number += 1
            if number == n_offsets:
                number, base = 0, base + block
        if not steps:
            return None
        last, times = steps[-1]
        steps[-1] = (last, times - 1)
        areas = (area_used - used * last, area_cached - cached * last)
        return LinePlan(started, end, at - last, at, used, cached, steps, *areas)

    def run_line(self, cohort: Cohort, plan: LinePlan) -> None:
        """Enter a plan for one engine into the books, up to when its last iteration begins."""
        if self.machine.measuring:
            self.machine._integrate(plan.end - self.machine.now)
            self.enter_tokens(cohort, plan)
            self._areas(cohort, plan.begin - plan.end, plan.area_used, plan.area_cached)

    def enter_tokens(self, cohort: Cohort, plan: LinePlan) -> None:
        """The token gaps and the means of a plan's iterations."""
        cohort.first_gaps(self.engine, plan.end)
        self._means(cohort, plan.begin - plan.end, plan.at - plan.begin, plan.started)
        self._rising_gaps(plan.steps, cohort.n)

    def _rising_gaps(self, steps: list[tuple[int, int]], n: int) -> None:
        """Gaps that never get shorter: a bucket is looked up when they leave the one before for certain."""
        gaps, span = self.engine.gaps, self.machine.span
        bucket: list[float] = [0, inf, -inf]
        within = -inf
        longest = 0
        for ticks, times in steps:
            if not times:
                continue
            if ticks > longest:
                longest = ticks
                gap = span(ticks)
                if gap <= within:
                    if gap > bucket[2]:
                        bucket[2] = gap
                else:
                    bucket = gaps.bucket_of(gap)
                    within = surely_within(gap)
            bucket[0] += times * n

    def _record(
        self, cohort: Cohort, length: int, steps: dict[int, int], last: int, started: int, used: int, cached: int
    ) -> None:
        """Sums over the window: `length` ticks from its first start to its last, `last` the ticks of the last."""
        n = cohort.n
        self._means(cohort, length, last, started)
        gaps, span = self.engine.gaps, self.machine.span
        for ticks, number in steps.items():
            ended = number - 1 if ticks == last else number
            if ended:
                gaps.bucket_of(span(ticks))[0] += ended * n
        self._areas(cohort, length, used, cached)

    def _means(self, cohort: Cohort, length: int, last: int, started: int) -> None:
        n = cohort.n
        means, gaps = self.engine.decode_steps, self.engine.gaps
        assert isinstance(means, SummedDecodeSteps)
        means.count += started
        means.batches += n * started
        means.elapsed += length + last
        gaps.total += length * n
        gaps.count += (started - 1) * n

    def _areas(self, cohort: Cohort, length: int, used: int, cached: int) -> None:
        for owner, field, value in lanes_of(self.machine, cohort.pool):
            setattr(owner, field, getattr(owner, field) + int(value) * length)
        if cohort.pool is not None:
            cohort.pool.area_used += used
            cohort.pool.area_cached += cached
