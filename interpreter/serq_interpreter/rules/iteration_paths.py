"""SQ0512: every path of an iteration body serves or admits (02 §11)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note, Place

CODES = ("SQ0512",)


def check(survey: Survey) -> Iterator[Finding]:
    """Follow the paths of each engine's own body."""
    for stage in survey.program.stages.values():
        engine = stage.engine
        if engine is None or engine.damaged or engine.iteration is None or engine.iteration_at is None:
            continue
        with deep_recursion():
            covered, gap = _covered(engine.iteration)
        if not covered:
            notes = () if gap is None else (Note(gap, "one way through this branch neither serves nor admits"),)
            yield Finding("SQ0512", edits.first_word(engine.iteration_at), {"name": stage.name}, notes)


def _covered(body: tuple[tree.IterStmt, ...]) -> tuple[bool, Place | None]:
    """Whether every path through `body` serves or admits, and otherwise a branch that has one which does not."""
    gap: Place | None = None
    for item in body:
        match item:
            case tree.IterServe() | tree.IterAdmit():
                return True, None
            case tree.IterBranch():
                then, inner = _covered(item.then)
                otherwise, other = _covered(item.otherwise)
                if then and otherwise:
                    return True, None
                gap = gap or inner or other or item.at
            case tree.IterSet():
                pass
    return False, gap
