"""SQ1013, SQ1014, SQ1021: options that join a pool to something that does not do what they suggest.

What: `admit via` a stage that is no step engine, a `spill` to or through a family, to the pool itself or through an
engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Pool",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1013",
        name="admitted-by-no-engine",
        severity=Severity.WARNING,
        message="`admit via {stage}`: `{stage}` is a {kind} stage, and nothing ever admits the holds on `{name}`",
        why="With `admit via` a pool admits only inside the iterations of the named engine. A stage of another kind has "
        "none, so every hold on the pool waits for ever. The language accepts any stage.",
        help="name a step engine, or delete the option: the pool then admits by itself",
        wrong="""stage svc : fifo;
pool kv { cap 100; admit via svc; }
                           //^^^
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
pool kv { cap 100; }
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ1014",
        name="spill-into-one-member",
        severity=Severity.WARNING,
        message="`spill` of `{name}`: of the family `{family}` ({size} members) only the first takes part",
        why="`spill T via S` takes member 0 of both, whatever their sizes and whichever member spills. The others never "
        "see a spilled entry.",
        help="declare a single pool and a single stage for the spill",
        wrong="""pool host[2] { cap 1000; }
stage bus : fifo;
pool kv { cap 100; evict lru; spill host via bus (size) when (size > 4); }
                            //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
session { hold kv (8) { run bus (1); } cache (8) observe t = used(host[1]); end; }
run { horizon 10; }
""",
        right="""pool host { cap 1000; }
stage bus : fifo;
pool kv { cap 100; evict lru; spill host via bus (size) when (size > 4); }
session { hold kv (8) { run bus (1); } cache (8) observe t = used(host); end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ1021",
        name="spill-that-cannot-work",
        severity=Severity.WARNING,
        message="`{name}` {fault}",
        why="A spill moves evicted units to another tier through a stage that takes time. Into the pool itself it makes "
        "room by taking room and never ends; an engine serves requests in iterations and cannot carry a copy.",
        help="spill to another pool, through a `fifo`, `ps` or `delay` stage",
        wrong="""stage bus : fifo;
pool kv { cap 100; evict lru; spill kv via bus (size) when (size > 4); }
                            //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
session { hold kv (8) { run bus (1); } cache (8) observe t = now; end; }
run { horizon 10; }
""",
        right="""stage bus : fifo;
pool host { cap 1000; }
pool kv { cap 100; evict lru; spill host via bus (size) when (size > 4); }
session { hold kv (8) { run bus (1); } cache (8) observe t = now; end; }
run { horizon 10; }
""",
        spec="04 §10",
    ),
)


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
