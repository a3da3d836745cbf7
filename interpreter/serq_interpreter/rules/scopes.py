"""What encloses a statement: the holds around it, and the take that a reference means."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.survey import Scope
from serq_interpreter.semantics import tree


def holds_around(scope: Scope | None) -> Iterator[tree.Hold]:
    """The holds of the same leg, innermost first."""
    while scope is not None:
        yield scope.hold
        scope = scope.outer


def take_of(scope: Scope | None, ref: tree.PoolRef) -> tuple[tree.Hold, tree.Take] | None:
    """The innermost enclosing take written the same as `ref` (02 §8)."""
    for hold in holds_around(scope):
        for take in hold.takes:
            if take.pool.name == ref.name and take.pool.spelling == ref.spelling:
                return hold, take
    return None


def take_of_other_spelling(scope: Scope | None, ref: tree.PoolRef) -> tree.Take | None:
    """The innermost enclosing take of the same pool or family under another spelling."""
    for hold in holds_around(scope):
        for take in hold.takes:
            if take.pool.name == ref.name:
                return take
    return None


def unclear(scope: Scope | None, ref: tree.PoolRef) -> bool:
    """Whether an error made it unknown which pool `ref` or a hold around it names."""
    if ref.name is None or isinstance(ref.index, tree.Unknown):
        return True
    for hold in holds_around(scope):
        for take in hold.takes:
            if take.pool.name is None or (take.pool.name == ref.name and isinstance(take.pool.index, tree.Unknown)):
                return True
    return False


def preempting_pool(program: tree.Elaborated, hold: tree.Hold) -> tree.Pool | None:
    """A pool of the hold that may throw it out, `None` when none is known to."""
    for take in hold.takes:
        pool = program.pools.get(take.pool.name or "")
        if pool is not None and pool.preempt is not None:
            return pool
    return None
