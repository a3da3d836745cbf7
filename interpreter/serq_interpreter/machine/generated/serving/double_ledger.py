"""What iterations taken together add up to on the clock of doubles, in plain numbers (`kernels`, `repeated_sums`).

The books of an engine are a list of sums with a factor each: a sum grows by its factor times the time that passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.generated.cohort import FEWEST_RUNS, WORTH_NUMPY
from serq_interpreter.machine.generated.kernels import measuring_kernel
from serq_interpreter.machine.generated.ledger import added_one_by_one
from serq_interpreter.machine.generated.repeated_sums import binade_top
from serq_interpreter.machine.generated.window_cost import WindowCost
from serq_interpreter.machine.stages.decode_steps import MOST_RUNS, RunningDecodeSteps
from serq_interpreter.machine.substreams import numpy_wanted

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.vector_window import Stretch
    from serq_interpreter.machine.stages.step import StepStage

Run = tuple[int, float, float, float]
"""So many iterations of one cost, with the units used and cached while they run."""
Found = tuple[int, float, float, float, float, float, float, float, list[float]]
"""Iterations started; when the last of them began and ends; units used and cached in it; their areas; the sum of the token
gaps; the other sums."""


@dataclass(slots=True)
class _Memory:
    """As much of a pool as `vector_window` reads."""

    used: float
    cached: float
    cap: float

    def outstanding(self) -> float:
        """Nobody reserves."""
        return 0.0


@dataclass(slots=True)
class _Decodes:
    """As much of a cohort as `vector_window` reads."""

    n: int
    most: int
    block: float
    offsets: list[tuple[int, int]]
    pool: _Memory


class DoubleLedger:
    """The books of one engine."""

    def __init__(self, machine: Machine, engine: StepStage) -> None:
        assert isinstance(engine.decode_steps, RunningDecodeSteps)
        self._steps = engine.decode_steps
        self._gaps = engine.gaps
        self.record = self._steps.runs.append
        """Takes iterations that start: how many, of how many decodes, their cost."""
        self._window_cost: Callable[[], WindowCost] = lambda: WindowCost(machine, engine)
        self._made: WindowCost | None = None
        assert engine.memory is not None
        self._cap = engine.memory.cap

    def count_step(self, decodes: int, cost: float) -> None:
        """An iteration of so many decodes starts."""
        self._steps.add(decodes, cost, cost)

    def take(
        self,
        runs: Iterator[Run],
        times: tuple[float, float, float, float],
        units: tuple[float, float],
        areas: tuple[float, float, float],
        n: int,
        sums: list[float],
        factors: list[int],
    ) -> Found:
        """Go on with `runs` after the iteration that runs.

        `times` are when that began and ends, before when the others have to start and by when they surely have ended;
        `areas` those of the units, and the sum of the token gaps.
        """
        began, end, stop, latest = times
        recorded = self._steps.runs
        first = len(recorded) - 1
        length = latest - began if latest <= binade_top(began) else inf
        fine: list[int] = []
        others: list[int] = []
        for place, factor in enumerate(factors):
            if factor:
                total = sums[place]
                simple = 0.0 < total <= began and total + factor * length < binade_top(total)
                (fine if simple else others).append(place)
        area_used, area_cached, gaps = areas
        at_once = 0.0 < gaps <= began and gaps + n * length < binade_top(gaps)
        kernel = measuring_kernel(len(others), True, units[1] > 0.0, 0 if at_once else n)
        started, last, ends, used, cached, area_used, area_cached, gaps, *found = kernel(
            runs,
            began,
            end,
            stop,
            None,
            *units,
            area_used,
            area_cached,
            float(n),
            recorded.append,
            gaps,
            self._gaps.bucket_up_to,
            *[sums[place] for place in others],
            *[float(factors[place]) for place in others],
        )
        for place, total in zip(others, found, strict=True):
            sums[place] = total
        if started:
            straight = last <= binade_top(began)
            for place in fine:
                sums[place] = self._passed(sums[place], factors[place], began, last, straight, first, False)
            if at_once:
                gaps = self._passed(gaps, n, began, last, straight, first, True)
        if len(recorded) > MOST_RUNS:
            self._steps.settle()
        return started, last, ends, used, cached, area_used, area_cached, gaps, sums

    def _passed(
        self, total: float, factor: int, began: float, last: float, straight: bool, first: int, for_each: bool
    ) -> float:
        """A sum after the iterations from `began` to `last`: at once where nothing is rounded, else one by one."""
        found = total + factor * (last - began)
        if straight and found < binade_top(total):
            return found
        return added_one_by_one(total, factor, began, self._steps.runs[first:], for_each)

    # ------------------------------------------------------------------ arrays

    @property
    def _cost(self) -> WindowCost:
        if self._made is None:
            self._made = self._window_cost()
        return self._made

    def wants_arrays(self, most: int, block: int, takers: int, price: float, time: float, iterations: int) -> bool:
        """Whether the next `most` iterations, with `time` left for them, are many enough for numpy."""
        if not takers:
            return False
        fewest = FEWEST_RUNS * block / takers
        enough = most > fewest and price * fewest < time and numpy_wanted(iterations > WORTH_NUMPY)
        return enough and self._cost.in_arrays

    def stretch(
        self,
        decodes: tuple[int, int, int, list[tuple[int, int]]],
        units: tuple[int, int, int],
        evicts: bool,
        least: float,
        at: float,
        stop: float,
    ) -> Stretch | None:
        """The runs from `at`, when the iteration that runs ends, up to `stop`.

        `decodes` are their number, the iterations they may go on, the block, and after how many iterations how many of them
        take one; `units` what is used, what is cached, and what the decodes hold.
        """
        from serq_interpreter.machine.generated.vector_window import stretch

        n, most, block, offsets = decodes
        used, cached, held = units
        memory = _Memory(float(used), float(cached), self._cap)
        cohort: Any = _Decodes(n, most, float(block), offsets, memory)
        bounds = (least, 2.0**200)
        return stretch(cohort, self._cost.at(n), self._cost.reads_units, float(held), evicts, bounds, at, stop)

    def enter(
        self, found: Stretch, n: int, areas: tuple[float, float, float], sums: list[float], factors: list[int]
    ) -> Found:
        """The books after a stretch, whose last iteration runs on."""
        from serq_interpreter.machine.generated.vector_ledger import all_but_the_last
        from serq_interpreter.machine.generated.vector_sums import count_gaps, sums_of_runs, terms_of
        from serq_interpreter.machine.stages.vector_means import moved_by_one_batch

        steps = self._steps
        count, started = steps.count, int(found.numbers.sum())
        used, cached = float(found.used[-1]), float(found.cached[-1])
        steps.mean_batch, steps.mean_cost = moved_by_one_batch(
            count, steps.mean_batch, steps.mean_cost, found.numbers, n, found.costs
        )
        steps.count = count + started
        if started > 1:
            ended = all_but_the_last(found)
            places = [place for place, factor in enumerate(factors) if factor]
            terms = terms_of(ended.elapsed, [1.0, ended.used, ended.cached, *[factors[place] for place in places]])
            totals = [areas[2], areas[0], areas[1], *[sums[place] for place in places]]
            total, area_used, area_cached, *others = sums_of_runs(
                totals, terms, ended.numbers, [n] + [1] * (len(totals) - 1)
            )
            areas = (area_used, area_cached, total)
            for place, value in zip(places, others, strict=True):
                sums[place] = value
            count_gaps(self._gaps, ended.elapsed, ended.numbers * n)
        return started, found.began, found.end, used, cached, *areas, sums
