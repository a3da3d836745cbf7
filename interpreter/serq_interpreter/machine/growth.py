"""Growth of an allocation and the preemptions it may cause (04 §7 to §9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.ir.program import SLOT_COMPUTED
from serq_interpreter.machine.actors import GROWING, READY, Actor
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.numbers import SLACK, total_order
from serq_interpreter.machine.pools import Allocation, Grower, PoolState

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.stages.step import StepJob

FITS, WAITS, FELL = range(3)
"""Outcomes of a growth: granted; waits as a grower; the grower itself was preempted."""


class Growth:
    """Grants growths, chooses victims, lets them fall."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.n_preempted = 0
        self.candidate_index = 0
        """`admission` in a preempt key: the candidate's place among the candidates."""

    # ------------------------------------------------------------------ growing

    def grow_statement(self, actor: Actor, allocation: Allocation, units: float) -> int:
        """Enlarge an allocation by `units` (rounded to blocks already); 0 units are no growth at all."""
        if units <= 0.0:
            return FITS
        outcome = self._make_room(actor, allocation, units)
        if outcome == FITS:
            self.take(allocation, units)
        elif outcome == WAITS:
            actor.status = GROWING
            self._stall(Grower(actor, allocation, units, 0.0, None))
        return outcome

    def grow_run(self, job: StepJob, tokens: float) -> int:
        """Make room for the next `tokens` of a growing run, all or nothing (04 §9.2)."""
        actor, pool = job.actor, job.growing
        assert actor is not None and pool is not None
        allocation = job.allocation
        if allocation is None:
            allocation = job.allocation = actor.allocation_on(pool)
            if allocation is None:
                name = pool.declaration.name
                raise RunError(
                    "SQ0905",
                    f"`growing {name}`: the session holds nothing of `{name}` here",
                    job.state.node,
                    actor.serial,
                )
        target = allocation.position + tokens
        units = allocation.pool.up(target) - allocation.units
        if units <= 0.0:
            return FITS
        outcome = self._make_room(actor, allocation, units)
        if outcome == FITS:
            self.take(allocation, units)
        elif outcome == WAITS:
            job.stalled = True
            self._stall(Grower(actor, allocation, units, target - allocation.units, job))
        return outcome

    def _stall(self, grower: Grower) -> None:
        grower.actor.grower = grower
        grower.allocation.pool.growers.append(grower)

    def fits(self, allocation: Allocation, units: float) -> bool:
        pool = allocation.pool
        return pool.used + units + pool.outstanding(allocation, units) <= pool.cap + SLACK

    def take(self, allocation: Allocation, units: float) -> None:
        """Move free (and evicted) units to the allocation."""
        pool = allocation.pool
        pool.used += units
        allocation.units += units
        self.machine.caching.evict_excess(pool)

    def grant_waiting(self, pool: PoolState) -> bool:
        """Grant the pool's growers in stall order until one does not fit."""
        granted = False
        while pool.growers:
            grower = pool.growers[0]
            if not self.fits(grower.allocation, grower.units):
                break
            pool.growers.popleft()
            grower.actor.grower = None
            self.take(grower.allocation, grower.units)
            if grower.job is None:
                self.machine.make_ready(grower.actor)
            else:
                grower.job.stalled = False
                self._advance_twice(grower)
            granted = True
        return granted

    def _advance_twice(self, grower: Grower) -> None:
        """04 §17 Q4: the position advances by the missing units, although no token was computed."""
        if self.machine.quirks.growing_run_advances_twice:
            grower.allocation.position += grower.missing
            self.machine.quirks.hit("growing_run_advances_twice")

    def _make_room(self, actor: Actor, allocation: Allocation, units: float) -> int:
        pool = allocation.pool
        while not self.fits(allocation, units):
            if pool.preempt_keys is not None:
                self.machine.sync_decoders()
            victim = self._victim(pool)
            if victim is None:
                return WAITS
            self.preempt(victim, pool)
            if victim is actor:
                return FELL
        return FITS

    # ------------------------------------------------------------------ preemption

    def _candidates(self, pool: PoolState) -> list[Actor]:
        if not pool.engines:
            return [actor for actor in pool.places if actor.allocation_on(pool) is not None]
        placed = set(pool.places)
        actors = [
            job.actor
            for engine in pool.engines
            for job in engine.residents
            if job.actor in placed and job.actor.allocation_on(pool) is not None
        ]
        return sorted(actors, key=lambda actor: actor.admission)

    def _victim(self, pool: PoolState) -> Actor | None:
        """The candidate with the least keys, the latest of equals (04 §8.2)."""
        keys = pool.preempt_keys
        if keys is None:
            return None
        best: Actor | None = None
        best_key: Any = None
        for index, actor in enumerate(self._candidates(pool)):
            self.candidate_index = index
            key = tuple([total_order(key(actor)) for key in keys])
            if best is None or not best_key < key:
                best, best_key = actor, key
        return best

    def preempt(self, victim: Actor, pool: PoolState) -> None:
        """The victim's innermost hold on the pool falls and is executed anew (04 §8.3)."""
        machine = self.machine
        allocation = victim.allocation_on(pool)
        assert allocation is not None
        frame, position = allocation.frame, allocation.position
        if victim.tokens is not None:
            victim.tokens.preempted = True
        if machine.plan is not None:
            # Also a `grow` in a body that the engine admitted bars further admissions.
            machine.plan.preempted += 1
        if victim.status == READY:
            self._leave_ready_line(victim)
        machine.detach(victim)
        self.n_preempted += 1
        pool.preemptions += 1
        self._count_stuck(victim, pool, position)
        # Before anything is given back: the `cache` clauses of the aborted holds read it.
        victim.attrs[SLOT_COMPUTED] = position
        while True:
            popped = victim.frames.pop()
            for inner in popped.allocations:
                if inner.held:
                    machine.holds.give_back(inner, victim, preempted=True)
            if popped is frame:
                break
        machine.admission.join(victim, frame.plan, front=not pool.requeue_tail)

    def _leave_ready_line(self, victim: Actor) -> None:
        """A victim that had not run yet keeps its place in the line in the edition (04 §17 Q2)."""
        if self.machine.quirks.first_place_in_ready_line:
            victim.has_old_place = True
        elif victim in self.machine.ready:
            self.machine.ready.remove(victim)

    def _count_stuck(self, victim: Actor, pool: PoolState, position: float) -> None:
        """04 §8.5: preempted again by the same pool without having passed the previous position."""
        records = victim.preempted_at
        if records is None:
            records = victim.preempted_at = {}
        previous = records.get(pool)
        if previous is not None and position <= previous and not victim.counted_stuck:
            victim.counted_stuck = True
            pool.stuck += 1
        records[pool] = position
