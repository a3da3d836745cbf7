"""What a program means, as a key: the kernel with its names replaced by indices, and the settings of the run.

Two texts with the same key have the same runs, whatever they call things.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json_text import comparable_bytes
from serq_interpreter.ir.json_write import program_value

_NAMED = ("pools", "stages", "gauges", "claims", "registers")


def meaning_of(program: ir.Program, *more: object) -> str:
    """The key of a program; `more` is whatever else decides a run (seed, horizon, where traces are)."""
    with deep_recursion():
        value = program_value(program)
        _forget_names(value)
        found = sha256(comparable_bytes(value))
    found.update(repr(more).encode())
    return found.hexdigest()


def _forget_names(value: dict[str, Any]) -> None:
    for part in ("attrs", "observes"):
        value[part] = len(value[part])
    for part in _NAMED:
        for item in value.get(part, ()):
            item["name"] = ""
    if "spawning" in value:
        value["spawning"]["groups"] = len(value["spawning"]["groups"])
