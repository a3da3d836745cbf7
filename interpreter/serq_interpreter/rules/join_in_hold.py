"""SQ1001 and SQ1002: a `join` that waits while a hold on a finite pool is open.

What: the session stands at a `join` inside a hold, so the units stay taken until the slowest leg has ended; and when a
leg that it waits for takes units of the same pool, the leg may wait for the units that the session holds (SQ1002).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.edits import move_behind
from serq_interpreter.rules.pending_legs import pending_legs
from serq_interpreter.rules.scopes import holds_around
from serq_interpreter.rules.survey import Survey, Visit
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Join",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1001",
        name="join-inside-a-hold",
        severity=Severity.WARNING,
        message="`join` waits inside a hold on `{pool}`: the units stay taken until the slowest leg has ended",
        why="While the session stands at the `join` it computes nothing, and nobody else can have what it holds. With "
        "a finite pool such waiting is the first half of a deadlock: a leg, or another session, that needs the units "
        "waits for a session that waits.",
        help="`join;` before the hold begins or after it has ended",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { run svc (1); }
  hold kv (8) { run svc (1); join; }
                           //^^^^^
  observe t = now;
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { run svc (1); }
  hold kv (8) { run svc (1); }
  join;
  observe t = now;
  end;
}
run { horizon 10; }
""",
        spec="seed §4",
    ),
    Entry(
        code="SQ1002",
        name="hold-and-wait",
        severity=Severity.WARNING,
        message="`join` waits for a leg that takes `{pool}`, and the session holds `{pool}` meanwhile",
        why="The leg queues for units of a finite pool while the session that waits for it keeps some of them. When "
        "enough sessions stand at this point the pool is full of waiting sessions, no leg is admitted, and the run "
        "stops without an end (SQ0914).",
        help="`join;` outside the hold, or let the leg work in a pool of its own",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { hold kv (8) { run svc (1); } }
  hold kv (8) { run svc (1); join; }
                           //^^^^^
  observe t = now;
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { hold kv (8) { run svc (1); } }
  hold kv (8) { run svc (1); }
  join;
  observe t = now;
  end;
}
run { horizon 10; }
""",
        spec="seed §4",
    ),
)


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
