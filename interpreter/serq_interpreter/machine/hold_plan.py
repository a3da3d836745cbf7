"""A hold's admission block and moves, compiled (04 §4, §6, §12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.evaluate import Closure, Evaluator, Moment


class TakePlan:
    """One pool of a header."""

    __slots__ = ("member", "node", "reserve", "reserve_refused_early", "units", "units_refused_early")

    def __init__(
        self, take: a.Take, need: a.Need | None, evaluator: Evaluator, session: Moment, header: Moment
    ) -> None:
        self.member: Callable[[Any], Any] = evaluator.pool(take.pool, session)[1]
        self.units: Closure = evaluator.closure(take.units, header)
        self.reserve: Closure | None = None if need is None else evaluator.closure(need.reserve, header)
        self.units_refused_early = take.refused_early
        self.reserve_refused_early = need is not None and need.refused_early
        self.node: ir.Take = take.node


class HoldPlan:
    """Everything about a hold statement; `own` is its state, `body` the state that follows admission.

    `lease_index` is the pool that is leased at the scope's end, for `lease_time`.
    """

    __slots__ = ("body", "cache", "lease_index", "lease_time", "node", "own", "reuse", "scope", "takes")

    def __init__(
        self,
        own: int,
        state: a.AcquireState,
        moves: tuple[a.Move, ...],
        evaluator: Evaluator,
        session: Moment,
        header: Moment,
    ) -> None:
        block = state.admission
        self.takes = [
            TakePlan(take, need, evaluator, session, header)
            for take, need in zip(block.takes, block.needs, strict=True)
        ]
        self.reuse = evaluator.optional(block.reuse.bound, header)
        self.own = own
        self.body = state.next
        self.scope = state.opens
        assert isinstance(state.node, ir.Hold)
        self.node = state.node
        self.cache: Closure | None = None
        self.lease_index: int | None = None
        self.lease_time: Closure | None = None
        for move in moves:
            if isinstance(move, a.LeaseOut):
                self.lease_index = move.take
                self.lease_time = evaluator.closure(move.time, session)
        self.cache = evaluator.optional(self.node.cache, session)
