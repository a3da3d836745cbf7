"""SQ0518: time passes on every way through a loop's body (02 §10)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Loop",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0518",
        name="loop-without-time",
        severity=Severity.ERROR,
        message="one way through this loop's body takes no time",
        why="A session that goes round a loop at one instant never lets the clock move on. On every path there must be "
        "a `run` (whose work is not the number 0), an `end`, an inner loop, or a hold with such a body. What a leg "
        "runs does not delay the loop, nor does `join`.",
        help="run something on that path, or `end;` there",
        wrong="""stage svc : fifo;
session { loop { branch (turn_no < 3) { run svc (1); } turn; } }
        //^^^^
run { horizon 100; }
""",
        right="""stage svc : fifo;
session { loop { branch (turn_no < 3) { run svc (1); } else { end; } turn; } }
run { horizon 100; }
""",
        spec="02 §10",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Follow the paths of each loop; of nested loops the innermost faulty one is reported."""
    loops = [visit.stmt for visit in survey.of(tree.Loop)]
    faulty: list[tuple[tree.Loop, tree.Stmt | None]] = []
    with deep_recursion():
        for loop in loops:
            assert isinstance(loop, tree.Loop)
            passes, gap = _passes(loop.body)
            if not passes:
                faulty.append((loop, gap))
    inner = {id(loop) for loop, _ in faulty}
    for loop, gap in faulty:
        if _has_other(loop, inner):
            continue
        notes = () if gap is None else (Note(gap.word_at, _GAPS.get(type(gap), _GAPS[tree.Branch])),)
        yield Finding("SQ0518", loop.word_at, {}, notes)


_GAPS: dict[type, str] = {
    tree.Branch: "one way through this `branch` takes no time",
    tree.Hold: "this hold's body takes no time on some way",
    tree.Run: "work that is the number 0 does not count",
    tree.Fork: "what a leg runs does not delay the loop",
}


def _passes(block: tree.Block) -> tuple[bool, tree.Stmt | None]:
    """Whether every path through `block` lets time pass, and otherwise a statement that fails to."""
    gap: tree.Stmt | None = None
    for stmt in block.statements:
        match stmt:
            case tree.Run():
                if not (isinstance(stmt.work, tree.Num) and stmt.work.bare and stmt.work.value == 0.0):
                    return True, None
                gap = gap or stmt
            case tree.End() | tree.Loop() | tree.Opaque():
                return True, None
            case tree.Hold():
                passes, inner = _passes(stmt.body)
                if passes:
                    return True, None
                gap = gap or inner or stmt
            case tree.Branch(guard=tree.Unknown()):
                # The test could not be read: the block may be another statement's.
                return True, None
            case tree.Branch():
                then, inner = _passes(stmt.then)
                otherwise, other = (False, None) if stmt.otherwise is None else _passes(stmt.otherwise)
                if then and otherwise:
                    return True, None
                gap = gap or inner or other or stmt
            case tree.Fork():
                gap = gap or stmt
            case _:
                pass
    return False, gap


def _has_other(loop: tree.Loop, faulty: set[int]) -> bool:
    """Whether a faulty loop stands inside `loop`."""
    stack: list[tree.Stmt] = list(loop.body.statements)
    while stack:
        stmt = stack.pop()
        if id(stmt) in faulty:
            return True
        match stmt:
            case tree.Branch():
                stack.extend(stmt.then.statements)
                stack.extend(() if stmt.otherwise is None else stmt.otherwise.statements)
            case tree.Hold() | tree.Loop() | tree.Fork():
                stack.extend(stmt.body.statements)
            case _:
                pass
    return False
