"""An exploration in a worker process: what it found, as the moves that lead there.

The server walks the way again with its own program, whose statements have places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from serq_interpreter.explore.findings import Finding, Kind
from serq_interpreter.explore.instance import small
from serq_interpreter.explore.replay import moves_of, moves_value
from serq_interpreter.explore.search import Limits, explore
from serq_interpreter.explore.subject import Instance
from serq_interpreter.ir.json import read_program
from serq_interpreter.ir.program import Program
from serq_interpreter.machine.errors import RunError


@dataclass(frozen=True, slots=True)
class ExploreOrder:
    """What to search: a program (IR), so many sessions, capacities, and when to stop."""

    program: str
    directory: str | None
    sessions: int
    states: int
    seconds: float
    caps: Mapping[str, float] = field(default_factory=dict)


def instance_of(program: Program, directory: str | None, sessions: int, caps: Mapping[str, float]) -> Instance:
    """The instance that is searched.  Raises `UnknownPool`."""
    cut, arrivals = small(program, sessions, None, caps)
    return Instance(cut, sessions, arrivals, directory=None if directory is None else Path(directory))


def explored(order: ExploreOrder, stop: Callable[[], bool]) -> dict[str, Any]:
    """The search; `stop` is asked before each state.  An `error` says why there was none."""
    program = read_program(order.program)
    try:
        whole = instance_of(program, order.directory, order.sessions, order.caps)
        found = explore(whole, Limits(order.states, None, order.seconds), cancel=stop)
    except (RunError, ValueError) as error:
        return {"error": str(error)}
    return {
        "states": found.states,
        "moves": found.moves,
        "depth": found.depth,
        "seconds": found.seconds,
        "complete": found.complete,
        "stopped": found.stopped,
        "findings": [_value(finding) for finding in found.findings],
    }


def _value(finding: Finding) -> dict[str, Any]:
    return {
        "kind": str(finding.kind),
        "subject": finding.subject,
        "path": moves_value(finding.path),
        "again": moves_value(finding.again),
        "waiters": list(finding.waiters),
    }


def finding_of(value: Mapping[str, Any]) -> Finding:
    """A finding from the answer of a worker."""
    return Finding(
        Kind(value["kind"]),
        moves_of(value["path"]),
        moves_of(value["again"]),
        value["subject"],
        None,
        tuple(value["waiters"]),
    )
