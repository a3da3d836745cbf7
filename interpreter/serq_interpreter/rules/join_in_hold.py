"""SQ1001 and SQ1002: a `join` that waits while a hold on a finite pool is open.

What: the session stands at a `join` inside a hold, so the units stay taken until the slowest leg has ended; and when a
leg that it waits for takes units of the same pool, the leg may wait for the units that the session holds (SQ1002).

Why: holding while waiting is the first half of a deadlock and of a convoy; a program without it always makes progress.

Wrong: `hold kv (8) { join; }` after `fork { hold kv (8) { … } }`.  Right: join first, hold afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.rules.edits import move_behind
from serq_interpreter.rules.pending_legs import pending_legs
from serq_interpreter.rules.scopes import holds_around
from serq_interpreter.rules.survey import Survey, Visit
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ1001", "SQ1002")


def check(survey: Survey) -> Iterator[Finding]:
    """Look at each `join` inside a hold, with the legs that may still run there."""
    inside = [visit for visit in survey.of(tree.Join) if visit.scope is not None and visit.leg is None]
    if not inside or survey.program.session is None:
        return
    waiting = pending_legs(survey.program.session)
    for visit in inside:
        yield from _join(survey, visit, waiting.get(id(visit.stmt), ()))


def _join(survey: Survey, visit: Visit, legs: tuple[tree.Fork, ...]) -> Iterator[Finding]:
    held = [
        (hold, take) for hold in holds_around(visit.scope) for take in hold.takes if _finite(survey.program, take.pool)
    ]
    if not held or not legs:
        return
    for leg in legs:
        for wanted in _takes(leg):
            for hold, take in held:
                if _may_be_same(take.pool, wanted.pool):
                    yield _hold_and_wait(visit, leg, hold, take, wanted)
                    return
    hold, take = held[0]
    notes = (
        Note(hold.word_at, f"`{take.pool.name}` is held from here"),
        Note(legs[0].word_at, "and this leg may still run"),
    )
    outermost = held[-1][0]
    yield Finding(
        "SQ1001",
        visit.stmt.at,
        {"pool": take.pool.name or ""},
        notes,
        move_behind("join after the hold", visit.stmt.at, outermost.at),
    )


def _hold_and_wait(visit: Visit, leg: tree.Fork, hold: tree.Hold, take: tree.Take, wanted: tree.Take) -> Finding:
    pool = take.pool.name or ""
    notes = (
        Note(hold.word_at, f"the session holds `{pool}` from here"),
        Note(wanted.at, f"the leg takes `{pool}` here"),
        Note(leg.word_at, "the leg starts here"),
    )
    return Finding(
        "SQ1002", visit.stmt.at, {"pool": pool}, notes, move_behind("join after the hold", visit.stmt.at, hold.at)
    )


def _finite(program: tree.Elaborated, ref: tree.PoolRef) -> bool:
    pool = program.pools.get(ref.name or "")
    return pool is not None and pool.cap is not None and math.isfinite(pool.cap)


def _takes(leg: tree.Fork) -> Iterator[tree.Take]:
    """Every take of the leg, in the order of the text."""
    stack: list[tree.Stmt] = list(reversed(leg.body.statements))
    while stack:
        stmt = stack.pop()
        match stmt:
            case tree.Hold():
                yield from stmt.takes
                stack.extend(reversed(stmt.body.statements))
            case tree.Loop():
                stack.extend(reversed(stmt.body.statements))
            case tree.Branch():
                stack.extend(() if stmt.otherwise is None else reversed(stmt.otherwise.statements))
                stack.extend(reversed(stmt.then.statements))
            case _:
                pass


def _may_be_same(one: tree.PoolRef, other: tree.PoolRef) -> bool:
    """Whether two references can name one member; only different numbers say that they cannot."""
    if one.name is None or one.name != other.name:
        return False
    if one.index is None or other.index is None:
        return True
    first, second = closed_value(one.index), closed_value(other.index)
    return first is None or second is None or first == second
