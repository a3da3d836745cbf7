"""The automaton as JSON: states, scopes, admissions and moves, each state with its place in the source.

Expressions have the form they have in IR 11.  `FORMAT` is the number of this layout.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json_text import dump_json
from serq_interpreter.ir.json_write import expression_value, reference_value
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.compile_automaton import compile_automaton

FORMAT = 1

Json = Any
Locate = Callable[[Any], Json]


class Places(Protocol):
    """Kernel node to place (`ir.origins.Origins`)."""

    def get(self, node: object) -> Any: ...


def automaton_json(program: ir.Program, origins: Places | None = None, locate: Locate | None = None) -> str:
    """The automaton of a closed program, indented.  `locate` makes a place JSON; without it a place is its text."""
    with deep_recursion():
        return dump_json(automaton_value(compile_automaton(program), origins, locate or _excerpt))


def automaton_value(automaton: a.Automaton, origins: Places | None, locate: Locate) -> dict[str, Json]:
    """The JSON object of an automaton; run under `deep_recursion`."""
    program = automaton.program

    def origin(node: object) -> Json:
        place = None if origins is None or node is None else origins.get(node)
        return None if place is None else locate(place)

    return {
        "format": FORMAT,
        "attrs": list(program.attrs),
        "positions": automaton.n_slots - len(program.attrs),
        "entry": automaton.entry,
        "init": [_line(line) for line in automaton.init],
        "turn": [_line(line) for line in automaton.turn],
        "states": [
            {"id": number, **_state(state), "origin": origin(state.node)}
            for number, state in enumerate(automaton.states)
        ],
        "scopes": [
            {
                "id": number,
                "kind": "hold" if scope.hold is not None else "leg" if scope.leg else "session",
                "parent": scope.parent,
                "reentry": scope.reentry,
                "open_holds": list(automaton.chains[number]),
                "origin": origin(scope.hold),
            }
            for number, scope in enumerate(automaton.scopes)
        ],
    }


def _excerpt(place: Any) -> Json:
    return {"file": place.chunk.file, "text": place.chunk.text[place.start : place.end]}


def _line(line: ir.Set | ir.Observe) -> dict[str, Json]:
    if isinstance(line, ir.Set):
        return {"kind": "set", "slot": line.slot, "value": expression_value(line.value)}
    return {"kind": "observe", "observation": line.observation, "value": expression_value(line.value)}


# --------------------------------------------------------------------------- states


def _state(state: a.State) -> dict[str, Json]:
    kind = type(state).__name__.removesuffix("State").lower()
    value: dict[str, Json] = {"kind": kind, "scope": state.scope}
    if not isinstance(state, a.EndState):
        value["next"] = state.next
    return value | _details(state)


def _details(state: a.State) -> dict[str, Json]:
    match state:
        case a.SpawnState():
            return {
                "count": expression_value(state.count),
                "group": state.group,
                "inherit": None if state.inherit is None else reference_value(state.inherit),
                "sets": [_line(line) for line in state.sets],
            }
        case a.JoinGroupState():
            return {"group": state.group}
        case a.SetState():
            return {"slot": state.slot, "value": expression_value(state.value)}
        case a.ObserveState():
            return {"observation": state.observation, "value": expression_value(state.value)}
        case a.AcquireState():
            return {"opens": state.opens, "admission": _admission(state.admission)}
        case a.ExitState():
            return {"closes": state.closes, "moves": [_move(move) for move in state.moves]}
        case a.RunState():
            return _run(state)
        case a.GrowState() | a.LoadState():
            return {"pool": reference_value(state.pool), "units": expression_value(state.units)}
        case a.DropState() | a.ReleaseState():
            return {"pool": reference_value(state.pool)}
        case a.BranchState():
            return {"guard": expression_value(state.guard), "otherwise": state.otherwise}
        case a.ChooseState():
            keys = [expression_value(key) for key in state.keys]
            return {"slot": state.slot, "count": expression_value(state.count), "keys": keys}
        case a.ForkState():
            return {"leg": state.leg}
    return {}


def _run(state: a.RunState) -> dict[str, Json]:
    value: dict[str, Json] = {
        "stages": [reference_value(stage) for stage in (state.stage, *state.also)],
        "mode": state.mode.value.lower(),
        "work": expression_value(state.work),
        "position": state.position,
    }
    if state.growing is not None:
        value["growing"] = reference_value(state.growing)
    return value


def _admission(block: a.AdmissionBlock) -> list[dict[str, Json]]:
    """The block as a list of steps, in the order in which they are done."""
    steps: list[dict[str, Json]] = [{"let": let.slot, "snapshot": True} for let in block.lets]
    for take, need in zip(block.takes, block.needs, strict=True):
        steps.append({"take": reference_value(take.pool), "units": expression_value(take.units)})
        if need is not None:
            steps.append({"need": reference_value(take.pool), "units": expression_value(need.reserve)})
    if block.caches:
        bound = block.reuse.bound
        steps.append({"reuse": None if bound is None else expression_value(bound)})
    return steps


def _move(move: a.Move) -> dict[str, Json]:
    match move:
        case a.Keep():
            return {"keep": move.take, "units": expression_value(move.units)}
        case a.Free():
            return {"free": move.take}
    return {"lease": move.take, "time": expression_value(move.time), "then": _move(move.then)}
