"""What identifies a run, so that it can be repeated."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json_text import dump_json
from serq_interpreter.ir.json_write import program_value
from serq_interpreter.version import __version__

if TYPE_CHECKING:
    from serq_interpreter.ir.program import Program
    from serq_interpreter.machine.run import Run


@lru_cache(maxsize=4)
def program_hash(program: Program) -> str:
    """SHA-256 of the program's canonical IR text, in hexadecimal; worked out once for runs of one program."""
    with deep_recursion():  # the writer alone: every run is stamped, few read IR
        return sha256(dump_json(program_value(program)).encode()).hexdigest()


def stamp(run: Run) -> dict[str, Any]:
    """Version, seed, horizon, clock unit (`null` under the f64 clock) and program hash."""
    tick = getattr(run.machine.clock, "unit", None)
    return {
        "version": __version__,
        "seed": run.settings.seed,
        "horizon": run.settings.horizon,
        "warmup": run.settings.warmup,
        "tick": None if tick is None else str(tick),
        "program": program_hash(run.program),
    }
