"""What a background run records beside its report: levels over time, and where refusals and lost preemptions happen.

It wraps methods of a machine that has not started, as the event log does; the run computes the same.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from serq_interpreter.machine.backlog import Backlog
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.pools import PoolState
from serq_interpreter.machine.run import Run
from serq_lsp.background.windows import Windows

POOL_LEVELS = ("used", "cached", "queue")
STAGE_LEVELS = ("number", "busy")
_FIRST_BACKLOG = 256
"""A power of two: at the whole horizon the windows are those of any other run."""


class LevelGauge(GaugeSeries):
    """A gauge that also knows its integral since the warm-up."""

    __slots__ = ("area", "level", "level_since", "start")

    def __init__(self, name: str, warmup: float, horizon: float, *, finite: bool) -> None:
        super().__init__(name, warmup, horizon, finite=finite)
        self.start = warmup
        self.area = 0.0
        self.level = 0.0
        self.level_since = 0.0

    def record(self, time: float, value: float) -> None:
        """As a gauge does; a NaN adds nothing to the integral."""
        self.area = self.integral(time)
        self.level_since = time
        self.level = value if value == value else 0.0
        super().record(time, value)

    def integral(self, time: float) -> float:
        """The integral over `[warmup, time]`."""
        begin = max(self.level_since, self.start)
        return self.area + self.level * (time - begin) if time > begin else self.area


class Sampling:
    """The records of one run, which has not started."""

    def __init__(self, run: Run) -> None:
        self._begin(run.machine)
        run.prepare = self._begin

    def _begin(self, machine: Machine) -> None:
        """Record what this machine does; a run that starts over does so with another."""
        self.machine = machine
        self.refusals: Counter[tuple[int, int]] = Counter()
        """(pool, automaton state) → sessions refused there."""
        self.lost: dict[tuple[int, int], dict[str, Any]] = {}
        """(pool, automaton state of the hold) → an example of a session that lost a preemption's race."""
        self._replace_gauges()
        settings = machine.settings
        length = settings.horizon - settings.warmup
        # Narrow windows at first: an overload is to be seen before a quarter of the horizon has passed.
        machine.backlog = Backlog(settings.warmup, settings.warmup + length / _FIRST_BACKLOG)
        start = machine.clock.at(settings.warmup)
        native = float(machine.clock.at(settings.horizon) - start) if length else 1.0
        self.per_second = native / length if length else 1.0
        """Native clock units in a second."""
        n_levels = 3 * len(machine.pools) + 2 * len(machine.stages) + len(machine.gauges)
        self.windows = Windows(n_levels, float(start), native)
        self._watch_time()
        self._watch_refusals()
        self._watch_preemptions()

    def _replace_gauges(self) -> None:
        machine = self.machine
        settings = machine.settings
        finite = settings.arrivals is not None
        machine.gauges = [
            (LevelGauge(series.name, settings.warmup, settings.horizon, finite=finite), value)
            for series, value in machine.gauges
        ]

    def _watch_time(self) -> None:
        machine, windows = self.machine, self.windows
        integrate = machine._integrate

        def on_integrate(elapsed: Any) -> None:
            t0 = float(machine.now)
            t1 = float(machine.now + elapsed)
            if t1 < windows.boundary:
                integrate(elapsed)
                return
            before = self._integrals(machine.now)
            integrate(elapsed)
            windows.pass_to(t0, t1, before, self._integrals(machine.now + elapsed))

        machine._integrate = on_integrate  # type: ignore[method-assign]

    def look(self) -> None:
        """Take note of the levels now: a run that does not integrate step by step is looked at from time to time."""
        machine = self.machine
        now = float(machine.now)
        if machine.measuring and now >= self.windows.boundary:
            self.windows.reach(now, self._integrals(machine.now))

    def _integrals(self, time: Any) -> list[float]:
        machine = self.machine
        found: list[float] = []
        for pool in machine.pools:
            found += (float(pool.area_used), float(pool.area_cached), float(pool.area_queue))
        for stage in machine.stages:
            found += (float(stage.area_number), float(stage.time_used))
        if machine.gauges:
            seconds = machine.clock.seconds(time)
            for series, _ in machine.gauges:
                assert isinstance(series, LevelGauge)
                found.append(series.integral(seconds) * self.per_second)
        return found

    def _watch_refusals(self) -> None:
        admission = self.machine.admission
        refuse = admission._refuse

        def on_refuse(actor: Any, pool: PoolState) -> None:
            self.refusals[pool.index, actor.pc] += 1
            refuse(actor, pool)

        admission._refuse = on_refuse  # type: ignore[method-assign]

    def _watch_preemptions(self) -> None:
        growth = self.machine.growth
        count = growth._count_stuck

        def on_count(victim: Any, pool: PoolState, position: float) -> None:
            before = pool.stuck
            count(victim, pool, position)
            if pool.stuck > before:
                allocation = victim.allocation_on(pool)
                plan = allocation.frame.plan
                self.lost.setdefault(
                    (pool.index, plan.own),
                    {
                        "session": victim.serial,
                        "time": self.machine.seconds,
                        "units": allocation.units,
                        "position": position,
                        "at": victim.pc,
                        "others": len(pool.places) - 1,
                    },
                )

        growth._count_stuck = on_count  # type: ignore[method-assign]
