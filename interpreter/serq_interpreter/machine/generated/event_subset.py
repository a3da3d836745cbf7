"""Which programs run as generated source: sessions at simple stages, without pools (a static decision)."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.arrivals import no_rows
from serq_interpreter.machine.generated.expression_source import ARITHMETIC, DEEPEST, PORTABLE, depth
from serq_interpreter.machine.generated.statement_source import successors
from serq_interpreter.machine.static_facts import nodes

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_MOST_STATES = 400
_MOST_STAGES = 6
"""Every event looks at every stage."""


def reason_against(machine: Machine) -> str | None:
    """Why the machine's program is left to the reference; `None` if generated source runs it."""
    program, automaton = machine.program, machine.automaton
    if not PORTABLE:
        return "this hardware's NaN is not the reference's"
    if machine.watched or machine.invariants is not None:
        return "every event is looked at"
    if program.pools:
        return "the program has pools"
    if program.gauges or program.claims:
        return "the program has gauges or claims"
    if not isinstance(program.arrival, ir.Poisson | ir.Renewal) or machine.lifecycle.scripts.for_session is not no_rows:
        return "sessions do not arrive from an open law without a trace"
    if len(automaton.states) > _MOST_STATES:
        return "the session block is long"
    if len(program.stages) > _MOST_STAGES:
        return "there are many stages"
    for stage in program.stages:
        found = _against_stage(stage)
        if found is not None:
            return found
    for state in automaton.states:
        found = _against_state(state)
        if found is not None:
            return found
    for line in (*automaton.init, *automaton.turn):
        if not plain(line.value):
            return "an expression asks the deployment"
    if _loops_without_run(automaton):
        return "a loop may come round without a run"
    return None


def _against_stage(stage: ir.Stage) -> str | None:
    match stage.kind:
        case ir.Fifo() | ir.Delay():
            return None
        case ir.Ps(capacity=ir.Num(value=value)) if 0.0 < value < inf:
            return None
        case ir.Ps():
            return "a shared stage's capacity is not a positive number"
        case _:
            return "a stage is an engine"


def _against_state(state: a.State) -> str | None:
    match state:
        case a.TurnState() | a.GotoState() | a.EndState():
            return None
        case a.SetState(value=value) | a.ObserveState(value=value):
            return None if plain(value) else "an expression asks the deployment"
        case a.BranchState(guard=guard):
            return None if plain(guard) else "an expression asks the deployment"
        case a.RunState():
            if state.also:
                return "a run is at several stages"
            index = state.stage.index
            if index is not None and not (isinstance(index, ir.Num) and index.value in range(state.stage.count)):
                return "a run's stage is chosen when it starts"
            return None if plain(state.work) else "an expression asks the deployment"
        case _:
            return f"the session has a {type(state).__name__}"


def plain(expression: ir.Expr) -> bool:
    """Numbers, attributes, `now`, arithmetic and draws, of moderate depth."""
    if depth(expression) > DEEPEST:
        return False
    for node in nodes((expression,)):
        match node:
            case ir.Agg() | ir.Reg() | ir.PoolRef() | ir.StageRef():
                return False
            case ir.Call(function=function) if function not in ARITHMETIC:
                return False
            case ir.Ctx(name=name) if name != "Now":
                return False
            case _:
                continue
    return True


def _loops_without_run(automaton: a.Automaton) -> bool:
    """Whether some cycle of states has no run on it: the statements of such a loop have to be counted."""
    colour = [0] * len(automaton.states)
    for root in range(len(automaton.states)):
        pending = [(root, False)]
        while pending:
            state, leaving = pending.pop()
            if leaving:
                colour[state] = 2
                continue
            if colour[state]:
                continue
            colour[state] = 1
            pending.append((state, True))
            if isinstance(automaton.states[state], a.RunState):
                continue
            for follower in successors(automaton.states[state]):
                if colour[follower] == 1 and not isinstance(automaton.states[follower], a.RunState):
                    return True
                pending.append((follower, False))
    return False
