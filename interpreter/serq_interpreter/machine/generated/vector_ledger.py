"""The books of a long window on the clock of doubles, kept in numpy (`vector_window`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from serq_interpreter.machine.generated.ledger import Measured, lanes_of, open_window
from serq_interpreter.machine.generated.vector_window import Foresight, Sums, count_gaps
from serq_interpreter.machine.stages.decode_steps import RunningDecodeSteps
from serq_interpreter.machine.stages.vector_means import moved_mean

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.cohort import Cohort
    from serq_interpreter.machine.generated.vector_window import Stretch
    from serq_interpreter.machine.stages.step import StepStage


class VectorLedger:
    """Runs windows of one engine; `run` leaves everything as it is where no iteration may start."""

    def __init__(self, machine: Machine, engine: StepStage) -> None:
        self.machine = machine
        self.engine = engine
        self._sums = Sums()

    def run(self, cohort: Cohort, foresight: Foresight, end: float, stop: float) -> Measured | None:
        """As `DoubleLedger.run`: from `end`, when the running iteration ends, on."""
        machine = self.machine
        stretch = foresight.next(end, stop)
        if stretch is None:
            return None
        measuring = machine.measuring
        if measuring:
            open_window(machine, self.engine, cohort, end)
            books = _Books(self, cohort)
        started, began = 0, end
        used = cached = 0.0
        while stretch is not None:
            if measuring:
                books.enter(stretch)
            started += len(stretch.starts)
            began, end = float(stretch.starts[-1]), stretch.end
            used, cached = float(stretch.used[-1]), float(stretch.cached[-1])
            stretch = None if stretch.over else foresight.next(end, stop)
        if measuring:
            books.close()
        return started, began, end, used, cached


class _Books:
    """Sums of one window: of the iterations that end in it, and the means of all that start."""

    def __init__(self, ledger: VectorLedger, cohort: Cohort) -> None:
        self._engine = ledger.engine
        self._sums = ledger._sums
        self._n = cohort.n
        self._pool = cohort.pool
        self._lanes = lanes_of(ledger.machine, cohort.pool)
        self._areas: list[float] = [getattr(owner, field) for owner, field, _ in self._lanes]
        self._before: tuple[Any, Any, Any] | None = None
        """Start, units used and cached of the iteration that runs."""

    def enter(self, stretch: Stretch) -> None:
        """Add the iterations of a stretch, and the one that ran before it."""
        steps = self._engine.decode_steps
        assert isinstance(steps, RunningDecodeSteps)
        n_started = len(stretch.starts)
        if steps.mean_batch != self._n:
            steps.mean_batch = moved_mean(steps.mean_batch, steps.count, np.full(n_started, float(self._n)))
        steps.mean_cost = moved_mean(steps.mean_cost, steps.count, stretch.costs)
        steps.count += n_started
        starts, used, cached = stretch.starts, stretch.used, stretch.cached
        if self._before is not None:
            began, used_before, cached_before = self._before
            starts = np.concatenate(([began], starts))
            used, cached = np.concatenate(([used_before], used)), np.concatenate(([cached_before], cached))
        self._before = (starts[-1], used[-1], cached[-1])
        elapsed = starts[1:] - starts[:-1]
        if len(elapsed):
            self._ended(elapsed, used[:-1], cached[:-1])

    def _ended(self, elapsed: Any, used: Any, cached: Any) -> None:
        sums, pool, gaps = self._sums, self._pool, self._engine.gaps
        if pool is not None:
            pool.area_used = sums.add(pool.area_used, used, elapsed)
            if cached[0]:
                pool.area_cached = sums.add(pool.area_cached, cached, elapsed)
        for number, (_, _, value) in enumerate(self._lanes):
            self._areas[number] = sums.add(self._areas[number], value, elapsed)
        gaps.total = sums.add_times(gaps.total, elapsed, self._n)
        count_gaps(gaps, elapsed, self._n)

    def close(self) -> None:
        """Write the sums back."""
        for (owner, field, _), area in zip(self._lanes, self._areas, strict=True):
            setattr(owner, field, area)
