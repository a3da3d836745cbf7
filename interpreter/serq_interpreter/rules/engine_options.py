"""SQ0504, SQ0505, SQ0507, SQ0510, SQ0511: options of a step engine that exclude one another (02 §11)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ0504", "SQ0505", "SQ0507", "SQ0510", "SQ0511")


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
