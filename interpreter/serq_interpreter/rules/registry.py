"""Which rule modules there are, and what must occur in a program for each to be worth loading.

`INDEX` is written down so that checking a program imports only what can find something in it; a test proves that
it lists every module of this package that has a `check`, with the codes that the module says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.rules.survey import Survey, survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding


class Family(NamedTuple):
    """A module of this package with `CODES` and `check`.

    `needs`: any of these constructs (`Survey.kinds`) must occur; empty means always.
    """

    module: str
    needs: frozenset[str]


def _family(module: str, needs: str = "") -> Family:
    return Family(module, frozenset(needs.split()))


INDEX: tuple[Family, ...] = (
    _family("moments"),
    _family("hold_references", "Hold"),
    _family("hold_scope", "Grow Load Release Run"),
    _family("hold_index", "Hold"),
    _family("hold_amounts", "Hold Run Grow Load"),
    _family("stale_snapshot", "Hold"),
    _family("cache_clause", "Hold"),
    _family("preemptible_fork", "Fork"),
    _family("family_sizes", "Pool Engine"),
    _family("run_modes", "Run"),
    _family("engine_options", "Engine"),
    _family("iteration_paths", "Engine"),
    _family("registers", "Register Engine"),
    _family("loop_time", "Loop"),
    _family("constant_guards", "Branch"),
    _family("flows", "Run Share"),
    _family("legs", "Fork Join"),
    _family("claim_engines", "Claim Engine Stage"),
    _family("join_in_hold", "Join"),
    _family("unused", "Source"),
    _family("replaced", "Source"),
    _family("read_before_set", "Set Choose Turn"),
    _family("unreachable", "End Loop"),
    _family("hidden_copy", "Hidden"),
    _family("joined_options", "Pool"),
    _family("fails_when_run", "Branch Hold Choose Engine"),
    _family("measuring", "Source"),
    _family("engine_surprises", "Engine Stage"),
    _family("reserve_below_units", "Hold"),
)


def families(found: Survey) -> tuple[Family, ...]:
    """The modules that can find something in the program."""
    return tuple(family for family in INDEX if not family.needs or family.needs & found.kinds)


def check(program: tree.Elaborated, source: nodes.Tree | None = None) -> list[Finding]:
    """What the static rules find in an elaborated program, in no particular order.

    `source` is the tree of its text; without it the lints about declarations and options as written stay silent.
    """
    findings: list[Finding] = []
    with deep_recursion():
        found = survey(program, source)
        for family in families(found):
            findings.extend(_check_of(family)(found))
    return findings


def _check_of(family: Family) -> Callable[[Survey], Iterable[Finding]]:
    checker: Callable[[Survey], Iterable[Finding]] = import_module(f"serq_interpreter.rules.{family.module}").check
    return checker
