"""SQ0401 a hold names a pool once; SQ0405 it leases a pool of its own (02 §8)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0401",
        name="pool-taken-twice-in-a-hold",
        severity=Severity.ERROR,
        message="this hold takes `{name}` twice",
        why="A hold has one allocation in each of its pools, which `grow`, `load` and `release` find by the pool's "
        "name. Two takes of one pool would be two allocations under one name.",
        help="take both amounts at once",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3), kv (4) { run svc (1); } end; }
                     //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3 + 4) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0405",
        name="lease-of-another-pool",
        severity=Severity.ERROR,
        message="`lease {name}`: this hold takes {held}",
        why="A lease keeps what the hold had for a while after the hold's end. It can keep only one of the hold's own "
        "takes, written as in the header.",
        help="lease a pool that the header names, or take `{name}` in the header",
        wrong="""pool kv { cap 100; }
pool slots { cap 4; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } lease slots (5) end; }
                                           //^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
pool slots { cap 4; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } lease kv (5) end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Compare the references of each hold as they are written."""
    for visit in survey.of(tree.Hold):
        hold = visit.stmt
        assert isinstance(hold, tree.Hold)
        yield from _twice(hold)
        if hold.lease is not None:
            yield from _lease(hold, hold.lease)


def _twice(hold: tree.Hold) -> Iterator[Finding]:
    for position, take in enumerate(hold.takes):
        if take.pool.name is None or isinstance(take.pool.index, tree.Unknown):
            continue
        for earlier in hold.takes[:position]:
            if earlier.pool.name == take.pool.name and earlier.pool.spelling == take.pool.spelling:
                note = Note(earlier.pool.at, "it is taken here already")
                args: dict[str, object] = {"name": edits.text_of(take.pool.at)}
                yield Finding("SQ0401", take.pool.at, args, (note,), _merged(hold, earlier, take))
                break


def _merged(hold: tree.Hold, first: tree.Take, second: tree.Take) -> tuple[Fix, ...]:
    """One reference with both amounts, where both are plain (no `reserve`)."""
    if first.reserve is not None or second.reserve is not None or second not in hold.takes[1:]:
        return ()
    if not (edits.inside(first.units.at, first.at) and edits.inside(second.units.at, second.at)):
        return ()
    before = hold.takes[hold.takes.index(second) - 1]
    gone = Place(second.at.chunk, before.at.end, second.at.end, second.at.via)
    if before.at.chunk is not second.at.chunk or not edits.text_of(gone).lstrip().startswith(","):
        return ()
    total = f"{_summand(first.units)} + {_summand(second.units)}"
    changes = (Edit(first.units.at, total), Edit(gone, ""))
    return edits.together("take both amounts at once", changes, safe=True)


def _summand(expr: tree.Expr) -> str:
    """The text of an amount as it may stand beside a `+`."""
    text = edits.text_of(expr.at)
    loose = isinstance(expr, tree.Cond) or (isinstance(expr, tree.Binary) and expr.op not in ("+", "-", "*", "/", "^"))
    return f"({text})" if loose else text


def _lease(hold: tree.Hold, lease: tree.Lease) -> Iterator[Finding]:
    if lease.pool.name is None or isinstance(lease.pool.index, tree.Unknown):
        return
    if any(take.pool.name is None or isinstance(take.pool.index, tree.Unknown) for take in hold.takes):
        return
    if all(take.pool.name != lease.pool.name or take.pool.spelling != lease.pool.spelling for take in hold.takes):
        held = ", ".join(f"`{edits.text_of(take.pool.at)}`" for take in hold.takes)
        args: dict[str, object] = {"name": edits.text_of(lease.pool.at), "held": held}
        yield Finding("SQ0405", lease.pool.at, args, (Note(hold.word_at, f"this hold takes {held}"),))
