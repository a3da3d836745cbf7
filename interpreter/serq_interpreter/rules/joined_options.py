"""SQ1013, SQ1014, SQ1021: options that join a pool to something that does not do what they suggest.

What: `admit via` a stage that is no step engine, a `spill` to or through a family, to the pool itself or through an
engine.

Why: only a step engine has iterations in which it admits, so the holds of such a pool wait for ever.  A spill takes the
first member of a family whatever its size, and whatever member spills.  A pool that spills into itself makes room by
taking room, and a copy is no request that an engine could schedule.

Wrong: `pool kv { admit via svc; }` with `stage svc : fifo;`.  Right: `admit via` the engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ1013", "SQ1014", "SQ1021")


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the options of each pool."""
    program = survey.program
    for pool in program.pools.values():
        stage = program.stages.get(pool.admit_via or "")
        if stage is not None and stage.kind not in ("step", "unknown") and pool.admit_via_at is not None:
            note = Note(stage.name_at, f"`{stage.name}` is a {stage.kind} stage")
            args: dict[str, object] = {"name": pool.name, "stage": stage.name, "kind": stage.kind}
            yield Finding("SQ1013", pool.admit_via_at, args, (note,))
        if pool.spill is not None:
            yield from _spill(program, pool, pool.spill)


def _spill(program: tree.Elaborated, pool: tree.Pool, spill: tree.Spill) -> Iterator[Finding]:
    via = program.stages.get(spill.via or "")
    if spill.target == pool.name:
        yield Finding("SQ1021", spill.at, {"name": pool.name, "fault": "spills into itself"})
        return
    if via is not None and via.kind == "step":
        note = Note(via.name_at, f"`{via.name}` is a step engine")
        yield Finding("SQ1021", spill.at, {"name": pool.name, "fault": f"spills through engine `{via.name}`"}, (note,))
        return
    for family in (program.pools.get(spill.target or ""), program.stages.get(spill.via or "")):
        if family is not None and (family.size or 1) > 1:
            args: dict[str, object] = {"name": pool.name, "family": family.name, "size": family.size}
            yield Finding("SQ1014", spill.at, args, (Note(family.name_at, f"`{family.name}` is a family"),))
            return
