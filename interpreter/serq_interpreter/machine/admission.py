"""Queues, the never-fit check and the try of an admission (04 §3, §4)."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.actors import QUEUED, Actor, HoldFrame
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import expression_text, member_text, pool_text
from serq_interpreter.machine.numbers import SLACK, number_text
from serq_interpreter.machine.pools import Allocation, PoolState, Waiting

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.hold_plan import HoldPlan


class Admission:
    """Decides on holds."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.n_joined = 0
        self.n_admitted = 0

    # ------------------------------------------------------------------ joining

    def join(self, actor: Actor, plan: HoldPlan, front: bool = False) -> None:
        """Execute a hold: it waits in the queue of its first pool, or is refused (04 §4.1)."""
        pools = [take.member(actor) for take in plan.takes]
        if len(pools) > 1:
            self._check_distinct(plan, pools)
        units = [self.amount(take.units(actor), plan, index, False) for index, take in enumerate(plan.takes)]
        for index, (take, pool) in enumerate(zip(plan.takes, pools, strict=True)):
            if take.units_refused_early and pool.up(units[index]) > pool.cap:
                self._refuse(actor, pool)
                return
            if take.reserve is not None and take.reserve_refused_early:
                reserve = self.amount(take.reserve(actor), plan, index, True)
                if pool.up(reserve) > pool.cap:
                    self._refuse(actor, pool)
                    return
        self._enqueue(Waiting(actor, plan, pools, units, self.machine.now), front)

    def _enqueue(self, waiting: Waiting, front: bool) -> None:
        self.n_joined += 1
        waiting.number = self.n_joined
        waiting.front = front
        actor = waiting.actor
        actor.status = QUEUED
        actor.waiting = waiting
        actor.pc = waiting.plan.own
        queue = waiting.pools[0].queue
        if front:
            queue.appendleft(waiting)
        else:
            queue.append(waiting)

    def _refuse(self, actor: Actor, pool: PoolState) -> None:
        pool.rejected += 1
        self.machine.lifecycle.refuse(actor)

    def _check_distinct(self, plan: HoldPlan, pools: list[PoolState]) -> None:
        for second, pool in enumerate(pools):
            first = pools.index(pool)
            if first != second:
                program = self.machine.program
                one, other = plan.takes[first].node.pool, plan.takes[second].node.pool
                message = (
                    f"`{pool_text(program, one)}` and `{pool_text(program, other)}` are both "
                    f"`{member_text(pool.declaration)}` here, and a hold takes from a pool once"
                )
                raise RunError("SQ0904", message, other)

    def amount(self, value: float, plan: HoldPlan, index: int, is_reserve: bool) -> float:
        """`value`, which must be an amount."""
        if value >= -SLACK:
            return value if value > 0.0 else 0.0
        program, take = self.machine.program, plan.takes[index].node
        pool = program.pools[take.pool.base].name
        node = take.reserve if is_reserve and take.reserve is not None else take.units
        text = expression_text(program, node)
        shown = f"hold {pool} reserve ({text})" if is_reserve else f"hold {pool} ({text})"
        raise bad_amount(shown, value, node)

    # ------------------------------------------------------------------ the try

    def sweep(self) -> bool:
        """One admission pass over the plain pools (04 §3.2); whether anything was granted or admitted."""
        changed = False
        for pool in self.machine.pools:
            if pool.growers and self.machine.growth.grant_waiting(pool):
                changed = True
            if pool.queue and pool.admit_via is None:
                while pool.queue and self.admit(pool.head()):
                    changed = True
        return changed

    def admit(self, waiting: Waiting) -> bool:
        """Try to admit a hold; on success its actor is ready (04 §4.2)."""
        actor, plan, pools = waiting.actor, waiting.plan, waiting.pools
        allocations = self._demand(actor, plan, pools)
        for allocation in allocations:
            pool = allocation.pool
            if not pool.used + pool.outstanding() + allocation.need <= pool.cap + SLACK:
                return False
        self._leave_queue(waiting)
        reuse = plan.reuse(actor) if plan.reuse is not None else inf
        largest = 0.0
        frame = HoldFrame(plan, allocations)
        for allocation in allocations:
            consumed = self._move_in(allocation, frame, actor, reuse if plan.cache is not None else None)
            if consumed > largest:
                largest = consumed
        actor.attrs[ir.SLOT_CACHED] = largest
        actor.frames.append(frame)
        actor.pc = plan.body
        actor.waiting = None
        actor.admission = float(self.n_admitted)
        self.n_admitted += 1
        self.machine.make_ready(actor)
        return True

    def _demand(self, actor: Actor, plan: HoldPlan, pools: list[PoolState]) -> list[Allocation]:
        """What the hold takes of each pool, read anew: units, then reserve, in written order."""
        allocations = []
        for index, (take, pool) in enumerate(zip(plan.takes, pools, strict=True)):
            units = pool.up(self.amount(take.units(actor), plan, index, False))
            need = units
            if take.reserve is not None:
                reserve = pool.up(self.amount(take.reserve(actor), plan, index, True))
                if reserve > need:
                    need = reserve
            allocations.append(Allocation(pool, actor, units, need))
        return allocations

    def _leave_queue(self, waiting: Waiting) -> None:
        pool = waiting.pools[0]
        if pool.queue[0] is waiting:
            pool.queue.popleft()
        else:
            pool.queue.remove(waiting)
        machine = self.machine
        if machine.measuring:
            pool.n_waits += 1
            pool.mean_wait += (machine.span(machine.now - waiting.joined) - pool.mean_wait) / pool.n_waits

    def _move_in(self, allocation: Allocation, frame: HoldFrame, actor: Actor, reuse: float | None) -> float:
        """Units move to the hold: own prefix first, then room is made by eviction (04 §5)."""
        pool = allocation.pool
        consumed = 0.0
        if reuse is not None:
            consumed = self.machine.caching.consume(pool, actor, reuse)
        allocation.position = consumed
        allocation.frame = frame
        pool.used += allocation.units
        pool.places.append(actor)
        pool.allocations[allocation] = None
        self.machine.caching.evict_excess(pool)
        pool.admissions += 1
        return consumed


def bad_amount(shown: str, value: float, node: Any) -> RunError:
    """SQ0902: `shown` is the statement as written."""
    message = f"`{shown}`: {number_text(value)} is no amount: it must be 0 or more"
    return RunError("SQ0902", message, node)
