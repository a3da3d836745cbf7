"""The decodes of a window: how long they go on, and when they take blocks (05 §11.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle, pairwise
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.token_gaps import LastToken

if TYPE_CHECKING:
    from serq_interpreter.machine.pools import Allocation, PoolState
    from serq_interpreter.machine.stages.decoders import Decoders
    from serq_interpreter.machine.stages.step import StepJob, StepStage

Segment = tuple[int, Any, float, float]
"""So many iterations of one cost, with the units used and cached while they run."""


WORTH_NUMPY = 600_000
"""Iterations taken in plain loops before numpy is imported for their sake."""
FEWEST_RUNS = 100
"""A window of fewer runs is quicker in a plain loop than in arrays."""


class Cohort:
    """All residents of an engine, every one decoding a token per iteration and growing at most one pool.

    `most` iterations may start before the first of them completes.  `pool` is what they grow; `offsets` says after
    how many iterations of a block how many of them take one.
    """

    __slots__ = ("block", "most", "n", "offsets", "pool")

    def __init__(self, n: int, most: int) -> None:
        self.n = n
        self.most = most
        self.pool: PoolState | None = None
        self.block = 1.0
        self.offsets: list[tuple[int, int]] = []

    def units(self, memory: PoolState) -> float:
        """What they hold of the engine's memory."""
        raise NotImplementedError

    def first_gaps(self, engine: StepStage, end: Any) -> None:
        """The token gaps of the iteration that runs until `end`."""
        raise NotImplementedError

    def advance(self, engine: StepStage, started: int, now: Any, used: Any) -> None:
        """They are as after `started` more iterations, the last begun at `now` with `used` units of their pool."""
        raise NotImplementedError


class Members(Cohort):
    """The engine's lasting cohort, as a window sees it."""

    __slots__ = ("decoders", "used_before")

    def __init__(self, decoders: Decoders, most: int) -> None:
        self.n = len(decoders.members)
        self.most = most
        self.decoders = decoders
        pool = self.pool = decoders.pool
        self.block = 1.0
        self.offsets = []
        self.used_before = 0.0
        if pool is not None:
            # A gauge of memory writes to the pool while the window is taken.
            self.used_before = pool.used
            grown, block = decoders.grown, decoders.block
            self.block = float(block)
            self.offsets = [((residue - grown) % block, takers) for residue, takers in decoders.takers.items()]
            if len(self.offsets) > 1:
                self.offsets.sort()

    def units(self, memory: PoolState) -> float:
        return self.decoders.units

    def first_gaps(self, engine: StepStage, end: Any) -> None:
        self.decoders.tokens_at(end, self.n)

    def advance(self, engine: StepStage, started: int, now: Any, used: Any) -> None:
        decoders = self.decoders
        decoders.grown += started
        decoders.started += started
        decoders.finished += started
        for job in decoders.fresh:
            engine.token(job, now)
        decoders.fresh.clear()
        decoders.last = now
        if self.pool is not None and self.pool is engine.memory:
            decoders.units += used - self.used_before


class Residents(Cohort):
    """The jobs of a batch, each with its own numbers."""

    __slots__ = ("jobs",)

    def __init__(self, jobs: list[StepJob], most: int) -> None:
        super().__init__(len(jobs), most)
        self.jobs = jobs

    def units(self, memory: PoolState) -> float:
        total = 0.0
        for job in self.jobs:
            assert job.actor is not None
            total += job.actor.units_on(memory)
        return total

    def first_gaps(self, engine: StepStage, end: Any) -> None:
        gaps, span = engine.gaps, engine.machine.span
        for job in self.jobs:
            actor = job.actor
            assert actor is not None
            last = actor.tokens
            if last is not None and last.turn == actor.turns:
                elapsed = end - last.time
                gaps.add(span(elapsed), elapsed)

    def advance(self, engine: StepStage, started: int, now: Any, used: Any) -> None:
        more = float(started)
        for job in self.jobs:
            _advance(job, more, now, self.block)


def _advance(job: StepJob, more: float, now: Any, block: float) -> None:
    job.remaining -= more
    actor = job.actor
    assert actor is not None
    actor.attrs[job.state.position] += more
    allocation = job.allocation
    if allocation is not None:
        position = allocation.position = allocation.position + more
        missing = position - allocation.units
        if missing > 0.0:
            allocation.units += -(-missing // block) * block
    last = actor.tokens
    if last is None:
        last = actor.tokens = LastToken(now, True, job.stage, actor.turns)
    last.time = now
    last.turn = actor.turns
    last.by_decode = True
    last.stage = job.stage
    last.preempted = False


def cohort_of(batch: list[tuple[StepJob, float]]) -> Residents | None:
    """The batch as a cohort; `None` where a count is not whole, pools differ, or some run completes at once."""
    least = 1e15
    growing: list[tuple[Allocation, float]] = []
    for job, tokens in batch:
        remaining = job.remaining
        if tokens != 1.0 or remaining < 2.0 or not remaining.is_integer():
            return None
        if remaining < least:
            least = remaining
        if job.growing is not None:
            if job.allocation is None:
                return None
            growing.append((job.allocation, remaining))
    cohort = Residents([job for job, _ in batch], int(least) - 1)
    if growing and not _growth(cohort, growing):
        return None
    return cohort


def _growth(cohort: Cohort, growing: list[tuple[Allocation, float]]) -> bool:
    pool = growing[0][0].pool
    block = 1.0 if pool.block is None else pool.block
    if not (block >= 1.0 and block.is_integer()):
        return False
    counts: dict[int, int] = {}
    for allocation, remaining in growing:
        slack = allocation.units - allocation.position
        if allocation.pool is not pool or slack < 0.0 or not slack.is_integer() or not allocation.units.is_integer():
            return False
        if slack < block:
            counts[int(slack)] = counts.get(int(slack), 0) + 1
        elif slack < remaining - 1.0:
            # It takes no block inside the window.
            cohort.most = min(cohort.most, int(slack))
    cohort.pool = pool
    cohort.block = block
    cohort.offsets = sorted(counts.items())
    return True


def clocked_segments(
    cohort: Cohort,
    cost: Callable[[float, Any], Any],
    reads_units: bool,
    units: float,
    evicts: bool,
    at: Any,
    bounds: tuple[Any, Any],
) -> Iterator[Segment]:
    """As `segments` one by one, for a cost of the units and of the instant `at` at which the iteration starts."""
    cheapest, dearest = bounds
    # A gauge of memory writes to the pool while the window is taken.
    before = 0.0 if cohort.pool is None else cohort.pool.used
    for number, _, used, cached in segments(cohort, lambda _units: 1.0, False, 0.0, evicts, 0.0, inf):
        held = units + (used - before) if reads_units else units
        for _ in range(number):
            price = cost(held, at)
            if not cheapest < price < dearest:
                return
            yield 1, price, used, cached
            at += price


def segments(
    cohort: Cohort, cost: Any, reads_units: bool, units: float, evicts: bool, cheapest: float, dearest: float
) -> Iterator[Segment]:
    """The iterations of a window up to the first that cannot be foreseen, from one growth to the next.

    `cost` is a function of the units on the memory pool, `units` those held now; `evicts` whether the pool may evict
    inside the window.  A cost that is not between `cheapest` and `dearest` ends the window before its iteration.
    """
    pool = cohort.pool
    used = cached = 0.0
    cap = room = inf
    if pool is not None:
        used, cached, cap = pool.used, pool.cached, pool.cap
        room = cap + SLACK - pool.outstanding()
    full = cap + SLACK
    price = cost(units)
    left = cohort.most
    if left <= 0 or not cheapest < price < dearest:
        return
    growths, quiet = growths_of(cohort)
    if quiet:
        quiet = min(quiet, left)
        yield quiet, price, used, cached
        left -= quiet
    block = cohort.block
    for growth, length in cycle(growths):
        if not left:
            return
        used += growth
        if used > room:
            return
        if cached and used + cached > full:
            if not evicts:
                return
            cached = max(cached - ceil((used + cached - cap - SLACK) / block) * block, 0.0)
        if reads_units:
            units += growth
            price = cost(units)
            if not cheapest < price < dearest:
                return
        if length > left:
            length = left
        yield length, price, used, cached
        left -= length


def growths_of(cohort: Cohort) -> tuple[list[tuple[float, int]], int]:
    """The growths of a block: so many units, then so many iterations up to the next; and the iterations before any."""
    block, offsets = cohort.block, cohort.offsets
    if not offsets:
        return [], cohort.most
    lengths = [after - before for (before, _), (after, _) in pairwise(offsets)]
    lengths.append(int(block) - offsets[-1][0] + offsets[0][0])
    return [(block * takers, length) for (_, takers), length in zip(offsets, lengths, strict=True)], offsets[0][0]
