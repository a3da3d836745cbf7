"""Windows: the iterations of one engine that nothing can tell apart, taken at once (05 §11).

A window begins while an iteration of decodes runs and ends with a later one running: the machine then is what it would
be if it had stepped.  Between two windows the reference steps as ever.
"""

from __future__ import annotations

from math import inf, ulp
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.generated.cohort import Cohort, cohort_of, segments
from serq_interpreter.machine.generated.ledger import DoubleLedger, Ledger, Measured, WholeLedger
from serq_interpreter.machine.generated.waiting import Waiting
from serq_interpreter.machine.generated.window_cost import WindowCost
from serq_interpreter.machine.stages.planning import _key
from serq_interpreter.machine.stages.step_code import ServeCode
from serq_interpreter.machine.stages.token_gaps import LastToken
from serq_interpreter.machine.static_facts import nodes

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState
    from serq_interpreter.machine.stages.step import StepJob, StepStage

_TOO_LONG = 2**200


class EngineWindows:
    """Takes the windows of one engine that has the licence.  `iterations` and `windows` count what was taken."""

    def __init__(self, machine: Machine, engine: StepStage, waiting: Waiting) -> None:
        self.machine = machine
        self.engine = engine
        self.cost = WindowCost(machine, engine)
        self.windows = 0
        self.iterations = 0
        self._waiting = waiting
        self._exact = isinstance(machine.clock, ExactClock)
        self._ledger: Ledger = WholeLedger(machine, engine) if self._exact else DoubleLedger(machine, engine)
        self._keys = self._moving_keys()
        self._watch = _moving_gauges(machine)
        self._least = 0.0 if self._exact else ulp(machine.settings.horizon)

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
        engine, machine = self.engine, self.machine
        batch = engine.batch
        n = len(batch)
        # A resident preempted from outside still counts until the running iteration ends.
        if n == 0 or n != engine.present or n != engine.n_decodes or engine.n_prefills:
            return 0
        cohort = cohort_of(batch)
        if cohort is None:
            return 0
        left = engine.code.budget(machine.nobody) - n
        if not left >= 0.0:
            return 0
        standstill = self._waiting.standstill(engine, left)
        if standstill is None:
            return 0
        cohort.most = min(cohort.most, most)
        units = self._units(cohort)
        if self._exact and not self._whole(cohort, units):
            return 0
        evicts = standstill.evictions and _evicts_in_order(cohort.pool)
        reads_units = self.cost.reads_units and (cohort.pool is None or cohort.pool is engine.memory)
        line = self.cost.line(n) if self._exact and not self._watch else None
        if line is not None and isinstance(self._ledger, WholeLedger):
            measured = self._ledger.run_line(cohort, line, units, evicts, end, stop)
            return self._taken(cohort, measured)
        foreseen = segments(cohort, self._price(n), reads_units, units, evicts, self._least, _TOO_LONG)
        first = next(foreseen, None)
        if first is None:
            return 0
        on_change = self._on_change(cohort.pool) if self._watch else None
        return self._taken(cohort, self._ledger.run(cohort, first, foreseen, end, stop, on_change))

    def _taken(self, cohort: Cohort, measured: Measured) -> int:
        if not measured[0]:
            return 0
        self._apply(cohort, *measured)
        self.windows += 1
        self.iterations += measured[0]
        return measured[0]

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
        total = 0.0
        for job in cohort.jobs:
            assert job.actor is not None
            total += job.actor.units_on(memory)
        return total

    def _whole(self, cohort: Cohort, units: float) -> bool:
        """On the exact clock sums are closed only over whole units."""
        if not units.is_integer():
            return False
        for pool in self.machine.pools:
            if not (pool.used.is_integer() and pool.cached.is_integer()):
                return False
            if isinstance(pool.area_used, float) or isinstance(pool.area_cached, float):
                return False
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

    def _apply(self, cohort: Cohort, started: int, now: Any, end: Any, used: Any, cached: Any) -> None:
        """The jobs, the pool and the agenda as after `started` more iterations, the last begun at `now`."""
        machine, engine = self.machine, self.engine
        machine.now = now
        machine.seconds = machine.clock.seconds(now)
        machine.same_instant = 0
        machine.events += started
        more = float(started)
        for job in cohort.jobs:
            self._advance(job, more, now, cohort.block)
        engine.served += more * len(cohort.jobs)
        engine.iterations += started
        pool = cohort.pool
        if pool is not None:
            pool.used = float(used)
            machine.caching.evict_excess(pool)
        if self._keys:
            jobs = sorted(cohort.jobs, key=lambda job: _key(job, self._keys))
            engine.batch = [(job, 1.0) for job in jobs]
        machine.replace_next(end, started)

    def _advance(self, job: StepJob, more: float, now: Any, block: float) -> None:
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
            last = actor.tokens = LastToken(now, True, self.engine, actor.turns)
        last.time = now
        last.turn = actor.turns
        last.by_decode = True
        last.stage = self.engine
        last.preempted = False


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


def _moving_gauges(machine: Machine) -> bool:
    return any(
        isinstance(node, ir.Call) and node.function in ("Used", "Free")
        for node in nodes(gauge.value for gauge in machine.program.gauges)
    )
