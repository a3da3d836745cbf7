"""Which rules about waiting there are, and what must occur in a program for each to be worth loading.

A rule is one module of this package: `ENTRIES` (its codes with their texts), `NEEDS` (of `Kernel.kinds`, one must occur)
and `check`.  The generated `catalog/index.py` repeats the needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from serq_interpreter.analysis.nesting import nests_too_deeply
from serq_interpreter.catalog.index import WAITS
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.rules.waits.kernel import Kernel
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding


def check(lowered: Lowered, elaborated: tree.Elaborated) -> list[Finding]:
    """What the rules about waiting find in a program without errors, each code once at a place.

    Nothing where holds nest so deeply that each of them cannot be looked at while somebody types.
    """
    if nests_too_deeply(lowered.program):
        return []
    found: dict[tuple[str, object, int], Finding] = {}
    with deep_recursion():
        kernel = Kernel(lowered, elaborated)
        for module, needs in WAITS.items():
            if kernel.kinds & set(needs):
                for finding in _check_of(module)(kernel):
                    found.setdefault((finding.code, finding.place.chunk, finding.place.start), finding)
    return list(found.values())


def _check_of(module: str) -> Callable[[Kernel], Iterable[Finding]]:
    checker: Callable[[Kernel], Iterable[Finding]] = import_module(f"serq_interpreter.rules.waits.{module}").check
    return checker
