"""Walking a way again: with the decisions of a search, or as an ordinary run of its script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from serq_interpreter.explore.canonical import Key
from serq_interpreter.explore.subject import Instance, Move, Subject
from serq_interpreter.explore.trace import Room, Waiter, rooms_of, waiter_of
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine.arrivals import n_initial_sessions
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.run import Run


def key_after(instance: Instance, path: Sequence[Move]) -> Key | RunError:
    """The key of the state at the end of a way, or the error that ended it."""
    subject = Subject(instance)
    for move in path:
        try:
            subject.perform(move)
        except RunError as error:
            return error
    return subject.key()[0]


def standstill(program: ir.Program, seconds: float) -> tuple[tuple[Waiter, ...], tuple[Room, ...]]:
    """Who waits for what at an instant of an ordinary run, and what the pools have.  Raises `RunError`."""
    run = Run(program, reference=True)
    machine: Machine = run.machine
    with deep_recursion():
        machine.start(n_initial_sessions(program.arrival))
        machine.run_until(machine.clock.at(seconds), None, None, None)
        actors = (*machine.sessions, *machine.legs)
        return tuple(waiter_of(machine, actor) for actor in actors), rooms_of(machine)


def moves_value(path: Sequence[Move]) -> list[dict[str, Any]]:
    """A way as plain values, for JSON."""
    return [{"kind": move.kind, "index": move.index, "decisions": list(move.decisions)} for move in path]


def moves_of(value: Sequence[Mapping[str, Any]]) -> tuple[Move, ...]:
    """A way from plain values.  Raises `ValueError` for anything that is none."""
    found = []
    for item in value:
        kind, index, decisions = item.get("kind"), item.get("index", 0), item.get("decisions", [])
        if kind not in ("start", "arrive", "event", "settle"):
            raise ValueError(f"a move is a start, an arrive, an event or a settle, not {kind!r}")
        whole = isinstance(index, int) and index >= 0 and isinstance(decisions, list)
        if not whole or not all(isinstance(choice, int) and choice >= 0 for choice in decisions):
            raise ValueError("a move's index and decisions are whole numbers, not negative")
        found.append(Move(kind, index, tuple(decisions)))
    return tuple(found)
