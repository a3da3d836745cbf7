"""SQ0415: no leg starts inside a hold that a pool may preempt (02 §8)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.scopes import holds_around, preempting_pool
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Fork",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0415",
        name="fork-in-a-preemptible-hold",
        severity=Severity.ERROR,
        message="`fork` inside a hold that pool `{pool}` may preempt",
        why="A preemption throws the session out of the hold and lets it begin the body again. A leg that had been "
        "started there would be running already, and would be started a second time.",
        help="start the leg before the hold, or take a pool without `preempt`",
        wrong="""pool kv { cap 100; preempt lifo; }
stage svc : fifo;
session { hold kv (8) { fork { run svc (1); } run svc (2); } join; end; }
                      //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; preempt lifo; }
stage svc : fifo;
session { fork { run svc (1); } hold kv (8) { run svc (2); } join; end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look for a preempting pool among the holds around each `fork`."""
    for visit in survey.of(tree.Fork):
        for hold in holds_around(visit.scope):
            pool = preempting_pool(survey.program, hold)
            if pool is not None:
                note = Note(hold.word_at, f"this hold takes `{pool.name}`, whose `preempt` may throw it out")
                yield Finding("SQ0415", visit.stmt.word_at, {"pool": pool.name}, (note,))
                break
