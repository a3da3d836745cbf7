"""The automaton as a graph: states, scopes as boxes, preemptions as dashed jumps to a scope's re-entry."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.expression_text import expression_text, group_text, pool_text, stage_text
from serq_lsp.services.drawing.graph import Edge, Graph, Group, Node

WIDEST = 60


def automaton_graph(automaton: a.Automaton) -> Graph:
    """Every state that a session can reach, in the scopes that enclose it."""
    graph = Graph()
    program = automaton.program
    for number, scope in enumerate(automaton.scopes):
        if scope.parent is not None or scope.leg:
            parent = None if scope.parent is None or not _boxed(automaton, scope.parent) else f"s{scope.parent}"
            graph.groups.append(Group(f"s{number}", _scope_label(program, scope), parent))
    for number, state in enumerate(automaton.states):
        box = f"s{state.scope}" if _boxed(automaton, state.scope) else None
        graph.nodes.append(Node(f"q{number}", f"{number}: {_label(program, state)}", _shape(state), box))
        graph.edges.extend(_edges(number, state))
    graph.nodes.append(Node("start", "start", "circle"))
    graph.edges.append(Edge("start", f"q{automaton.entry}"))
    graph.edges.extend(_preemptions(automaton))
    return graph


def _boxed(automaton: a.Automaton, number: int) -> bool:
    scope = automaton.scopes[number]
    return scope.parent is not None or scope.leg


def _preemptions(automaton: a.Automaton) -> list[Edge]:
    found = []
    for number, scope in enumerate(automaton.scopes):
        if scope.hold is None:
            continue
        pools = [take.pool for take in scope.hold.admission.takes]
        if any(automaton.program.pools[pool.base].preempt is not None for pool in pools):
            runs = [
                index
                for index, state in enumerate(automaton.states)
                if isinstance(state, a.RunState) and number in automaton.chains[state.scope]
            ]
            found += [Edge(f"q{index}", f"q{scope.reentry}", "preempted", dashed=True) for index in runs]
    return found


def _scope_label(program: ir.Program, scope: a.Scope) -> str:
    if scope.hold is None:
        return "leg"
    return "hold " + ", ".join(pool_text(program, take.pool) for take in scope.hold.admission.takes)


def _edges(number: int, state: a.State) -> list[Edge]:
    here = f"q{number}"
    if isinstance(state, a.EndState):
        return []
    if isinstance(state, a.BranchState):
        return [Edge(here, f"q{state.next}", "yes"), Edge(here, f"q{state.otherwise}", "no")]
    if isinstance(state, a.ForkState):
        return [Edge(here, f"q{state.next}"), Edge(here, f"q{state.leg}", "leg")]
    return [Edge(here, f"q{state.next}", "admitted" if isinstance(state, a.AcquireState) else "")]


def _shape(state: a.State) -> str:
    if isinstance(state, a.BranchState):
        return "diamond"
    if isinstance(state, a.AcquireState | a.RunState | a.TurnState | a.JoinState | a.JoinGroupState):
        return "round"
    return "circle" if isinstance(state, a.EndState) else "box"


def _label(program: ir.Program, state: a.State) -> str:
    text = _words(program, state)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _words(program: ir.Program, state: a.State) -> str:
    match state:
        case a.SetState():
            return f"set {program.attrs[state.slot]} = {expression_text(program, state.value)}"
        case a.ObserveState():
            return f"observe {program.observes[state.observation]}"
        case a.AcquireState():
            takes = state.admission.takes
            return "acquire " + ", ".join(
                f"{pool_text(program, take.pool)} ({expression_text(program, take.units)})" for take in takes
            )
        case a.ExitState():
            return "release"
        case a.RunState():
            mode = "" if state.mode is ir.RunMode.PLAIN else f" {state.mode.value.lower()}"
            stages = ", ".join(stage_text(program, stage) for stage in (state.stage, *state.also))
            return f"run {stages}{mode} ({expression_text(program, state.work)})"
        case a.GrowState() | a.LoadState():
            word = "grow" if isinstance(state, a.GrowState) else "load"
            return f"{word} {pool_text(program, state.pool)} ({expression_text(program, state.units)})"
        case a.DropState() | a.ReleaseState():
            word = "drop" if isinstance(state, a.DropState) else "release"
            return f"{word} {pool_text(program, state.pool)}"
        case a.BranchState():
            return expression_text(program, state.guard)
        case a.ChooseState():
            return f"choose {program.attrs[state.slot]} in {expression_text(program, state.count)}"
        case a.ForkState():
            return "fork"
        case a.SpawnState():
            return f"spawn ({expression_text(program, state.count)}) into {group_text(program, state.group)}"
        case a.JoinGroupState():
            return f"join {group_text(program, state.group)}"
        case a.JoinState():
            return "join"
        case a.TurnState():
            return "turn"
        case a.EndState():
            return "end"
        case _:
            return "loop"
