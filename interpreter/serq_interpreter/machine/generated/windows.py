"""Windows: the iterations of one engine that nothing can tell apart, taken at once (05 §11).

A window begins while an iteration of decodes runs and ends with a later one running: the machine then is what it would
be if it had stepped.  Between two windows the reference steps as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, ulp
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.generated.cohort import (
    FEWEST_RUNS,
    WORTH_NUMPY,
    Cohort,
    Members,
    Residents,
    Segment,
    clocked_segments,
    cohort_of,
    segments,
)
from serq_interpreter.machine.generated.ledger import DoubleLedger, Ledger, Measured, WholeLedger
from serq_interpreter.machine.generated.line_plan import LinePlan
from serq_interpreter.machine.generated.waiting import Waiting
from serq_interpreter.machine.generated.window_cost import WindowCost
from serq_interpreter.machine.stages.flows import SharedStage
from serq_interpreter.machine.stages.planning import _key
from serq_interpreter.machine.stages.step_code import ServeCode
from serq_interpreter.machine.static_facts import nodes
from serq_interpreter.machine.substreams import numpy_wanted

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState
    from serq_interpreter.machine.stages.step import StepStage

_TOO_LONG = 2**200


@dataclass(frozen=True, slots=True)
class Ready:
    """An engine's decodes, the units they hold, whether cached units may go, and their cost if it is a rising line."""

    cohort: Cohort
    units: float
    evicts: bool
    line: tuple[int, int] | None


class EngineWindows:
    """Takes the windows of one engine.  `iterations` and `windows` count what was taken, `in_arrays` windows in numpy.

    Without the licence only because its cost reads the clock, an engine goes on alone in the same loops, each iteration
    with the cost of its instant.
    """

    def __init__(self, machine: Machine, engine: StepStage, waiting: Waiting, licensed: bool) -> None:
        self.licensed = licensed
        self.machine = machine
        self.engine = engine
        self.cost = WindowCost(machine, engine)
        self.windows = 0
        self.in_arrays = 0
        self.iterations = 0
        self._waiting = waiting
        self._exact = isinstance(machine.clock, ExactClock)
        self.ledger: Ledger = WholeLedger(machine, engine) if self._exact else DoubleLedger(machine, engine)
        self._keys = self._moving_keys()
        self.watches = _moving_gauges(machine)
        self._least = 0.0 if self._exact else ulp(machine.settings.horizon)
        self._uneven = _uneven_pools(machine)
        self._lines = self._exact and licensed and not self.watches
        self._shared = any(isinstance(stage, SharedStage) for stage in machine.stages)
        budget = engine.declaration.kind.budget if isinstance(engine.declaration.kind, ir.Step) else None
        self._budget = budget.value if isinstance(budget, ir.Num) else None

    def iterations_per_step(self) -> float:
        """Iterations of the run so far over the windows and single iterations that they took."""
        n = self.engine.iterations
        return n / max(1, n - self.iterations + self.windows)

    def _moving_keys(self) -> tuple[Any, ...]:
        """The serve keys, if they can order the decodes anew from one iteration to the next."""
        code = self.engine.code
        order = code.order
        for statement in code.body or ():
            if isinstance(statement, ServeCode):
                order = statement.order
                break
        kind = self.engine.declaration.kind
        assert isinstance(kind, ir.Step)
        written = [*(kind.serve or ())]
        for line in kind.iteration or ():
            if isinstance(line, ir.IterServe):
                written += line.by or ()
        moving = any(isinstance(node, ir.Ctx) and node.name in ("Remaining", "Now") for node in nodes(written))
        return order.keys if moving else ()

    # ------------------------------------------------------------------ taking

    def take(self, end: Any, stop: Any, most: int) -> int:
        """Go on while iterations start before `stop`; `end` is when the running one ends, before `stop`.

        Returns how many were started, at most `most`; 0 leaves everything as it is.
        """
        ready = self.prepare(most)
        if ready is None:
            return 0
        if ready.line is not None and isinstance(self.ledger, WholeLedger):
            plan = self.plan(ready, end, stop)
            if plan is None:
                return 0
            self.ledger.run_line(ready.cohort, plan)
            return self._taken(ready.cohort, (plan.started, plan.begin, plan.at, plan.used, plan.cached))
        if self.cost.in_arrays and not self._exact and self.licensed:
            measured = self._in_arrays(ready, end, stop)
            if measured is not None:
                self.in_arrays += 1
                return self._taken(ready.cohort, measured)
        pool = ready.cohort.pool
        foreseen = self.foreseen(ready, end)
        first = next(foreseen, None)
        if first is None:
            return 0
        on_change = self._on_change(pool) if self.watches else None
        return self._taken(ready.cohort, self.ledger.run(ready.cohort, first, foreseen, end, stop, on_change))

    def foreseen(self, ready: Ready, end: Any) -> Iterator[Segment]:
        """The iterations of a window that begins at `end`."""
        cohort, evicts = ready.cohort, ready.evicts
        reads_units = self.cost.reads_units and (cohort.pool is None or cohort.pool is self.engine.memory)
        if not self.licensed:
            bounds = (self._least, _TOO_LONG)
            price = self._price_at(cohort.n)
            return clocked_segments(cohort, price, reads_units, ready.units, evicts, end, bounds)
        return segments(cohort, self._price(cohort.n), reads_units, ready.units, evicts, self._least, _TOO_LONG)

    def _price_at(self, n: int) -> Callable[[float, Any], Any]:
        """The length of an iteration by units and instant, in units of the clock."""
        cost, clock = self.cost.at(n), self.machine.clock
        if not isinstance(clock, ExactClock):
            return cost
        ticks, seconds = clock.ticks, clock.seconds

        def price(units: float, at: int) -> int:
            duration = cost(units, seconds(at))
            return ticks(duration) if 0.0 < duration < inf else 0

        return price

    def _in_arrays(self, ready: Ready, end: float, stop: float) -> Measured | None:
        """A window of many runs in numpy; `None` where the plain loop is to do it."""
        cohort = ready.cohort
        if self.watches or not cohort.offsets:
            return None
        cost = self.cost.at(cohort.n)
        price, fewest = cost(ready.units), FEWEST_RUNS * cohort.block / len(cohort.offsets)
        if not (cohort.most > fewest and price * fewest < stop - end and numpy_wanted(self.iterations > WORTH_NUMPY)):
            return None
        from serq_interpreter.machine.generated.vector_ledger import enter_stretch
        from serq_interpreter.machine.generated.vector_window import stretch

        reads_units = self.cost.reads_units and cohort.pool is self.engine.memory
        bounds = (self._least, float(_TOO_LONG))
        found = stretch(cohort, cost, reads_units, ready.units, ready.evicts, bounds, end, stop)
        return None if found is None else enter_stretch(self.machine, self.engine, cohort, found, end)

    def prepare(self, most: int) -> Ready | None:
        """The engine's decodes, if nothing but an event can tell its next iterations apart."""
        engine, machine = self.engine, self.machine
        # A resident preempted from outside still counts until the running iteration ends.
        n = engine.n_decodes
        if n == 0 or n != engine.present or engine.n_prefills:
            return None
        cohort = self._cohort(n)
        if cohort is None:
            return None
        left = (engine.code.budget(machine.nobody) if self._budget is None else self._budget) - n
        if not left >= 0.0:
            return None
        standstill = self._waiting.standstill(engine, left)
        if standstill is None:
            return None
        if most < cohort.most:
            cohort.most = most
        units = self._units(cohort)
        if self._exact and not self._whole(units):
            return None
        evicts = standstill.evictions and _evicts_in_order(cohort.pool)
        return Ready(cohort, units, evicts, self.cost.line(n) if self._lines else None)

    def _cohort(self, n: int) -> Cohort | None:
        engine = self.engine
        if engine.decoders is None:
            return cohort_of(engine.batch) if len(engine.batch) == n else None
        most = engine.decoders.before_change() if engine.together == n else 0
        return Members(engine.decoders, most) if most > 0 else None

    def plan(self, ready: Ready, end: int, stop: int) -> LinePlan | None:
        """A window of an engine whose cost is a rising line, on the exact clock; nothing is changed."""
        assert isinstance(self.ledger, WholeLedger) and ready.line is not None
        return self.ledger.plan_line(ready.cohort, ready.line, ready.units, ready.evicts, end, stop)

    def _taken(self, cohort: Cohort, measured: Measured) -> int:
        started, now, end, used, cached = measured
        machine = self.machine
        machine.now = now
        machine.seconds = machine.clock.seconds(now)
        machine.same_instant = 0
        machine.events += started
        self.leave(cohort, started, now, used, cached)
        machine.replace_next(end, started)
        return started

    def _price(self, n: int) -> Any:
        cost = self.cost.at(n)
        if not self._exact:
            return cost
        ticks = self.cost.ticks_at(n, cost)
        return lambda units: ticks(units) if 0.0 < cost(units) < inf else 0

    def _units(self, cohort: Cohort) -> float:
        memory = self.engine.memory
        if memory is None or not self.cost.reads_units:
            return 0.0
        return cohort.units(memory)

    def _whole(self, units: float) -> bool:
        """On the exact clock sums are closed only over whole units."""
        if not units.is_integer():
            return False
        for pool in self._uneven:
            if not (pool.used.is_integer() and pool.cached.is_integer()):
                return False
            if isinstance(pool.area_used, float) or isinstance(pool.area_cached, float):
                return False
        if not self._shared:
            return True
        return all(not isinstance(stage.time_used, float) for stage in self.machine.stages)

    def _on_change(self, pool: PoolState | None) -> Any:
        """Gauges that read what grows are read at every growth."""
        machine = self.machine

        def read(time: Any, used: float) -> None:
            machine.seconds = machine.clock.seconds(time)
            if pool is not None:
                pool.used = float(used)
            machine.read_gauges()

        return read

    # ------------------------------------------------------------------ leaving

    def leave(self, cohort: Cohort, started: int, now: Any, used: Any, cached: Any) -> None:
        """The jobs and the pool as after `started` more iterations, the last begun at `now`."""
        machine, engine = self.machine, self.engine
        self.windows += 1
        self.iterations += started
        pool = cohort.pool
        cohort.advance(engine, started, now, used)
        engine.served += float(started) * cohort.n
        engine.iterations += started
        if pool is not None:
            pool.used = float(used)
            if pool.used + pool.cached > pool.cap:
                machine.caching.evict_excess(pool)
        if self._keys and isinstance(cohort, Residents):
            jobs = sorted(cohort.jobs, key=lambda job: _key(job, self._keys))
            engine.batch = [(job, 1.0) for job in jobs]


def _evicts_in_order(pool: PoolState | None) -> bool:
    """Entries leave block by block in the order they came, whatever the time is."""
    return (
        pool is not None
        and pool.evict_keys is None
        and pool.spill_to is None
        and pool.block is not None
        and pool.used % pool.block == 0.0
        and pool.cached % pool.block == 0.0
    )


def _uneven_pools(machine: Machine) -> list[PoolState]:
    """The pools whose units need not be whole: without whole blocks, or where pieces of others may arrive."""
    spills = any(pool.spill_to is not None for pool in machine.pools)
    return [pool for pool in machine.pools if spills or pool.block is None or not pool.block.is_integer()]


def _moving_gauges(machine: Machine) -> bool:
    return any(
        isinstance(node, ir.Call) and node.function in ("Used", "Free")
        for node in nodes(gauge.value for gauge in machine.program.gauges)
    )
