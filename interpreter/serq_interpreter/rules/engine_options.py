"""SQ0504, SQ0505, SQ0507, SQ0510, SQ0511: options of a step engine that exclude one another (02 §11)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Engine",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0504",
        name="granule-not-positive",
        severity=Severity.ERROR,
        message="the granule of `{name}` is {value}: it must be above 0",
        why="A prefill that is not finished gets a multiple of the granule. A multiple of 0 is no token at all, and the "
        "prefill would never end.",
        help="write a positive granule, or leave the option out",
        wrong="""stage e : step { cost 1; chunk 8; granule 0; }
                                        //^
session { run e prefill (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; chunk 8; }
session { run e prefill (4); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0505",
        name="granule-above-the-chunk",
        severity=Severity.ERROR,
        message="the granule {granule} of `{name}` is above its chunk {chunk}: a long prefill would get no token",
        why="An iteration gives a prefill at most the chunk, rounded down to whole granules. With a chunk smaller than "
        "one granule that is nothing, for every prompt longer than the chunk.",
        help="make the chunk a multiple of the granule",
        wrong="""stage e : step { cost 1; chunk 8; granule 16; }
                                        //^^
session { run e prefill (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; chunk 32; granule 16; }
session { run e prefill (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0507",
        name="granule-with-exclusive-prefill",
        severity=Severity.ERROR,
        message="`{name}` has a granule and serves one prefill exclusively: a prefill without a token would stop it",
        why="`serve exclusive prefill` lets one prefill take the whole budget and displace the decodes. If the granule "
        "gave that prefill no token, neither it nor the decodes would go on.",
        help="delete the granule, or serve in another order",
        wrong="""stage e : step { cost 1; budget 64; serve exclusive prefill; granule 16; }
                                                                   //^^
session { run e prefill (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; budget 64; serve exclusive prefill; }
session { run e prefill (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0510",
        name="body-beside-exclusive-prefill",
        severity=Severity.ERROR,
        message="`{name}` has an iteration body beside `serve exclusive prefill`",
        why="Both say what an iteration does: the rule as a whole, the body step by step. They would answer one "
        "question twice, and a body has no step that displaces decodes.",
        help="delete the body or the serve clause",
        wrong="""stage e : step { cost 1; serve exclusive prefill; iteration { serve; } }
                                                //^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve; } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0511",
        name="body-beside-serve-only",
        severity=Severity.ERROR,
        message="`{name}` has an iteration body beside the option `serve only`, which is a body itself",
        why="The option `serve only (p)` stands for a body: `serve only (p);` followed by an `admit only (p)`. With "
        "a body of its own the engine would have two.",
        help="write `serve only (p);` inside the body",
        wrong="""stage e : step { cost 1; serve only (decoding); iteration { serve; } }
                       //^^^^^^^^^^^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve only (decoding); } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the options of each engine."""
    for stage in survey.program.stages.values():
        if stage.engine is None:
            continue
        yield from _granule(stage, stage.engine)
        if not stage.engine.damaged:
            yield from _serve(stage, stage.engine)


def _granule(stage: tree.Stage, engine: tree.Engine) -> Iterator[Finding]:
    granule, place = engine.granule, engine.granule_at
    if place is None:
        return
    if granule is not None and not granule > 0.0:
        yield Finding("SQ0504", place, {"name": stage.name, "value": f"{granule:.15g}"})
        return
    if engine.serve is None and not engine.damaged:
        notes = () if engine.serve_at is None else (Note(engine.serve_at, "one prefill takes the whole budget here"),)
        yield Finding("SQ0507", place, {"name": stage.name}, notes)
    chunk = None if engine.chunk is None else closed_value(engine.chunk)
    if granule is None or chunk is None or not (0.0 < chunk < granule) or math.isinf(chunk):
        return
    args: dict[str, object] = {"name": stage.name, "granule": f"{granule:.15g}", "chunk": f"{chunk:.15g}"}
    notes = () if engine.chunk_at is None else (Note(engine.chunk_at, f"the chunk is {chunk:.15g}"),)
    yield Finding("SQ0505", place, args, notes)


def _serve(stage: tree.Stage, engine: tree.Engine) -> Iterator[Finding]:
    args: dict[str, object] = {"name": stage.name}
    serve_at = engine.serve_at or stage.name_at
    if engine.serve_only is not None and engine.serve is None:
        return  # SQ0508 is the parser's
    if engine.iteration_at is None:
        return
    if engine.serve is None:
        note = Note(serve_at, "a prefill displaces decodes that were chosen already, here")
        yield Finding("SQ0510", edits.first_word(engine.iteration_at), args, (note,))
    elif engine.serve_only is not None:
        note = Note(edits.first_word(engine.iteration_at), "the body is here")
        yield Finding("SQ0511", serve_at, args, (note,))
