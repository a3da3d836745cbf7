"""The books of a long window on the clock of doubles, kept in numpy (`vector_window`, `vector_sums`)."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from serq_interpreter.machine.generated.ledger import Lane, Measured, lanes_of, open_window
from serq_interpreter.machine.generated.vector_sums import count_gaps, sums_of_runs, terms_of
from serq_interpreter.machine.generated.vector_window import Stretch
from serq_interpreter.machine.stages.decode_steps import RunningDecodeSteps
from serq_interpreter.machine.stages.vector_means import moved_by_one_batch

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.cohort import Cohort
    from serq_interpreter.machine.stages.step import StepStage


def enter_stretch(machine: Machine, engine: StepStage, cohort: Cohort, stretch: Stretch, at: float) -> Measured:
    """As `DoubleLedger.run` of a window from `at` on that consists of a stretch."""
    started = int(stretch.numbers.sum())
    used, cached = float(stretch.used[-1]), float(stretch.cached[-1])
    if machine.measuring:
        open_window(machine, engine, cohort, at)
        steps = engine.decode_steps
        assert isinstance(steps, RunningDecodeSteps)
        count = steps.count
        steps.mean_batch, steps.mean_cost = moved_by_one_batch(
            count, steps.mean_batch, steps.mean_cost, stretch.numbers, cohort.n, stretch.costs
        )
        steps.count = count + started
        if started > 1:
            _enter_sums(machine, engine, cohort, all_but_the_last(stretch))
    return started, stretch.began, stretch.end, used, cached


def all_but_the_last(stretch: Stretch) -> Stretch:
    """The iterations of a stretch but for the last one, which runs on."""
    stretch.numbers[-1] -= 1.0
    if stretch.numbers[-1]:
        return stretch
    n = len(stretch.numbers) - 1
    return Stretch(
        stretch.numbers[:n],
        stretch.costs[:n],
        stretch.elapsed[:n],
        stretch.used[:n],
        stretch.cached[:n],
        stretch.began,
        stretch.end,
    )


def _enter_sums(machine: Machine, engine: StepStage, cohort: Cohort, ended: Stretch) -> None:
    """Areas and token gaps of the iterations that ended."""
    gaps, n, pool, elapsed = engine.gaps, cohort.n, cohort.pool, ended.elapsed
    lanes: list[Lane] = [(gaps, "total", 1)]
    if pool is not None:
        lanes.append((pool, "area_used", ended.used))
        if ended.cached[0]:
            lanes.append((pool, "area_cached", ended.cached))
    lanes += lanes_of(machine, pool)
    terms = terms_of(elapsed, [factor for _, _, factor in lanes])
    totals = [getattr(owner, field) for owner, field, _ in lanes]
    sums = sums_of_runs(totals, terms, ended.numbers, [n, *repeat(1, len(lanes) - 1)])
    for (owner, field, _), total in zip(lanes, sums, strict=True):
        setattr(owner, field, total)
    count_gaps(gaps, elapsed, ended.numbers * n)
