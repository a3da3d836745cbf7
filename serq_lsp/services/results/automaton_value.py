"""`Automaton` of editors/PROTOCOL.md: the states and scopes of a program, as data, as text and as a graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.expression_text import expression_text, group_text, pool_text, stage_text
from serq_lsp.services.results.ranges import ToRange
from serq_lsp.services.results.sites import Sites, own_span
from serq_lsp.services.snapshot import Snapshot

Json = dict[str, Any]


def automaton_value(snapshot: Snapshot, sites: Sites, to_range: ToRange) -> Json:
    """The automaton of a program without errors."""
    with deep_recursion():
        automaton = sites.automaton
        states = [
            {
                "id": number,
                "kind": _kind(state),
                "label": _label(sites.program, state),
                "scope": state.scope,
                "range": to_range(own_span(snapshot, sites.state(number))),
            }
            for number, state in enumerate(automaton.states)
        ]
        edges = list(_edges(automaton))
        scopes = [_scope(sites.program, number, scope) for number, scope in enumerate(automaton.scopes)]
    return {
        "states": states,
        "edges": edges,
        "scopes": scopes,
        "entry": automaton.entry,
        "text": _text(states, edges, automaton.entry),
        "dot": _dot(states, edges, scopes, automaton.entry),
    }


def _kind(state: a.State) -> str:
    return type(state).__name__.removesuffix("State").lower()


def _label(program: ir.Program, state: a.State) -> str:
    match state:
        case a.SetState():
            return f"set {program.attrs[state.slot]} = {expression_text(program, state.value)}"
        case a.ObserveState():
            return f"observe {program.observes[state.observation]} = {expression_text(program, state.value)}"
        case a.AcquireState():
            takes = (f"{pool_text(program, one.pool)} ({expression_text(program, one.units)})" for one in _takes(state))
            return f"hold {', '.join(takes)}"
        case a.RunState():
            mode = "" if state.mode is ir.RunMode.PLAIN else f"{state.mode.value.lower()} "
            return f"run {stage_text(program, state.stage)} {mode}({expression_text(program, state.work)})"
        case a.GrowState() | a.LoadState():
            return f"{_kind(state)} {pool_text(program, state.pool)} ({expression_text(program, state.units)})"
        case a.DropState() | a.ReleaseState():
            return f"{_kind(state)} {pool_text(program, state.pool)}"
        case a.BranchState():
            return f"branch ({expression_text(program, state.guard)})"
        case a.ChooseState():
            return f"choose {program.attrs[state.slot]}"
        case a.SpawnState():
            return f"spawn ({expression_text(program, state.count)}) into {group_text(program, state.group)}"
        case a.JoinGroupState():
            return f"join {group_text(program, state.group)}"
        case a.GotoState():
            return "loop"
        case _:
            return _kind(state)


def _takes(state: a.AcquireState) -> tuple[a.Take, ...]:
    return state.admission.takes


def _edges(automaton: a.Automaton) -> Iterator[Json]:
    for number, state in enumerate(automaton.states):
        match state:
            case a.EndState():
                pass
            case a.BranchState():
                yield _edge(number, state.next, "branch", "1")
                yield _edge(number, state.otherwise, "branch", "0")
            case a.ForkState():
                yield _edge(number, state.next, "next", None)
                yield _edge(number, state.leg, "branch", "leg")
            case a.ExitState():
                yield _edge(number, state.next, "exit", None)
            case _:
                yield _edge(number, state.next, "next", None)
    for scope in automaton.scopes:
        if scope.hold is not None:
            yield from _preemptions(automaton, scope)


def _preemptions(automaton: a.Automaton, scope: a.Scope) -> Iterator[Json]:
    """From where a session can lose a hold: the runs and growths inside a scope whose pool preempts."""
    program = automaton.program
    assert scope.hold is not None
    preempts = any(
        program.pools[index].preempt is not None
        for take in scope.hold.admission.takes
        for index in range(take.pool.base, take.pool.base + take.pool.count)
    )
    if not preempts:
        return
    for number, state in enumerate(automaton.states):
        if not isinstance(state, a.RunState | a.GrowState | a.AcquireState | a.JoinState):
            continue
        if any(automaton.scopes[open_].reentry == scope.reentry for open_ in automaton.chains[state.scope]):
            yield _edge(number, scope.reentry, "preempt", None)


def _edge(start: int, end: int, kind: str, label: str | None) -> Json:
    return {"from": start, "to": end, "label": label, "kind": kind}


def _scope(program: ir.Program, number: int, scope: a.Scope) -> Json:
    hold = None
    if scope.hold is not None:
        hold = ", ".join(pool_text(program, take.pool) for take in scope.hold.admission.takes)
    return {"id": number, "parent": scope.parent, "hold": hold, "reentry": scope.reentry}


def _text(states: list[Json], edges: list[Json], entry: int) -> str:
    lines = []
    for state in states:
        targets = [_target(edge) for edge in edges if edge["from"] == state["id"]]
        mark = "→" if state["id"] == entry else " "
        lines.append(f"{mark} {state['id']:>3}  {state['label']}" + (f"  → {', '.join(targets)}" if targets else ""))
    return "\n".join(lines)


def _target(edge: Json) -> str:
    label = edge["label"] or ("" if edge["kind"] in ("next", "exit") else edge["kind"])
    return f"{edge['to']} ({label})" if label else str(edge["to"])


def _dot(states: list[Json], edges: list[Json], scopes: list[Json], entry: int) -> str:
    """The graph in Graphviz's language: one cluster for each hold."""
    lines = ["digraph automaton {", "  node [shape=box, fontname=monospace];"]
    children: dict[int | None, list[Json]] = {}
    for scope in scopes:
        children.setdefault(scope["parent"], []).append(scope)
    stack: list[Json | None] = list(reversed(children.get(None, [])))
    while stack:
        current = stack.pop()
        if current is None:
            lines.append("  }")
            continue
        number = current["id"]
        if current["hold"] is not None:
            lines.append(f"  subgraph cluster_{number} {{ label={_quoted('hold ' + current['hold'])};")
            stack.append(None)
        lines += [f"  s{one['id']} [label={_quoted(one['label'])}];" for one in states if one["scope"] == number]
        stack += reversed(children.get(number, []))
    lines.append(f"  entry [shape=point]; entry -> s{entry};")
    for edge in edges:
        style = ", style=dashed" if edge["kind"] == "preempt" else ""
        label = _quoted(edge["label"] or ("preempted" if edge["kind"] == "preempt" else ""))
        lines.append(f"  s{edge['from']} -> s{edge['to']} [label={label}{style}];")
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
