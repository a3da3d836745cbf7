"""The end of a hold: giving back, keeping, leasing, releasing (04 §6, §12)."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from serq_interpreter.ir.program import SLOT_COMPUTED
from serq_interpreter.machine.actors import ENDED, Actor, HoldFrame, Lease
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.pools import Allocation, PoolState

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.evaluate import Closure


class Holds:
    """Ends of holds and leases."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    # ------------------------------------------------------------------ giving back

    def give_back(self, allocation: Allocation, actor: Actor, preempted: bool = False) -> None:
        """Units leave the hold: some may stay cached, the rest is free (04 §6.2)."""
        pool, frame = allocation.pool, allocation.frame
        allocation.held = False
        del pool.allocations[allocation]
        pool.used -= allocation.units
        pool.forget_place(actor, self.machine.quirks)
        cache: Closure | None = frame.plan.cache
        if cache is None:
            return
        computed = allocation.position if preempted or frame.advanced else allocation.units
        if preempted and not self.machine.quirks.preempted_prefix_over_cap:
            computed = min(computed, allocation.units)
        self._keep(pool, actor, cache(actor), computed)
        if preempted and pool.used + pool.cached > pool.cap + SLACK:
            self.machine.note_excess(pool, "preempted_prefix_over_cap")

    def _keep(self, pool: PoolState, actor: Actor, wanted: float, computed: float) -> None:
        units = pool.down(min(wanted, computed)) if wanted > 0.0 else 0.0
        if units > 0.0:
            self.machine.caching.keep(pool, actor, units)

    def close_scope(self, actor: Actor) -> None:
        """The normal end of the innermost hold: its pools in written order, then one admission pass."""
        frame = actor.frames.pop()
        plan = frame.plan
        for index, allocation in enumerate(frame.allocations):
            if allocation.held:
                if index == plan.lease_index:
                    self._lease(allocation, frame, actor)
                else:
                    self.give_back(allocation, actor)
        if actor.preempted_at is not None:
            for allocation in frame.allocations:
                actor.preempted_at.pop(allocation.pool, None)
        actor.attrs[SLOT_COMPUTED] = 0.0
        self.machine.admission.sweep()

    def close_all(self, actor: Actor) -> None:
        """The session or leg ends: holds from the innermost, no lease is started (04 §13.2)."""
        while actor.frames:
            for allocation in actor.frames.pop().allocations:
                if allocation.held:
                    self.give_back(allocation, actor)

    def release(self, actor: Actor, pool: PoolState) -> None:
        """`release m`: the innermost hold's allocation, else the oldest lease, else nothing; then a pass."""
        allocation = actor.allocation_on(pool)
        if allocation is not None:
            self.give_back(allocation, actor)
        else:
            for lease in actor.leases:
                if lease.pool is pool:
                    self.end_lease(lease)
                    break
        self.machine.admission.sweep()

    # ------------------------------------------------------------------ leases

    def _lease(self, allocation: Allocation, frame: HoldFrame, actor: Actor) -> None:
        """The allocation outlives the scope; the reservation goes, the place stays."""
        machine = self.machine
        time_of = frame.plan.lease_time
        assert time_of is not None
        allocation.held = False
        del allocation.pool.allocations[allocation]
        lease = Lease(allocation, frame, actor)
        actor.leases.append(lease)
        time = time_of(actor)
        if time < inf or time != time:
            duration = time if time > 0.0 else 0.0
            lease.expires = True
            machine.schedule(machine.clock.after(machine.now, duration), self._expire, lease)

    def _expire(self, lease: Lease) -> None:
        if lease.active:
            self.end_lease(lease)

    def end_lease(self, lease: Lease) -> None:
        lease.active = False
        owner, pool = lease.owner, lease.pool
        owner.leases.remove(lease)
        pool.used -= lease.units
        pool.forget_place(owner, self.machine.quirks)
        if lease.cache is not None:
            computed = lease.position if lease.advanced else lease.units
            wanted = lease.cache(lease.subject)
            self._keep(pool, lease.subject, wanted, computed)

    def pass_leases(self, leg: Actor) -> None:
        """A leg's leases become its session's; they end at once if that has ended (04 §11.3).

        `cache` will be read with the leg's last attributes.  It draws from the session's stream, or from the leg's
        if the session has ended.
        """
        session = leg.root
        if session.status != ENDED:
            leg.stream, leg.make_stream = None, session.draw_stream
        for lease in leg.leases:
            lease.owner = session
            places = lease.pool.places
            for index, place in enumerate(places):
                if place is leg:
                    places[index] = session
            session.leases.append(lease)
        leg.leases = []
