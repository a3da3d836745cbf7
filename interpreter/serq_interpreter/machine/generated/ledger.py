"""What a window adds to the averages, the token gaps and the means of its engine (05 §11.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from serq_interpreter.machine.generated.cohort import Cohort, Segment
from serq_interpreter.machine.generated.kernels import measuring_kernel, plain_kernel
from serq_interpreter.machine.stages.decode_steps import RunningDecodeSteps, SummedDecodeSteps
from serq_interpreter.machine.stages.flows import SharedStage
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState

Measured = tuple[int, Any, Any, Any, Any]
"""Iterations started, when the last began and ends, units used and cached while it runs."""
OnChange = Callable[[Any, float], None] | None
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
    gaps, span = engine.gaps, machine.span
    for job in cohort.jobs:
        actor = job.actor
        assert actor is not None
        last = actor.tokens
        if last is not None and last.turn == actor.turns:
            elapsed = end - last.time
            gaps.add(span(elapsed), elapsed)


def _lanes(machine: Machine, grown: PoolState | None) -> list[Lane]:
    lanes: list[Lane] = []
    for pool in machine.pools:
        if pool is not grown:
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
            return plain_kernel()(_chain(first, rest), end, stop, on_change)  # type: ignore[return-value]
        _open(machine, engine, cohort, end)
        n = len(cohort.jobs)
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
        lanes = _lanes(machine, pool)
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

    def _record(
        self, cohort: Cohort, length: int, steps: dict[int, int], last: int, started: int, used: int, cached: int
    ) -> None:
        """Sums over the window: `length` ticks from its first start to its last, `last` the ticks of the last."""
        machine, engine = self.machine, self.engine
        n = len(cohort.jobs)
        means = engine.decode_steps
        assert isinstance(means, SummedDecodeSteps)
        means.count += started
        means.batches += n * started
        means.elapsed += length + last
        gaps, span = engine.gaps, machine.span
        gaps.total += length * n
        gaps.count += (started - 1) * n
        for ticks, number in steps.items():
            ended = number - 1 if ticks == last else number
            if ended:
                gaps.bucket_of(span(ticks))[0] += ended * n
        for owner, field, value in _lanes(machine, cohort.pool):
            setattr(owner, field, getattr(owner, field) + int(value) * length)
        if cohort.pool is not None:
            cohort.pool.area_used += used
            cohort.pool.area_cached += cached

