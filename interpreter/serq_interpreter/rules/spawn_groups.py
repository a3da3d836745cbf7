"""SQ0008, SQ0012, SQ0013: a group is joined, a count counts, and there is something to inherit (edition v4b)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.parser import GROUP_NAMES_EXCLUDED
from serq_interpreter.syntax.tokens import Finding

NEEDS = ("Spawn",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        "SQ0008",
        "group-never-joined",
        Severity.ERROR,
        "nothing waits for the children of `{name}`",
        "A session may not end before it has joined the children it has spawned. Without a `join` of the group every "
        "session that gets this far fails the run.",
        "put `join {name};` where the children's results are needed, at the latest before `end;`",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } }
                                     //^^^^
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2) into kids { set work = 1; } }
  run think (work + 1);
  join kids;
  end;
}
run { horizon 10; }
""",
        spec="docs/language/spawn.md",
    ),
    Entry(
        "SQ0012",
        "constant-no-number-of-children",
        Severity.ERROR,
        "`spawn ({value})`: that is no number of children",
        "The count follows from the text, so that every session which comes here would fail the run: children are "
        "counted in whole numbers from 0 on.",
        "write a whole number, or an expression that gives one",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (2.5) into kids { set work = 1; } join kids; }
                             //^^^
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (3) into kids { set work = 1; } join kids; }
  run think (work + 1);
  end;
}
run { horizon 10; }
""",
        spec="docs/language/spawn.md",
    ),
    Entry(
        "SQ0013",
        "nothing-to-inherit",
        Severity.ERROR,
        "`inherit {pool}`: no hold keeps anything in `{pool}`",
        "Children inherit what their parent has in the pool's cache, and only a hold with a `cache` clause puts "
        "something there. As it stands they would find nothing, and every prompt would be computed anew.",
        "end the parent's hold with `cache (…)`, or leave out `inherit {pool}`",
        """// serq: edition v4b
pool kv { cap 100; }
stage think : delay;
workload { arrive batch(1); }
session {
  hold kv (8) { run think (1); }
  branch (depth == 0) { spawn (2) into kids inherit kv { set work = 1; } join kids; }
                                                  //^^
  end;
}
run { horizon 10; }
""",
        """// serq: edition v4b
pool kv { cap 100; }
stage think : delay;
workload { arrive batch(1); }
session {
  hold kv (8) { run think (9 - cached); } cache (8)
  branch (depth == 0) { spawn (2) into kids inherit kv { set work = 1; } join kids; }
  end;
}
run { horizon 10; }
""",
        spec="docs/language/spawn.md",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at each `spawn`, then at what belongs together over the whole program."""
    for visit in survey.of(tree.Spawn):
        assert isinstance(visit.stmt, tree.Spawn)
        yield from _count(visit.stmt)
    if survey.program.damaged or "Opaque" in survey.kinds:
        return
    yield from _never_joined(survey)
    yield from _nothing_to_inherit(survey)


def _count(spawn: tree.Spawn) -> Iterator[Finding]:
    value = closed_value(spawn.count)
    if value is not None and not (0.0 <= value < math.inf and value == value // 1):
        text = "NaN" if value != value else f"{value:.15g}"
        yield Finding("SQ0012", spawn.count.at, {"value": text})


def _never_joined(survey: Survey) -> Iterator[Finding]:
    joined = {visit.stmt.group for visit in survey.of(tree.JoinGroup)}  # type: ignore[union-attr]
    seen: set[str] = set()
    for visit in survey.of(tree.Spawn):
        spawn = visit.stmt
        assert isinstance(spawn, tree.Spawn)
        if spawn.group in joined or spawn.group in seen or spawn.group in GROUP_NAMES_EXCLUDED:  # the last is SQ0014
            continue
        seen.add(spawn.group)
        fixes = () if visit.scope is not None else edits.insert_after("join it", spawn.at, f"join {spawn.group};")
        yield Finding("SQ0008", spawn.group_at, {"name": spawn.group}, fixes=fixes)


def _nothing_to_inherit(survey: Survey) -> Iterator[Finding]:
    kept = {
        take.pool.name
        for visit in survey.of(tree.Hold)
        if isinstance(visit.stmt, tree.Hold) and visit.stmt.cache is not None
        for take in visit.stmt.takes
    }
    for visit in survey.of(tree.Spawn):
        pool = visit.stmt.inherit  # type: ignore[union-attr]
        if pool is not None and pool.name is not None and pool.name not in kept:
            yield Finding("SQ0013", pool.at, {"pool": pool.name})
