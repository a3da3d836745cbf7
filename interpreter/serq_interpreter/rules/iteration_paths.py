"""SQ0512: every path of an iteration body serves or admits (02 §11)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note, Place

NEEDS = ("Engine",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0512",
        name="iteration-path-without-serve",
        severity=Severity.ERROR,
        message="one way through the iteration body of `{name}` neither serves nor admits",
        why="An iteration that serves nobody and admits nobody schedules nothing, and the engine then waits for an "
        "event that may never come. Every path needs a `serve` or an `admit`, even one that turns out to do nothing.",
        help="put a `serve;` or `admit;` on that path, or one after the branch",
        wrong="""stage e : step { cost 1; state k = 0; iteration { set k = k + 1; branch (k > 3) { serve; } } }
                                    //^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { set k = k + 1; branch (k > 3) { serve; } else { admit; } } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
)


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
