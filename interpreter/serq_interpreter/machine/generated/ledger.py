"""What a window adds to the averages, the token gaps and the means of its engine (05 §11.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.generated.cohort import Cohort, Segment
from serq_interpreter.machine.generated.kernels import measuring_kernel, plain_kernel
from serq_interpreter.machine.generated.line_plan import LinePlan, LinePlanner, Rise, Step
from serq_interpreter.machine.generated.repeated_sums import added, binade_top
from serq_interpreter.machine.stages.decode_steps import MOST_RUNS, Run, RunningDecodeSteps, SummedDecodeSteps
from serq_interpreter.machine.stages.flows import SharedStage
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.stages.token_gaps import GapStatistics, surely_within

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState

Measured = tuple[int, Any, Any, Any, Any]
"""Iterations started, when the last began and ends, units used and cached while it runs."""
OnChange = Callable[[Any, float], None] | None


_SPREAD = 1.25
"""So much dearer than a window's first iteration the mean one hardly is."""

Lane = tuple[Any, str, Any]
"""An average whose value stands still: object, field, value."""


class Ledger(Protocol):
    """Runs the iterations of a window."""

    def run(
        self, cohort: Cohort, first: Segment, rest: Iterator[Segment], end: Any, stop: Any, on_change: OnChange
    ) -> Measured:
        """From `end`, when the running iteration ends, on; `first` is the first segment of those that follow."""
        ...


def open_window(machine: Machine, engine: StepStage, cohort: Cohort, end: Any) -> None:
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
    """The clock of doubles: every sum as the reference makes it, in the order of the iterations."""

    def __init__(self, machine: Machine, engine: StepStage) -> None:
        self.machine = machine
        self.engine = engine

    def run(
        self, cohort: Cohort, first: Segment, rest: Iterator[Segment], end: Any, stop: Any, on_change: OnChange
    ) -> Measured:
        machine, engine = self.machine, self.engine
        if not machine.measuring:
            return plain_kernel()(chain((first,), rest), end, stop, on_change)
        open_window(machine, engine, cohort, end)
        steps = engine.decode_steps
        assert isinstance(steps, RunningDecodeSteps)
        runs = steps.runs
        waiting = len(runs)
        length, cost, used, cached = first
        runs.append((1, cohort.n, cost))
        if on_change is not None:
            on_change(end, used)
        if length > 1:
            rest = chain(((length - 1, cost, used, cached),), rest)
        pool = cohort.pool
        grows, caches = pool is not None, pool is not None and cached > 0.0
        gaps, n = engine.gaps, cohort.n
        fine, lanes = _apart(
            [*lanes_of(machine, pool), (gaps, "total", n)], end, min(stop, end + _SPREAD * cost * cohort.most)
        )
        n_summed = 0
        total = gaps.total
        if lanes and lanes[-1][0] is gaps:
            lanes.pop()
            n_summed = n
        kernel = measuring_kernel(len(lanes), grows, caches, n_summed)
        started, began, ends, used, cached, area_used, area_cached, total, *areas = kernel(
            rest,
            end,
            end + cost,
            stop,
            on_change,
            used,
            cached,
            0.0 if pool is None else pool.area_used,
            0.0 if pool is None else pool.area_cached,
            float(n),
            runs.append,
            total,
            gaps.bucket_up_to,
            *[getattr(owner, field) for owner, field, _ in lanes],
            *[float(value) for _, _, value in lanes],
        )
        gaps.count += started * n
        gaps.total = total
        if grows:
            assert pool is not None
            pool.area_used = area_used
            if caches:
                pool.area_cached = area_cached
        for (owner, field, _), area in zip(lanes, areas, strict=True):
            setattr(owner, field, area)
        if fine and started:
            enter_fine(fine, end, began, runs, waiting)
        if len(runs) > MOST_RUNS:
            steps.settle()
        return started + 1, began, ends, used, cached


def _apart(lanes: list[Lane], at: float, latest: float) -> tuple[list[Lane], list[Lane]]:
    """The sums that `enter_fine` takes at once, if the window from `at` ends by `latest`, and the others."""
    fine: list[Lane] = []
    others: list[Lane] = []
    length = latest - at if latest <= binade_top(at) else inf
    for lane in lanes:
        owner, field, value = lane
        area = getattr(owner, field)
        is_fine = 0.0 < area <= at and value % 1 == 0 and area + value * length < binade_top(area)
        (fine if is_fine or value < 0 else others).append(lane)
    return fine, others


def enter_fine(lanes: list[Lane], at: float, end: float, runs: list[Run], first: int) -> None:
    """Add the time from `at` to `end`, times its value, to each sum: as iteration by iteration, to the last bit.

    The iterations are those of `runs[first:]`, but for the last one, which begins at `end`.  No sum is rounded that
    stays where its spacing is not wider than that of `at` (`repeated_sums`); any other is added up in a loop.
    """
    length = end - at
    straight = end <= binade_top(at)
    for owner, field, value in lanes:
        area = getattr(owner, field)
        found = area + value * length
        if not (straight and value > 0 and area <= at and found < binade_top(area)):
            found = added_one_by_one(area, value, at, runs[first:], isinstance(owner, GapStatistics))
        setattr(owner, field, found)


def added_one_by_one(area: float, value: float, at: float, runs: list[Run], for_each: bool) -> float:
    """The same in a loop; `for_each` of `value` decodes the time is added by itself."""
    left = sum([run[0] for run in runs]) - 1
    for number, _, cost in runs:
        for _ in range(min(number, left)):
            end = at + cost
            if for_each:
                area = added(area, end - at, int(value))
            else:
                area += value * (end - at)
            at = end
        left -= number
    return area


def enter_growth(pool: PoolState | None, plan: LinePlan) -> None:
    """The areas of a plan's pool beyond those that its units before the plan have."""
    if pool is not None:
        length = plan.begin - plan.end
        pool.area_used += plan.area_used - int(pool.used) * length
        pool.area_cached += plan.area_cached - int(pool.cached) * length


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
            open_window(machine, engine, cohort, end)
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
        pool = cohort.pool
        grows_cost = pool is None or pool is self.engine.memory
        return LinePlanner(cohort, line, units, evicts, grows_cost).plan(end, stop)

    def run_line(self, cohort: Cohort, plan: LinePlan) -> None:
        """Enter a plan for one engine into the books, up to when its last iteration begins."""
        if self.machine.measuring:
            machine = self.machine
            if "_integrate" in vars(machine):
                # Somebody looks at the levels over time: up to the window, and at what it came to afterwards.
                machine._integrate(plan.end - machine.now)
                type(machine)._integrate(machine, plan.begin - plan.end)
            else:
                machine._integrate(plan.begin - machine.now)
            self.enter_tokens(cohort, plan)
            enter_growth(cohort.pool, plan)

    def enter_tokens(self, cohort: Cohort, plan: LinePlan) -> None:
        """The token gaps and the means of a plan's iterations."""
        cohort.first_gaps(self.engine, plan.end)
        self._means(cohort, plan.begin - plan.end, plan.at - plan.begin, plan.started)
        self._rising_gaps(plan.steps, cohort.n)

    def _rising_gaps(self, steps: list[Step], n: int) -> None:
        """Gaps that never get shorter: a bucket is looked up when they leave the one before for certain."""
        gaps, span = self.engine.gaps, self.machine.span
        bucket: list[float] = [0, inf, -inf]
        within = -inf
        longest = 0
        for step in steps:
            if isinstance(step, Rise):
                bucket, within = self._rise(step, n)
                longest = step.at(step.times - 1)
                continue
            ticks, times = step
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

    def _rise(self, rise: Rise, n: int) -> tuple[list[float], float]:
        """The gaps of whole periods, a bucket at a time; the last bucket and what is surely within it."""
        gaps, span = self.engine.gaps, self.machine.span
        done = 0
        while True:
            gap = span(rise.at(done))
            bucket = gaps.bucket_of(gap)
            within = surely_within(gap)
            inside = max(rise.up_to(self._ticks_within(within)), done + 1)
            bucket[0] += (inside - done) * n
            last = span(rise.at(inside - 1))
            if last > bucket[2]:
                bucket[2] = last
            done = inside
            if done == rise.times:
                return bucket, within

    def _ticks_within(self, seconds: float) -> int:
        """The most ticks that last at most so long."""
        clock = self.machine.clock
        assert isinstance(clock, ExactClock)
        ticks = clock.ticks(seconds)
        return ticks if clock.seconds(ticks) <= seconds else ticks - 1

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
