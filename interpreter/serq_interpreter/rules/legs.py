"""SQ0540 to SQ0542: what a leg may not do, and that forks and joins belong together (02 §10)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Fork", "Join")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0540",
        name="session-control-in-a-leg",
        severity=Severity.ERROR,
        message="`{word}` inside a leg",
        why="A leg is a part of the request that runs beside the session. Turns, the end, forks and joins belong to "
        "the session as a whole, and two parts that moved it on at once would contradict each other.",
        help="move the statement to the session, after the `join`",
        wrong="""stage svc : fifo;
session { fork { run svc (1); end; } join; end; }
                            //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { fork { run svc (1); } join; end; }
run { horizon 10; }
""",
        spec="02 §10",
    ),
    Entry(
        code="SQ0541",
        name="fork-without-join",
        severity=Severity.ERROR,
        message="the program forks and never joins",
        why="A session may not end while one of its legs runs. Without any `join` in the program nothing waits for the "
        "legs, and the first session that ends would fail the run.",
        help="`join;` where the session needs the leg to be finished",
        wrong="""stage svc : fifo;
session { fork { run svc (1); } run svc (2); end; }
        //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { fork { run svc (1); } run svc (2); join; end; }
run { horizon 10; }
""",
        spec="02 §10",
    ),
    Entry(
        code="SQ0542",
        name="join-without-fork",
        severity=Severity.ERROR,
        message="`join` in a program that never forks waits for nothing",
        why="A `join` waits for the legs of its session, and only a `fork` makes legs. A program with one and not the "
        "other has lost a statement.",
        help="delete it, or fork the work that it should wait for",
        wrong="""stage svc : fifo;
session { run svc (1); join; end; }
                     //^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §10",
    ),
)

_WORDS: dict[type, str] = {tree.Turn: "turn", tree.End: "end", tree.Fork: "fork", tree.Join: "join"}


def check(survey: Survey) -> Iterator[Finding]:
    """Look into each leg, then compare the program's forks with its joins."""
    forking: set[int] = set()
    for visit in survey.of(*_WORDS):
        if visit.leg is not None:
            if isinstance(visit.stmt, tree.Fork):
                forking.add(id(visit.leg))
            elif isinstance(visit.stmt, tree.Join) and id(visit.leg) in forking:
                continue  # it joins what the leg should not have forked
            args: dict[str, object] = {"word": _WORDS[type(visit.stmt)]}
            whole = visit.stmt.word_at if isinstance(visit.stmt, tree.Fork) else visit.stmt.at
            yield Finding("SQ0540", whole, args, (Note(visit.leg.word_at, "the leg begins here"),))
    if survey.program.damaged or "Opaque" in survey.kinds:
        return
    forks, joins = survey.of(tree.Fork), survey.of(tree.Join)
    if forks and not joins:
        fork = forks[0].stmt
        fixes = edits.insert_after("append `join;`", fork.at, "join;", safe=True)
        yield Finding("SQ0541", fork.word_at, {}, fixes=fixes)
    if not forks:
        for visit in joins:
            fixes = edits.delete("delete the `join`", visit.stmt.at, safe=True)
            yield Finding("SQ0542", visit.stmt.at, {}, fixes=fixes)
