"""SQ1011: a statement that is never reached, because the one before it never goes on.

What: a statement after an `end;`, after a branch whose arms both end, or after a `loop` (which has no way out but
`end`).  A closing `end;` after a loop is good style and not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("End", "Loop")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1011",
        name="unreachable-statement",
        severity=Severity.WARNING,
        message="this is never reached: the `{word}` before it never goes on",
        why="`end;` ends the session, and a `loop` is left by `end;` only. Statements behind them are checked like others "
        "and never executed.",
        help="move it up, or delete it",
        wrong="""stage svc : fifo;
session { run svc (1); end; observe t = now; }
                          //^^^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §12",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at each block's first statement after one that never goes on.  Recursive over the nesting."""
    if survey.program.session is None:
        return
    stack = [survey.program.session]
    ends: dict[int, bool] = {}
    while stack:
        block = stack.pop()
        for position, stmt in enumerate(block.statements):
            if isinstance(stmt, tree.Hold | tree.Loop | tree.Fork):
                stack.append(stmt.body)
            elif isinstance(stmt, tree.Branch):
                stack.append(stmt.then)
                stack.extend(() if stmt.otherwise is None else (stmt.otherwise,))
            if _stops(stmt, ends):
                rest = block.statements[position + 1 :]
                yield from _rest(stmt, rest)
                break


def _rest(last: tree.Stmt, rest: tuple[tree.Stmt, ...]) -> Iterator[Finding]:
    if not rest or rest[0].at.chunk is not last.at.chunk or rest[0].at.via is not None:
        return
    if isinstance(last, tree.Loop) and all(isinstance(stmt, tree.End) for stmt in rest):
        return
    word = "end" if isinstance(last, tree.End) else "loop" if isinstance(last, tree.Loop) else "branch"
    note = Note(last.word_at, "the session goes no further than this")
    yield Finding("SQ1011", rest[0].at, {"word": word}, (note,))


def _stops(stmt: tree.Stmt, known: dict[int, bool]) -> bool:
    """Whether nothing after `stmt` is ever reached."""
    match stmt:
        case tree.End() | tree.Loop():
            return True
        case tree.Branch() if stmt.otherwise is not None:
            return _block_stops(stmt.then, known) and _block_stops(stmt.otherwise, known)
        case tree.Hold():
            return _block_stops(stmt.body, known)
        case _:
            return False


def _block_stops(block: tree.Block, known: dict[int, bool]) -> bool:
    answer = known.get(id(block))
    if answer is None:
        answer = known[id(block)] = any(_stops(stmt, known) for stmt in block.statements)
    return answer
