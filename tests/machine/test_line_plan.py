"""Windows in closed form against the same iterations one at a time, all in whole numbers."""

from __future__ import annotations

from math import ceil, inf
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from serq_interpreter.machine.generated.cohort import Cohort
from serq_interpreter.machine.generated.line_plan import LinePlan, LinePlanner, Rise, Shape
from serq_interpreter.machine.numbers import SLACK


def cohort_from(rng: Random) -> Cohort:
    block = rng.choice((1, 2, 3, 4, 16))
    most = rng.choice((1, block, 3 * block, 10 * block + 1, 60 * block + rng.randrange(block)))
    cohort = Cohort(rng.randint(1, 6), most)
    cohort.block = float(block)
    offsets = sorted(rng.sample(range(block), rng.randint(0, min(block, 4))))
    cohort.offsets = [(offset, rng.randint(1, 3)) for offset in offsets]
    if offsets:
        used, cached = block * rng.randint(3, 40), block * rng.choice((0, 0, 5, 100, 400))
        cap = rng.choice((inf, 1e9, used + cached + rng.choice((0, 0.5, block, 7 * block, 90 * block))))
        pool: Any = SimpleNamespace(used=float(used), cached=float(cached), cap=cap, outstanding=lambda: 0.0)
        cohort.pool = pool
    return cohort


def one_at_a_time(cohort: Cohort, line: tuple[int, int], units: int, evicts: bool, end: int, stop: int) -> Any:
    """The state after the window: started, begin, at, used, cached, areas, lengths of those that ended."""
    block, pool = int(cohort.block), cohort.pool
    used = 0 if pool is None else int(pool.used)
    cached = 0 if pool is None else int(pool.cached)
    cap = inf if pool is None else pool.cap + SLACK
    held, at, begin, areas, lengths = units, end, end, [0, 0], []
    running = 0
    started = 0
    while started < cohort.most and at < stop:
        growth = block * dict(cohort.offsets).get(started % block, 0)
        if used + growth > cap:
            break
        if growth and cached and used + growth + cached > cap:
            if not evicts:
                break
            cached_after = max(cached - ceil((used + growth + cached - cap) / block) * block, 0)
        else:
            cached_after = cached
        if started:
            areas[0] += used * running
            areas[1] += cached * running
            lengths.append(running)
        used, cached, held = used + growth, cached_after, held + growth
        running = line[0] + line[1] * held
        begin, at, started = at, at + running, started + 1
    return started, begin, at, used, cached, areas, lengths


def lengths_of(plan: LinePlan) -> list[int]:
    found: list[int] = []
    for step in plan.steps:
        if isinstance(step, Rise):
            found += [step.at(number) for number in range(step.times)]
        else:
            found += [step[0]] * step[1]
    return found


@pytest.mark.parametrize("seed", range(400))
def test_closed_form_is_one_at_a_time(seed: int) -> None:
    rng = Random(seed)
    cohort = cohort_from(rng)
    line = (rng.randint(1, 50), rng.choice((0, 1, 3)))
    units, evicts, end = rng.randint(0, 100), rng.random() < 0.8, rng.randint(0, 100)
    stop = end + rng.choice((1, 50, 3000, 10**6, 10**9))
    plan = LinePlanner(cohort, line, float(units), evicts, True).plan(end, stop)
    started, begin, at, used, cached, areas, lengths = one_at_a_time(cohort, line, units, evicts, end, stop)
    if plan is None:
        assert started == 0
        return
    assert (plan.started, plan.begin, plan.at) == (started, begin, at)
    assert (plan.used, plan.cached) == (used, cached)
    assert [plan.area_used, plan.area_cached] == areas
    assert lengths_of(plan) == lengths


def test_long_windows_take_few_steps() -> None:
    cohort = Cohort(2, 100_000)
    cohort.block = 16.0
    cohort.offsets = [(0, 1), (5, 1)]
    pool: Any = SimpleNamespace(used=160.0, cached=0.0, cap=inf, outstanding=lambda: 0.0)
    cohort.pool = pool
    plan = LinePlanner(cohort, (1000, 3), 160.0, True, True).plan(0, 10**12)
    assert plan is not None and plan.started == 100_000
    assert len(plan.steps) < 12


@pytest.mark.parametrize("slope", [0, 2])
def test_how_many_iterations_are_at_most_so_long(slope: int) -> None:
    cohort = Cohort(3, 100)
    cohort.block = 8.0
    cohort.offsets = [(1, 2), (4, 1)]
    rise = Rise(50, slope, Shape(cohort), 5)
    lengths = [rise.at(number) for number in range(rise.times)]
    assert lengths == sorted(lengths) and len(lengths) == 40
    for ticks in range(40, lengths[-1] + 60):
        assert rise.up_to(ticks) == sum(1 for length in lengths if length <= ticks)
