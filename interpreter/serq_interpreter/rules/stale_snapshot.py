"""SQ0411: a header does not read a value that was taken from live state before the hold began to wait (02 §8.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0411",
        name="stale-snapshot-in-a-header",
        severity=Severity.ERROR,
        message="the header reads `{name}`, a value of `{what}` from before the hold began to wait",
        why="A hold may wait long, and the pool evaluates its header at each look, when it decides. An attribute that "
        "was set from live state above the hold is by then a picture of the past.",
        help="read the state at the decision: `at admission (x = …)`, or write the observable in the header",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session {
  set room = free(kv);
  hold kv (min(room, 8)) { run svc (1); }
             //^^^^
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session {
  hold kv (min(room, 8)) at admission (room = free(kv)) { run svc (1); }
  end;
}
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
)


class Snapshot(NamedTuple):
    """The `set` that took it and the observable it read."""

    stmt: tree.Set
    live: tree.Call


Table = dict[str, Snapshot]


def check(survey: Survey) -> Iterator[Finding]:
    """Walk the session with a table of snapshots: arms, loops and legs get a copy, a hold's body an empty one."""
    if survey.program.session is None:
        return
    pending: list[tuple[tree.Block, Table]] = [(survey.program.session, {})]
    while pending:
        block, table = pending.pop()
        previous: tree.Stmt | None = None
        for stmt in block.statements:
            match stmt:
                case tree.Set():
                    _remember(survey, stmt, table)
                case tree.Hold():
                    yield from _header(survey, stmt, table, previous)
                    pending.append((stmt.body, {}))
                case tree.Branch():
                    pending.append((stmt.then, dict(table)))
                    if stmt.otherwise is not None:
                        pending.append((stmt.otherwise, dict(table)))
                case tree.Loop() | tree.Fork():
                    pending.append((stmt.body, dict(table)))
                case _:
                    pass
            previous = stmt


def _remember(survey: Survey, stmt: tree.Set, table: Table) -> None:
    live = survey.reads(stmt.value).live
    if not live:
        table.pop(stmt.name, None)
    else:
        table[stmt.name] = Snapshot(stmt, live[0])


def _header(survey: Survey, hold: tree.Hold, table: Table, previous: tree.Stmt | None) -> Iterator[Finding]:
    """The first stale read of the hold's units, `reserve`, `reuse` and `cache`."""
    if not table:
        return
    exprs = [expr for take in hold.takes for expr in (take.units, take.reserve)] + [hold.reuse, hold.cache]
    for expr in exprs:
        if expr is None or not survey.reads(expr).attributes & table.keys():
            continue
        for part in survey.reads(expr).attrs:
            if part.name in table:
                snapshot = table[part.name]
                args: dict[str, object] = {"name": part.name, "what": edits.text_of(snapshot.live.at)}
                note = Note(snapshot.stmt.at, f"`{part.name}` is taken from the live state here")
                fixes = _at_admission(survey, hold, snapshot, table) if snapshot.stmt is previous else ()
                yield Finding("SQ0411", part.at, args, (note,), fixes, key=id(hold))
                return


_BINDINGS = re.compile(r"\bat\s+admission\b")


def _at_admission(survey: Survey, hold: tree.Hold, snapshot: Snapshot, table: Table) -> tuple[Fix, ...]:
    """Read the value when the pool decides: possible without a question when nothing else reads the attribute."""
    stmt = snapshot.stmt
    facts = survey.reads(stmt.value)
    header = Place(hold.at.chunk, hold.at.start, hold.body.at.start, hold.at.via)
    if stmt.at.chunk is not hold.at.chunk or stmt.from_binding or _BINDINGS.search(edits.text_of(header)):
        return ()
    if (
        facts.draw is not None
        or facts.clock is not None
        or facts.attributes & (table.keys() | survey.hidden_names.keys())
    ):
        return ()
    own = {id(take.units) for take in hold.takes} | {id(take.reserve) for take in hold.takes}
    own |= {id(hold.reuse), id(hold.cache)}
    for site in survey.sites:
        if id(site.expr) not in own and stmt.name in survey.reads(site.expr).attributes:
            return ()
    if edits.in_entry(hold.at):
        return ()
    binding = f"at admission ({stmt.name} = {edits.text_of(stmt.value.at)}) "
    start = Place(hold.at.chunk, hold.body.at.start, hold.body.at.start, hold.at.via)
    gone = edits.delete("", stmt.at)
    changes = (*(edit for fix in gone for edit in fix.edits), Edit(start, binding))
    return edits.together(f"read `{stmt.name}` at admission", changes, safe=True)
