"""What came of one run, whichever engine made it: plain values that travel between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """`report` is the object of 07 §1, numbers that are not finite included; `None` when there is nothing to show.

    `error` is a rendered diagnostic: the run failed.  `partial` says why the run stopped before its end.
    `steady` maps `observes` and `gauges` to {name: {verdict, decided_by, value}}.
    """

    seed: int
    report: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    steady: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    stamp: dict[str, Any] = field(default_factory=dict)
    partial: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How the built-in engine runs a program; picklable."""

    clock: str = "exact"
    tick: str | None = None
    semantics: str = "edition"
    check_invariants: bool = False
    engine: str = "builtin"
    coalesce: bool = True
