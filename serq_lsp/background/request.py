"""What a document wants to be run: its meaning, and the order a worker gets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json import write_program
from serq_lsp.background.meaning import meaning_of


@dataclass(frozen=True, slots=True)
class Names:
    """What things were called when a run was made, by index (`kv[1]` for a member of a family)."""

    observations: tuple[str, ...]
    gauges: tuple[str, ...]
    claims: tuple[str, ...]
    pools: tuple[str, ...]
    stages: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Wanted:
    """`key` is the meaning; the text of the program is written when a run starts."""

    key: str
    program: ir.Program
    directory: str | None
    settings: Mapping[str, Any]
    instance: str = ""
    """Which values of constants replace the text's own, in a few words."""

    @property
    def seconds(self) -> float:
        """The budget of real time."""
        return float(self.settings["simulation.budget.seconds"])

    @property
    def names(self) -> Names:
        return names_of(self.program)

    def order(self) -> dict[str, Any]:
        """The fields of `running.Order`."""
        return {
            "program": write_program(self.program),
            "seed": self.settings["simulation.seed"],
            "horizon": self.settings["simulation.horizon"],
            "directory": self.directory,
            "replications": self.settings["simulation.replications"],
            "precision": self.settings["simulation.precision"],
            "events": self.settings["simulation.budget.events"],
        }


DECISIVE = (
    "simulation.seed",
    "simulation.horizon",
    "simulation.replications",
    "simulation.precision",
    "simulation.budget.events",
    "simulation.budget.seconds",
)
"""Settings that change what a run comes to."""


def wanted_of(program: ir.Program, directory: str | None, settings: Mapping[str, Any], instance: str = "") -> Wanted:
    """The request of a program under settings; `directory` is where a relative trace is looked up."""
    where = directory if program.trace is not None else None
    key = meaning_of(program, where, state_of(trace_of(program, directory)), *(settings[name] for name in DECISIVE))
    return Wanted(key, program, directory, settings, instance)


def trace_of(program: ir.Program, directory: str | None) -> str | None:
    """The path of the program's trace; `None` without one."""
    return None if program.trace is None else os.path.join(directory or "", program.trace)


def state_of(file: str | None) -> tuple[int, int] | None:
    """What changes when a file is written: when that was, and its size; `None` without a file."""
    if file is None:
        return None
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def names_of(program: ir.Program) -> Names:
    """The names of a program's things by index."""
    return Names(
        observations=program.observes,
        gauges=tuple(gauge.name for gauge in program.gauges),
        claims=tuple(claim.name for claim in program.claims),
        pools=tuple(_member(pool) for pool in program.pools),
        stages=tuple(_member(stage) for stage in program.stages),
    )


def _member(thing: ir.Pool | ir.Stage) -> str:
    return thing.name if thing.index is None else f"{thing.name}[{thing.index}]"
