"""SQ0005, SQ0009, SQ0010: `spawn` and `join NAME` of the edition v4b stand in no leg and in no hold that they could block."""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.scopes import holds_around, preempting_pool
from serq_interpreter.rules.survey import Survey, Visit
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Spawn", "JoinGroup")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        "SQ0005",
        "children-of-a-leg",
        Severity.ERROR,
        "`{word}` of children in a leg",
        "A leg is a part of its session and may end before it. Children belong to a session, which waits for them; a leg "
        "that had some could end and leave them to nobody.",
        "spawn and join in the session itself, beside the leg",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  fork { branch (depth == 0) { spawn (2) into kids { set work = 1; } } run think (1); }
                             //^^^^^
  join;
  join kids;
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  fork { run think (1); }
  branch (depth == 0) { spawn (2) into kids { set work = 1; } }
  run think (work);
  join;
  join kids;
  end;
}
run { horizon 10; }
""",
        spec="docs/language/spawn.md",
    ),
    Entry(
        "SQ0009",
        "children-joined-inside-a-hold",
        Severity.ERROR,
        "`join {name}` inside a hold of the finite pool `{pool}`",
        "While a parent waits, its units stay taken. Children run the same session and may need the same pool; then they "
        "wait for the parent and the parent for them. The theorem that every session completes needs this ruled out.",
        "close the hold first and join behind it; keep what the children are to read with `cache` and `inherit`",
        """// serq: edition v4b
pool kv { cap 10; }
stage think : delay;
workload { arrive batch(1); }
session {
  hold kv (4) {
    branch (depth == 0) { spawn (2) into kids { set work = 1; } join kids; }
                                                              //^^^^^^^^^^
    run think (work + 1);
  }
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
pool kv { cap 10; }
stage think : delay;
workload { arrive batch(1); }
session {
  hold kv (4) {
    branch (depth == 0) { spawn (2) into kids { set work = 1; } }
    run think (work + 1);
  }
  join kids;
  end;
}
run { horizon 10; }
""",
        spec="docs/language/spawn.md",
    ),
    Entry(
        "SQ0010",
        "spawn-in-a-preemptible-hold",
        Severity.ERROR,
        "`spawn` inside a hold that pool `{pool}` may preempt",
        "A preempted session begins the body of its hold again and would spawn a second time, beside the children that "
        "it has already.",
        "spawn before the hold or behind it, or take a pool without `preempt`",
        """// serq: edition v4b
pool kv { cap 10; preempt lifo; }
stage think : delay;
workload { arrive batch(1); }
session {
  hold kv (4) {
    branch (depth == 0) { spawn (2) into kids { set work = 1; } }
                        //^^^^^
    run think (work + 1);
  }
  join kids;
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
pool kv { cap 10; preempt lifo; }
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } }
  hold kv (4) { run think (work + 1); }
  join kids;
  end;
}
run { horizon 10; }
""",
        spec="docs/language/spawn.md",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at what encloses each `spawn` and `join`."""
    for visit in survey.of(tree.Spawn, tree.JoinGroup):
        if visit.leg is not None:
            word = "spawn" if isinstance(visit.stmt, tree.Spawn) else "join"
            yield Finding(
                "SQ0005", visit.stmt.word_at, {"word": word}, (Note(visit.leg.word_at, "the leg begins here"),)
            )
        elif isinstance(visit.stmt, tree.JoinGroup):
            yield from _join_in_hold(survey, visit, visit.stmt)
        elif isinstance(visit.stmt, tree.Spawn):
            yield from _preemptible(survey, visit, visit.stmt)


def _join_in_hold(survey: Survey, visit: Visit, join: tree.JoinGroup) -> Iterator[Finding]:
    """No join inside a hold of a finite pool: a child may need what its waiting parent holds (seed §7)."""
    holds = list(holds_around(visit.scope))
    for hold in holds:
        for take in hold.takes:
            pool = survey.program.pools.get(take.pool.name or "")
            if pool is None or pool.cap is None or not math.isfinite(pool.cap):
                continue
            note = Note(hold.word_at, f"`{pool.name}` is held from here")
            fixes = edits.move_behind("join after the hold", join.at, holds[-1].at)
            yield Finding("SQ0009", join.at, {"pool": pool.name, "name": join.group}, (note,), fixes)
            return


def _preemptible(survey: Survey, visit: Visit, spawn: tree.Spawn) -> Iterator[Finding]:
    """A preemption would run the statement again, and the children of the first time would still be there."""
    for hold in holds_around(visit.scope):
        pool = preempting_pool(survey.program, hold)
        if pool is not None:
            note = Note(hold.word_at, f"this hold takes `{pool.name}`, whose `preempt` may throw it out")
            yield Finding("SQ0010", spawn.word_at, {"pool": pool.name}, (note,))
            return
