"""Who goes on to a further turn, told from the draws of the turn before (`substreams.ForeseenFamily`).

The usual workload draws `more = ~bernoulli(p)` in its `turn` block and branches on it before the next `turn`.
"""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.chacha import OUTPUTS_PER_BLOCK
from serq_interpreter.machine.static_facts import nodes

UNIFORMS = {"Exp": 1, "Det": 0, "Uniform": 1, "Bernoulli": 1, "H2": 2}
"""How many uniforms a draw takes, where that is always the same number."""


def going_on(automaton: a.Automaton) -> tuple[int, float] | None:
    """The place among the uniforms of a turn, and the bound below which it means a further turn; `None` if unknown."""
    slots = _guards_of_turns(automaton)
    if len(slots) != 1:
        return None
    place = 0
    if sum(1 for line in automaton.turn if isinstance(line, ir.Set) and line.slot in slots) != 1:
        return None
    for line in automaton.turn:
        if isinstance(line, ir.Set) and line.slot in slots:
            match line.value:
                case ir.Sample(distribution="Bernoulli", args=(ir.Num(value=share),)) if place < OUTPUTS_PER_BLOCK:
                    return place, share
                case _:
                    return None
        taken = _uniforms_of(line.value)
        if taken is None:
            return None
        place += taken
    return None


def _uniforms_of(value: ir.Expr) -> int | None:
    """How many uniforms an expression takes; `None` if that depends on something."""
    total = 0
    for node in nodes((value,)):
        match node:
            case ir.Cond() | ir.Binary(op="And" | "Or"):
                return None
            case ir.Sample(distribution=distribution):
                if distribution not in UNIFORMS:
                    return None
                total += UNIFORMS[distribution]
            case _:
                continue
    return total


def _guards_of_turns(automaton: a.Automaton) -> set[int]:
    """The attributes whose truth leads to a turn, at the branches from which one comes without another branch."""
    found = set()
    for state in automaton.states:
        if not (isinstance(state, a.BranchState) and isinstance(state.guard, ir.Attr)):
            continue
        number = state.next
        for _ in automaton.states:
            following = automaton.states[number]
            if isinstance(following, a.TurnState):
                found.add(state.guard.slot)
            if isinstance(following, a.TurnState | a.BranchState | a.EndState):
                break
            number = following.next
    return found
