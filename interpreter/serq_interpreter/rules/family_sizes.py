"""SQ0416: `admit via` and `memory` join families of one size, or all members to one (02 §5)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Engine", "Pool")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0416",
        name="families-of-different-sizes",
        severity=Severity.ERROR,
        message="`{word} {name}`: `{name}` has {count} members and `{family}` has {size}",
        why="`admit via` and `memory` join two families member by member, or all members to the only one of the other. "
        "Any other pair of sizes leaves members without a partner.",
        help="give both the same size, or name a single one",
        wrong="""stage e[2] : step { cost 1; }
pool kv[3] { cap 100; admit via e; }
                              //^
session { hold kv[0] (8) { run e[0] decode (2); } end; }
run { horizon 10; }
""",
        right="""stage e[3] : step { cost 1; }
pool kv[3] { cap 100; admit via e; }
session { hold kv[0] (8) { run e[0] decode (2); } end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Compare the sizes of each pair that an option joins."""
    program = survey.program
    for pool in program.pools.values():
        stage = program.stages.get(pool.admit_via or "")
        if stage is not None and pool.admit_via_at is not None and not _fits(pool, stage):
            yield _finding("admit via", pool, stage, pool.admit_via_at)
    for stage in program.stages.values():
        if stage.engine is None or stage.engine.memory_at is None:
            continue
        memory = program.pools.get(stage.engine.memory or "")
        if memory is not None and not _fits(stage, memory):
            yield _finding("memory", stage, memory, stage.engine.memory_at)


def _fits(family: tree.Pool | tree.Stage, named: tree.Pool | tree.Stage) -> bool:
    if not family.size_known or not named.size_known:
        return True
    return (named.size or 1) in (1, family.size or 1)


def _finding(word: str, family: tree.Pool | tree.Stage, named: tree.Pool | tree.Stage, place: object) -> Finding:
    args: dict[str, object] = {
        "word": word,
        "family": family.name,
        "size": family.size or 1,
        "name": named.name,
        "count": named.size or 1,
    }
    notes = (Note(named.name_at, f"`{named.name}` has {named.size or 1} members"),)
    return Finding("SQ0416", place, args, notes)  # type: ignore[arg-type]
