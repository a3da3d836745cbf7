"""Which rule modules there are, and what must occur in a program for each to be worth loading.

A rule is one module of this package: `ENTRIES` (its codes with their texts), `NEEDS` (constructs of which one must
occur) and `check`.  The generated `catalog/index.py` repeats the needs, so that checking a program imports only what can
find something in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from serq_interpreter.catalog.index import RULES
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.rules.survey import Survey, survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding


class Family(NamedTuple):
    """A module of this package with `ENTRIES`, or `CODES` whose entries stand in the catalogue, and `check`.

    `needs`: any of these constructs (`Survey.kinds`) must occur; empty means always.
    """

    module: str
    needs: frozenset[str]


INDEX: tuple[Family, ...] = tuple(Family(module, frozenset(needs)) for module, needs in RULES.items())


def families(found: Survey) -> tuple[Family, ...]:
    """The modules that can find something in the program."""
    return tuple(family for family in INDEX if not family.needs or family.needs & found.kinds)


def check(
    program: tree.Elaborated, source: nodes.Tree | None = None, before: tree.Elaborated | None = None
) -> list[Finding]:
    """What the static rules find in an elaborated program, in no particular order.

    `source` is the tree of its text; without it the lints about declarations and options as written stay silent.
    `before` is the program before an edit: what its expressions read need not be found again.
    """
    findings: list[Finding] = []
    with deep_recursion():
        found = survey(program, source, before)
        for family in families(found):
            findings.extend(_check_of(family)(found))
    found.facts.settle()
    program.facts = found.facts
    return findings


def _check_of(family: Family) -> Callable[[Survey], Iterable[Finding]]:
    checker: Callable[[Survey], Iterable[Finding]] = import_module(f"serq_interpreter.rules.{family.module}").check
    return checker
