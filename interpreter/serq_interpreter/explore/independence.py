"""Partial-order reduction: an event that concerns nobody else need not be tried in every order.

When several events are due at one instant and one of them ends a session's stay in a `delay` after which the session
only computes with its own attributes and goes into the next `delay`, that event commutes with each of the others and
with all that they lead to at this instant.  It is taken first, and the other orders are left out (an ample set of
one).  The state it leads to must be new: on a circle of the graph some state has all its moves.
"""

from __future__ import annotations

from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.stages.simple import DelayStage
from serq_interpreter.machine.static_facts import Node, every_expression, nodes


class Private:
    """Which events concern their own session only."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.automaton = machine.automaton
        self.asked = _stages_asked_about(machine.program)
        conditions = nodes(claim.condition for claim in machine.program.claims)
        self.observed = {node.observation for node in conditions if isinstance(node, ir.Agg)}
        # Evictions read the attributes of sessions that own cached prefixes: then nothing a session sets is private.
        self.none = any(pool.evict_keys is not None or pool.spill is not None for pool in machine.program.pools)
        self.turn_is_private = all(self._line_is_private(line) for line in self.automaton.turn)
        self._known: dict[int, bool] = {}

    def first_private(self, due: list[Any]) -> int | None:
        """The number of an event that need not wait for the others; `None` if every order is to be tried."""
        if self.none:
            return None
        for number, (_, _, handler, argument) in enumerate(due):
            stage = handler.__self__
            if not isinstance(stage, DelayStage) or self._is_asked_about(stage.index) or argument.gone:
                continue
            actor = argument.actor
            if actor is not None and self._is_private(actor.pc):
                return number
        return None

    def _is_private(self, pc: int) -> bool:
        known = self._known.get(pc)
        if known is None:
            known = self._known[pc] = self._walk(pc)
        return known

    def _walk(self, pc: int) -> bool:
        """Whether whatever a session does from here until it blocks concerns nobody else."""
        seen: set[int] = set()
        open_states = [pc]
        while open_states:
            at = open_states.pop()
            if at in seen:
                continue
            seen.add(at)
            following = self._step(self.automaton.states[at])
            if following is None:
                return False
            open_states += following
        return True

    def _step(self, state: a.State) -> tuple[int, ...] | None:
        """The states that may follow before the session blocks; `None` if the statement concerns others."""
        match state:
            case a.SetState():
                return (state.next,) if _is_own(state.value) else None
            case a.ObserveState():
                return (state.next,) if state.observation not in self.observed else None
            case a.BranchState():
                return (state.next, state.otherwise) if _is_own(state.guard) else None
            case a.TurnState():
                return (state.next,) if self.turn_is_private else None
            case a.GotoState():
                return (state.next,)
            case a.RunState():
                return self._after_run(state)
            case _:
                return None

    def _after_run(self, state: a.RunState) -> tuple[int, ...] | None:
        """A run in a `delay` that nobody asks about; one whose work may be 0 ends at once."""
        stage = state.stage
        if state.also or state.growing is not None or stage.index is not None or not _is_own(state.work):
            return None
        kind = self.machine.program.stages[stage.base].kind
        if not isinstance(kind, ir.Delay) or self._is_asked_about(stage.base):
            return None
        return () if isinstance(state.work, ir.Num) and state.work.value > 0.0 else (state.next,)

    def _is_asked_about(self, stage: int) -> bool:
        return stage in self.asked

    def _line_is_private(self, line: ir.Set | ir.Observe) -> bool:
        if isinstance(line, ir.Observe):
            return line.observation not in self.observed
        return _is_own(line.value)


def _is_own(expression: ir.Expr) -> bool:
    """Whether an expression reads nothing but numbers and the session's own attributes; it may draw."""
    return not any(isinstance(node, _SHARED) for node in nodes((expression,)))


_SHARED = (ir.Ctx, ir.Agg, ir.Reg, ir.PoolRef, ir.StageRef)


def _stages_asked_about(program: ir.Program) -> set[int]:
    found: set[int] = set()
    for node in _calls(program):
        for argument in node.args:
            if isinstance(argument, ir.StageRef):
                found.update(range(argument.base, argument.base + argument.count))
    return found


def _calls(program: ir.Program) -> list[ir.Call]:
    roots: list[Node | None] = list(every_expression(program))
    return [node for node in nodes(roots) if isinstance(node, ir.Call)]
